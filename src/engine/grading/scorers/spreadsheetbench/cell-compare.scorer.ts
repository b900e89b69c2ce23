import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parsePythonLiteral } from '../python/literal.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { sameCell } from './cell-compare.ts'

export const cellCompare = defineScorer({
  id: 'spreadsheetbench/cell_compare',
  version: 1,
  title: 'SpreadsheetBench cell',
  description:
    'One cell value against the expected one, both as Python literals: numbers to two decimals, dates to whole days, times to minutes.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      const expected = targets.map(parsePythonLiteral)
      if (expected.length === 0 || expected.includes(null))
        return unscored(`The target is not a Python literal; ${describeTargets(targets)}.`)
      const actual = parsePythonLiteral(output)
      if (!actual) return judged(false, { answer: output, explanation: `The output ${quote(output)} is not a Python literal.` })
      const isEqual = expected.some(value => value !== null && sameCell(actual, value))
      return judged(isEqual, { answer: output, explanation: `The cell holds ${quote(output)}; ${describeTargets(targets)}.` })
    }
  },
})
