import type { Score, ScoreInput } from '../scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { parsePythonLiteral } from './literal.ts'
import type { PyValue } from './values.ts'

/** An output and its targets, all Python literals. @param subject begins the explanation: "The value is" */
export function literalVerdict(
  { output, targets }: Pick<ScoreInput, 'output' | 'targets'>,
  subject: string,
  isSame: (actual: PyValue, expected: PyValue) => boolean,
): Score {
  const expected = targets.map(parsePythonLiteral)
  if (expected.length === 0 || expected.includes(null)) return unscored(`The target is not a Python literal; ${describeTargets(targets)}.`)
  const actual = parsePythonLiteral(output)
  if (!actual) return judged(false, { answer: output, explanation: `The output ${quote(output)} is not a Python literal.` })
  const isEqual = expected.some(value => value !== null && isSame(actual, value))
  return judged(isEqual, { answer: output, explanation: `${subject} ${quote(output)}; ${describeTargets(targets)}.` })
}
