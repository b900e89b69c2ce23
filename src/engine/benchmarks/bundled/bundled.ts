import type { BundledBenchmark } from '../definition.ts'
import { arithmeticWordProblems } from './arithmetic-word-problems/arithmetic-word-problems.ts'
import { instructionFollowing } from './instruction-following/instruction-following.ts'
import { logicChoice } from './logic-choice/logic-choice.ts'
import { readingComprehension } from './reading-comprehension/reading-comprehension.ts'

/** Every benchmark that ships with Assay. */
export const bundledBenchmarks: readonly BundledBenchmark[] = [
  arithmeticWordProblems,
  instructionFollowing,
  logicChoice,
  readingComprehension,
]
