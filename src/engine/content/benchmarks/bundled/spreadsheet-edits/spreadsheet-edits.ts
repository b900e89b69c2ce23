import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { spreadsheetForm } from '../../spreadsheet-form.ts'
import { codeProfile } from '../code-profile.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

/** Edits of small workbooks by a Python function, graded cell by cell as SpreadsheetBench does. */
export const spreadsheetEdits: BundledBenchmark = {
  version: versionOf(seed),
  generate: () => generate(seed),
  definition: {
    slug: 'spreadsheet-edits',
    provider: 'assay',
    name: 'spreadsheet-edits',
    title: 'Spreadsheet edits',
    summary: 'Edits of a table of orders: computed columns, sums under conditions, sorted copies, counts by group.',
    description:
      'Whether a model carries out an instruction on a spreadsheet so that it also holds for other data. It is shown one workbook and writes a function, which is ' +
      'run on that workbook and on two more of the same form; then the cells are compared as SpreadsheetBench does. Hard counts a task only when all three are ' +
      'right, soft gives the share. Hard is the metric the benchmark is known by.',
    howMade:
      'By a generator in this repository from six kinds of edits in seventeen variants each. What the cells must hold is computed by the rule written a second ' +
      'time in another language. The seed draws the workbooks.',
    knownLimits: [
      'Values only: formulas, formats, colours and charts play no part.',
      'One table of four columns and at most eleven rows; real workbooks are larger and untidy.',
      'The model writes Python on a dictionary of cells, not for a spreadsheet program.',
      'Six kinds in many variants, so read the breakdown by topic.',
    ],
    runner: 'spreadsheetbench',
    capabilities: ['spreadsheets', 'programming', 'python'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      codeProfile(
        `The sheet "Orders" of a workbook:\n{workbook}\n\n{instruction}\n\n${spreadsheetForm}`,
        [
          binaryMetric('hard', 'All three workbooks right', 'spreadsheetbench/hard', { primary: true }),
          {
            id: 'soft',
            title: 'Share of workbooks right',
            scorer: 'spreadsheetbench/soft',
            scorer_version: 1,
            options: {},
            binary: false,
            primary: false,
          },
        ],
        ['topic'],
      ),
    ],
  },
}
