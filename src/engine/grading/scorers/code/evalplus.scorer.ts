import { z } from 'zod'
import type { CodeScorer } from './code-scorer.ts'
import { gradeFunction } from './grade-function.ts'
import { scoreOf } from './verdict.ts'

const options = z.strictObject({
  language: z.enum(['python', 'javascript']).default('python'),
  /**
   * How code is found in a reply. `answer`: the last block that defines the function, with the helpers of other blocks. `evalplus`: the
   * sanitizer of EvalPlus 0.3.1, for Python.
   */
  extraction: z.enum(['answer', 'evalplus']).default('answer'),
})
type Options = z.output<typeof options>

export const evalplusBase: CodeScorer<Options> = {
  id: 'evalplus/base',
  version: 5,
  title: 'Base tests',
  description:
    'Runs the function of a reply in the sandbox against the task’s base tests: HumanEval’s check function, MBPP’s assertions, or EvalPlus’s base inputs with evalplus’s comparison.',
  options,
  language: ({ language }) => language,
  grade: async (input, { extraction }, sandbox) => {
    const { base, code } = await gradeFunction(input, sandbox, extraction)
    return scoreOf(base, input.output, code)
  },
}

export const evalplusPlus: CodeScorer<Options> = {
  id: 'evalplus/plus',
  version: 5,
  title: 'Base and plus tests',
  description:
    'As base tests, and besides against EvalPlus’s further inputs, whose right values the task’s reference gives in the same sandbox.',
  options,
  language: ({ language }) => language,
  grade: async (input, { extraction }, sandbox) => {
    const { plus, code } = await gradeFunction(input, sandbox, extraction)
    return scoreOf(plus, input.output, code)
  },
}
