import type { DatasetImport } from '../../../contract/datasets/dataset-imports.schemas.ts'
import type { Row } from '../files/row.ts'
import type { ExampleItem } from './read-examples.ts'

const mostErrors = 100
const previewRows = 10
const sampleRows = 5
const columnRows = 100
const mostColumns = 200
/** Characters of a text in a preview. */
const shownCharacters = 2000

/** What a look at every row of a file found. */
export type ExamplesCheck = Pick<DatasetImport, 'rows' | 'columns' | 'sample_rows' | 'preview' | 'errors' | 'error_count' | 'warnings'>

/** Counts the rows of a file and keeps a preview. */
export async function checkExamples(items: AsyncIterable<ExampleItem>): Promise<ExamplesCheck> {
  const columns = new Set<string>()
  const samples: Row['value'][] = []
  const preview: ExamplesCheck['preview'] = []
  const errors: ExamplesCheck['errors'] = []
  let [read, valid, problems] = [0, 0, 0]
  for await (const item of items) {
    // A problem of the file as a whole is not a row.
    if (item.kind === 'example' || item.line !== null) read++
    const { row } = item
    if (row && read <= columnRows) for (const name of Object.keys(row.value)) if (columns.size < mostColumns) columns.add(name)
    if (row && samples.length < sampleRows) samples.push(row.value)
    if (item.kind === 'problem') {
      problems++
      if (errors.length < mostErrors) errors.push({ line: item.line, message: item.message })
      continue
    }
    valid++
    if (item.example && preview.length < previewRows) {
      const { content, labels } = item.example
      preview.push({ line: item.row.line, ...cut(content), labels: [...labels] })
    }
  }
  if (read === 0 && problems === 0) {
    problems = 1
    errors.push({ line: null, message: 'The file has no rows.' })
  }
  return {
    rows: { read, valid, invalid: read - valid },
    columns: [...columns],
    sample_rows: samples.map(cut),
    preview,
    errors,
    error_count: problems,
    warnings: [],
  }
}

/** The value with long texts cut, so that a preview stays small. */
function cut<Value>(value: Value): Value {
  // Shapes stay as they are; only texts within become shorter.
  return shorten(value) as Value
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value
  if (Array.isArray(value)) return value.slice(0, 50).map(shorten)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 200)
        .map(([name, inner]) => [name, shorten(inner)]),
    )
  return value
}
