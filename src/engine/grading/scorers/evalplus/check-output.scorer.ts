import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { literalVerdict } from '../python/literal-verdict.ts'
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
  prepare:
    ({ atol }) =>
    input =>
      literalVerdict(input, 'The value is', (actual, expected) => checkOutput(actual, expected, atol).isEqual),
})
