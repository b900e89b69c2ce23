import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parseJsonLiteral, parsePythonLiteral } from '../python/literal.ts'
import { pyEquals, type PyValue } from '../python/values.ts'
import type { Score } from '../scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { compareReturned, compareStdout, type StdoutDifference } from './compare.ts'
import { extractTestOutput } from './extract.ts'
import { predictedValue } from './test-output.ts'

const options = z.strictObject({})

export const stdioCompare = defineScorer({
  id: 'livecodebench/stdio_compare',
  version: 1,
  title: 'LiveCodeBench standard output',
  description: "A program's output against the expected one, line by line, as text or as exact decimal numbers without tolerance.",
  options,
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no expected output.')
      const differences = targets.map(target => compareStdout(output, target))
      const isEqual = differences.includes(null)
      return judged(isEqual, {
        answer: output,
        explanation: isEqual ? 'Every line is the expected one.' : describe(differences[0] ?? null),
      })
    }
  },
})

export const callCompare = defineScorer({
  id: 'livecodebench/call_compare',
  version: 1,
  title: 'LiveCodeBench returned value',
  description: 'A returned value, as a Python literal, against the expected one in JSON; only the outermost tuple counts as a list.',
  options,
  prepare: () => {
    return ({ output, targets }) => scoreReturned(output, targets)
  },
})

export const testOutputPrediction = defineScorer({
  id: 'livecodebench/test_output_prediction',
  version: 6,
  title: 'LiveCodeBench test output prediction',
  description:
    'The right side of the last assertion of the reply, or all of its code block where that asserts nothing, evaluated as Python and compared with the expected value in JSON. Python’s operators, comprehensions and common built-ins are evaluated; anything else is wrong here.',
  options,
  prepare: () => {
    return ({ output, targets }) => {
      const expected = expectedOf(targets)
      if (!expected) return unscored(`The target is not JSON; ${describeTargets(targets)}.`)
      const extracted = extractTestOutput(output)
      const value = predictedValue(extracted)
      if (!value)
        return judged(false, {
          answer: extracted,
          explanation: `${extracted === '' ? 'The reply holds no assertion and no code block' : `${quote(extracted)} states no value`}.`,
        })
      const isEqual = expected.some(target => pyEquals(value, target))
      return judged(isEqual, { answer: extracted, explanation: `The reply predicts ${quote(extracted)}; ${describeTargets(targets)}.` })
    }
  },
})

/** Null without targets, or where one is not JSON. */
function expectedOf(targets: readonly string[]): readonly PyValue[] | null {
  const values = targets.flatMap(target => parseJsonLiteral(target) ?? [])
  return values.length === 0 || values.length < targets.length ? null : values
}

function scoreReturned(text: string, targets: readonly string[]): Score {
  const expected = expectedOf(targets)
  if (!expected) return unscored(`The target is not JSON; ${describeTargets(targets)}.`)
  const value = parsePythonLiteral(text)
  if (!value) return judged(false, { answer: text, explanation: `${quote(text)} is not a Python literal.` })
  const isEqual = expected.some(target => compareReturned(value, target))
  return judged(isEqual, { answer: text, explanation: `The value is ${quote(text)}; ${describeTargets(targets)}.` })
}

function describe(difference: StdoutDifference | null): string {
  if (difference?.kind === 'line count') return `The output has ${difference.actual} lines where ${difference.expected} are expected.`
  return `Line ${difference?.line ?? 1} is not the expected one.`
}
