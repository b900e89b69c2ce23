import { createReadStream } from 'node:fs'
import type { DatasetFormat, DatasetMapping } from '../../../contract/index.ts'
import type { DatasetRules } from '../../content/datasets/check-example.ts'
import { decodeBytes, FileError } from '../files/decode-bytes.ts'
import { anyKey, type RowFormat } from '../files/import-source.ts'
import { type ImportLimits, importLimits } from '../files/limits.ts'
import { OrderFault } from '../files/order-fault.ts'
import { readRows } from '../files/read-items.ts'
import { readYaml } from '../files/read-yaml.ts'
import { RowError, type Row, type RowOrProblem } from '../files/row.ts'
import { type ImportedExample, exampleOfRow } from './example-row.ts'
import { foreignExample, isForeign } from './foreign-example.ts'

/** A file of examples, as plain data that another thread can be given. */
export interface ExampleFile {
  /** As the user knows it. */
  readonly name: string
  readonly path: string
  readonly format: DatasetFormat
  /** Null: only the columns are wanted. */
  readonly mapping: DatasetMapping | null
  readonly rules: DatasetRules
}

/** A row with what it became; `example` is null where nothing says what its columns mean. */
export type ExampleItem =
  | { readonly kind: 'example'; readonly row: Row; readonly example: ImportedExample | null }
  | { readonly kind: 'problem'; readonly line: number | null; readonly message: string; readonly row: Row | null }

/** The rows of a file in order. Whatever is wrong with it is an item too. */
export async function* readExamples(file: ExampleFile, limits: ImportLimits = importLimits): AsyncGenerator<ExampleItem> {
  try {
    let position = 0
    for await (const read of rowsOf(file, limits)) {
      if (read.kind === 'skipped') continue
      position++
      if (position > limits.tasks)
        return yield { kind: 'problem', row: null, line: read.line, message: `The file has more than ${limits.tasks} rows.` }
      yield read.kind === 'problem' ? { ...read, row: null } : convert(file, { ...read, position })
    }
  } catch (error) {
    if (error instanceof OrderFault) {
      for (const { line, message } of error.problems) yield { kind: 'problem', row: null, line, message }
    } else if (error instanceof FileError) yield { kind: 'problem', row: null, line: null, message: error.message }
    else throw error
  }
}

function convert({ format, mapping, rules }: ExampleFile, row: Row): ExampleItem {
  try {
    if (isForeign(format)) return { kind: 'example', row, example: foreignExample(format, row, rules) }
    return { kind: 'example', row, example: mapping === null ? null : exampleOfRow(row, mapping, rules) }
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    return { kind: 'problem', row, line: row.line, message: error.message }
  }
}

async function* rowsOf(file: ExampleFile, limits: ImportLimits): AsyncGenerator<RowOrProblem> {
  if (file.format === 'promptfoo_yaml') return yield* testsOf(file)
  yield* readRows(formatOf(file.format), decodeBytes(createReadStream(file.path), limits), file.name, limits)
}

function formatOf(format: Exclude<DatasetFormat, 'promptfoo_yaml'>): RowFormat {
  switch (format) {
    case 'csv':
    case 'promptfoo_csv':
      return { kind: 'csv' }
    case 'json':
      return { kind: 'json', key: anyKey }
    case 'parquet':
      return { kind: 'parquet' }
    case 'jsonl':
    case 'inspect_jsonl':
    case 'openai_evals_jsonl':
      return { kind: 'jsonl' }
  }
}

/** Tests in YAML: a list, or the `tests` of a configuration. @throws OrderFault, FileError */
function* testsOf({ name, path }: ExampleFile): Generator<RowOrProblem> {
  const yaml = readYaml({ name, path, role: 'tests' })
  const isList = Array.isArray(yaml.value)
  const tests = isList ? yaml.value : isRecord(yaml.value) ? yaml.value['tests'] : null
  if (!Array.isArray(tests))
    throw new FileError('The file must be a list of tests, or a configuration with the tests themselves in "tests".')
  const lines = yaml.linesIn(isList ? null : 'tests')
  for (const [i, test] of tests.entries()) {
    const line = lines[i] ?? 1
    yield isRecord(test) ? { kind: 'row', line, value: test } : { kind: 'problem', line, message: 'A test must be an object.' }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
