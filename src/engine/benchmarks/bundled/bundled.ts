import type { BundledBenchmark } from '../definition.ts'
import { arithmeticWordProblems } from './arithmetic-word-problems/arithmetic-word-problems.ts'
import { instructionFollowing } from './instruction-following/instruction-following.ts'

/** Every benchmark that ships with Assay. */
export const bundledBenchmarks: readonly BundledBenchmark[] = [arithmeticWordProblems, instructionFollowing]
