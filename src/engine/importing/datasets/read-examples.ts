import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { DatasetFormat, DatasetMapping } from '../../../contract/datasets/dataset-imports.schemas.ts'
import type { DatasetRules } from '../../content/datasets/check-example.ts'
import { describeMisplaced } from '../known-files.ts'
import { formatReaders } from '../formats.ts'
import { decodeBytes, FileError } from '../files/decode-bytes.ts'
import { anyJson } from '../files/import-source.ts'
import { type ImportLimits, importLimits } from '../files/limits.ts'
import { OrderFault } from '../files/order-fault.ts'
import { readRows } from '../files/read-items.ts'
import { RowError, type Row, type RowOrProblem } from '../files/row.ts'
import { type ImportedExample, exampleOfRow } from './example-row.ts'

/** A file of examples, as plain data that another thread can be given. */
export interface ExampleFile {
  /** As the user knows it. */
  readonly name: string
  readonly path: string
  /** Where it came out of an archive: its bytes, which `path` then does not hold, in parts. */
  readonly content?: () => Iterable<Uint8Array>
  readonly format: DatasetFormat
  /** Null: only the columns are wanted. */
  readonly mapping: DatasetMapping | null
  readonly rules: DatasetRules
}

/** A row with what it became; `example` is null where nothing says what its columns mean. */
export type ExampleItem =
  | { readonly kind: 'example'; readonly row: Row; readonly example: ImportedExample | null }
  | { readonly kind: 'problem'; readonly line: number | null; readonly message: string; readonly row: Row | null }

/**
 * The rows of a file in order. Whatever is wrong with it is an item too.
 * @param said told what of the file is not read, and how the rest is where that is not plain
 */
export async function* readExamples(
  file: ExampleFile,
  limits: ImportLimits = importLimits,
  said: (warning: string) => void = () => {},
): AsyncGenerator<ExampleItem> {
  let isFirst = true
  for await (const item of examplesIn(file, limits, said)) {
    const misplaced = isFirst && item.kind === 'problem' ? await describeMisplaced([file], file.format) : null
    isFirst = false
    if (misplaced !== null) yield { kind: 'problem', row: null, line: null, message: misplaced }
    yield item
  }
}

async function* examplesIn(file: ExampleFile, limits: ImportLimits, said: (warning: string) => void): AsyncGenerator<ExampleItem> {
  try {
    let position = 0
    for await (const read of rowsOf(file, limits, said)) {
      if (read.kind === 'skipped') {
        said(`Left out: line ${read.line}: ${read.message}`)
        continue
      }
      position++
      if (position > limits.tasks)
        return yield { kind: 'problem', row: null, line: read.line, message: `The file has more than ${limits.tasks} rows.` }
      yield read.kind === 'problem' ? { ...read, row: null } : convert(file, { ...read, position }, said)
    }
  } catch (error) {
    if (error instanceof OrderFault) {
      for (const { line, message } of error.problems) yield { kind: 'problem', row: null, line, message }
    } else if (error instanceof FileError) yield { kind: 'problem', row: null, line: null, message: error.message }
    else throw error
  }
}

function convert({ format, mapping, rules }: ExampleFile, row: Row, said: (warning: string) => void): ExampleItem {
  const { read } = formatReaders[format].examples
  try {
    const example = read ? read(row, rules, said) : mapping === null ? null : exampleOfRow(row, mapping, rules)
    return { kind: 'example', row, example }
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    return { kind: 'problem', row, line: row.line, message: error.message }
  }
}

async function* rowsOf(
  { format, name, path, content }: ExampleFile,
  limits: ImportLimits,
  said: (warning: string) => void,
): AsyncGenerator<RowOrProblem> {
  const rows = format === 'json' ? anyJson(said) : formatReaders[format].examples.rows
  if (typeof rows === 'function') return yield* rows({ name, path })
  yield* readRows(rows, decodeBytes(content ? Readable.from(content()) : createReadStream(path), limits), name, limits)
}
