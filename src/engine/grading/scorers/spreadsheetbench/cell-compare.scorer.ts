import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { literalVerdict } from '../python/literal-verdict.ts'
import { sameCell } from './cell-compare.ts'

export const cellCompare = defineScorer({
  id: 'spreadsheetbench/cell_compare',
  version: 1,
  title: 'SpreadsheetBench cell',
  description:
    'One cell value against the expected one, both as Python literals: numbers to two decimals, dates to whole days, times to minutes.',
  options: z.strictObject({}),
  prepare: () => input => literalVerdict(input, 'The cell holds', sameCell),
})
