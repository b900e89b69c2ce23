import type { BundledBenchmark } from '../../../tasks/definition.ts'
import { arithmeticWordProblems } from './arithmetic-word-problems/arithmetic-word-problems.ts'
import { contestProblems } from './contest-problems/contest-problems.ts'
import { everydayPrograms } from './everyday-programs/everyday-programs.ts'
import { instructionFollowing } from './instruction-following/instruction-following.ts'
import { javascriptFunctions } from './javascript-functions/javascript-functions.ts'
import { logicChoice } from './logic-choice/logic-choice.ts'
import { readingComprehension } from './reading-comprehension/reading-comprehension.ts'
import { pythonFunctions } from './python-functions/python-functions.ts'
import { spreadsheetEdits } from './spreadsheet-edits/spreadsheet-edits.ts'

/** Every benchmark that ships with Assay. */
export const bundledBenchmarks: readonly BundledBenchmark[] = [
  arithmeticWordProblems,
  instructionFollowing,
  logicChoice,
  readingComprehension,
  pythonFunctions,
  javascriptFunctions,
  everydayPrograms,
  contestProblems,
  spreadsheetEdits,
]
