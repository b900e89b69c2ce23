import { textField } from '../../../files/row-fields.ts'
import type { Row } from '../../../files/row.ts'
import { readSpreadsheetFolder } from '../../../files/read-spreadsheet-folder.ts'
import type { Task } from '../../../../tasks/task.ts'
import { showSheets } from '../../../../grading/spreadsheets/show-sheets.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { spreadsheetForm } from '../../../../content/benchmarks/spreadsheet-form.ts'
import { codeRecipe } from './code-recipe.ts'

const home = 'https://github.com/RUCKBReasoning/SpreadsheetBench'

export const spreadsheetbench = codeRecipe({
  slug: 'spreadsheetbench',
  provider: 'ruckbreasoning',
  title: 'SpreadsheetBench',
  summary: 'Edits of real spreadsheets, checked cell by cell.',
  description:
    'Whether a model can carry out what users of spreadsheet forums asked for, in three workbooks per task. The model is shown the beginning of the first workbook and ' +
    'writes a Python function on its cells, which is run in the sandbox on all three.',
  howMade: 'From questions in online forums, with spreadsheets made by people (Ma et al., 2024).',
  knownLimits: [
    'The function works on values: a task that asks for a formula is solved by the values that the formula would give. Upstream lets the model use openpyxl and recalculates.',
    'Formulas of the data that were never calculated count as empty, as they do upstream.',
    'Colors and formats are not compared.',
    'Only the first 60 rows of each sheet are shown.',
  ],
  runner: 'spreadsheetbench',
  capabilities: ['spreadsheets', 'programming', 'python'],
  license: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Ma et al. (2024), SpreadsheetBench: Towards Challenging Real World Spreadsheet Manipulation, arXiv:2406.14991',
  homepage: home,
  promptTemplate: `{instruction}\n\nThe workbook:\n{workbook}\n\nYour answer is looked for in: {answer_position}\n\n${spreadsheetForm}`,
  metrics: [
    binaryMetric('hard', 'All workbooks right', 'spreadsheetbench/hard', { primary: true }),
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
  breakdowns: ['instruction_type'],
  file: {
    fileName: 'spreadsheetbench.zip',
    url: `${home}/tree/main/data`,
    download: null,
    sha256: null,
    purpose:
      'The archive of upstream (.tar.gz) or a zip archive of the folder: one list of tasks in JSON, and the folder "spreadsheet" beside it.',
  },
  content: { format: { kind: 'archive', rows: readSpreadsheetFolder }, holds: 'tasks', read: readTask },
})

function readTask(row: Row): Task {
  const { cases, instruction_type: kind } = row.value
  return {
    id: textField(row, 'id'),
    split: 'test',
    fields: {
      instruction: textField(row, 'instruction'),
      workbook: showSheets(cases),
      answer_position: textField(row, 'answer_position'),
    },
    targets: [],
    choices: null,
    metadata: { cases, instruction_type: typeof kind === 'string' ? kind : 'Not stated' },
    capabilities: ['spreadsheets', 'programming', 'python'],
    dependsOn: [],
  }
}
