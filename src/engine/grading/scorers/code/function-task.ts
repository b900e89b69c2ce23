import { z } from 'zod'

const inputs = z.array(z.array(z.unknown()))

/** What a task of a function holds for its scorers. One of three kinds of tests. */
export const FunctionTask = z.object({
  /** The name that the tests call. */
  entry_point: z.string().min(1),
  /** What the reply continues or repeats: imports, helpers, signature and docstring. Empty where the task is a sentence. */
  prompt: z.string(),
  /** Complete, or the body that follows the prompt. Needed for inputs; for other tests it only calibrates the time limit. */
  canonical_solution: z.string().optional(),
  /** HumanEval: code that defines `check(candidate)`. */
  test: z.string().optional(),
  /** MBPP: assertions, and the imports before them. */
  test_list: z.array(z.string()).optional(),
  test_imports: z.array(z.string()).optional(),
  /** EvalPlus: arguments of calls, whose right values the reference tells. */
  base_input: inputs.optional(),
  plus_input: inputs.optional(),
  atol: z.number().min(0).optional(),
})
export type FunctionTask = z.infer<typeof FunctionTask>
