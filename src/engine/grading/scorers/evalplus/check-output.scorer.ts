import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parsePythonLiteral } from '../python/literal.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { checkOutput } from './check-output.ts'

export const evalplusCheckOutput = defineScorer({
  id: 'evalplus/check_output',
  version: 1,
  title: 'evalplus output check',
  description: "A function's returned value against the expected one, both as Python literals: equality, or closeness for floats.",
  options: z.strictObject({
    /** Absolute tolerance; 0 means equality, except for floats, which get 1e-6. */
    atol: z.number().min(0).default(0),
  }),
  prepare({ atol }) {
    return ({ output, targets }) => {
      const expected = targets.map(parsePythonLiteral)
      if (expected.length === 0 || expected.includes(null))
        return unscored(`The target is not a Python literal; ${describeTargets(targets)}.`)
      const actual = parsePythonLiteral(output)
      if (!actual) return judged(false, { answer: output, explanation: `The output ${quote(output)} is not a Python literal.` })
      const isEqual = expected.some(value => value !== null && checkOutput(actual, value, atol).isEqual)
      return judged(isEqual, { answer: output, explanation: `The value is ${quote(output)}; ${describeTargets(targets)}.` })
    }
  },
})
