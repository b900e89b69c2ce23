import type { Hash } from 'node:crypto'
import type { Shot, Task } from '../../tasks/task.ts'
import { decodeBytes, FileError, peek } from './decode-bytes.ts'
import { detectForm, headBytes, otherJson } from './detect-form.ts'
import { anyKey, type FileContent, type ImportSource, type RowFormat } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { readCsv } from './read-csv.ts'
import { readJsonl } from './read-jsonl.ts'
import { readJsonList } from './read-json-list.ts'
import { readArchive } from './read-archive.ts'
import { readParquet } from './read-parquet.ts'
import { located, type Problem, type Row, RowError, type RowOrProblem } from './row.ts'

/** Bytes that hold the first row of JSON Lines under the name of JSON; with a longer row they are taken for a list. */
const lookedBytes = 65_536

/** What a row of a file has become. */
export type Item =
  | { readonly kind: 'task'; readonly row: Row; readonly task: Task }
  | { readonly kind: 'shot'; readonly row: Row; readonly shot: Shot }
  | ({ readonly kind: 'problem'; readonly row: Row | null } & Problem)
  | { readonly kind: 'skipped'; readonly line: number; readonly message: string }

/**
 * The items of one file in order. Whatever is wrong with it is an item too.
 * @param contentHash is fed the content after unpacking
 */
export async function* readItems(source: ImportSource, limits: ImportLimits, contentHash?: Hash): AsyncGenerator<Item> {
  for await (const read of sourceRows(source, limits, contentHash))
    if (read.kind === 'skipped') yield read
    else yield leftOut(source, read.kind === 'problem' ? { ...read, row: null } : convert(source, read.row, limits))
}

/** The rows of a file unchanged, the problems of the others, and what is skipped, which counts as no row. */
export async function* sourceRows(
  source: ImportSource,
  limits: ImportLimits,
  contentHash?: Hash,
): AsyncGenerator<{ readonly kind: 'row'; readonly row: Row } | Exclude<RowOrProblem, { readonly kind: 'row' }>> {
  try {
    const content = contentHash ? hashed(decodeBytes(source.open(), limits), contentHash) : decodeBytes(source.open(), limits)
    let position = 0
    for await (const read of readRows(source.content.format, content, source.name, limits)) {
      for (const row of expand(source.content, read)) {
        if (row.line !== null && row.kind !== 'skipped') position++
        yield row.kind === 'row' ? { kind: 'row', row: { ...row, position } } : row
      }
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    yield { kind: 'problem', line: null, message: error.message }
  }
}

/** The rows of a file as they are. @throws FileError where it cannot be read on */
export async function* readRows(
  format: RowFormat,
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  limits: ImportLimits,
): AsyncGenerator<RowOrProblem> {
  switch (format.kind) {
    case 'jsonl':
    case 'json': {
      const { head, whole } = await peek(bytes, format.kind === 'json' ? lookedBytes : headBytes)
      const isSettled = format.kind === 'jsonl' ? format.parse !== undefined : format.key !== anyKey
      const form = isSettled ? format : (otherJson(format.kind, head) ?? format)
      if (form.kind === 'jsonl') return yield* readJsonl(whole, limits, format.kind === 'jsonl' ? format.parse : undefined)
      return yield* format.kind === 'json' ? readJsonList(whole, limits, format.key, format.leave) : readJsonList(whole, limits)
    }
    case 'csv':
      return yield* readCsv(bytes, limits, format.columns)
    case 'parquet':
      return yield* readParquet(bytes, limits)
    case 'archive':
      return yield* readArchive(bytes, format.rows, limits)
    case 'given': {
      for await (const _ of bytes) continue
      return yield* format.rows
    }
    case 'any': {
      const { head, whole } = await peek(bytes, headBytes)
      return yield* readRows(detectForm(head, name, format.upstream), whole, name, limits)
    }
  }
}

/** The rows that upstream has nested in one. */
function* expand({ expand: rowsIn }: FileContent, row: RowOrProblem): Generator<RowOrProblem> {
  if (row.kind !== 'row' || !rowsIn) return yield row
  try {
    for (const value of rowsIn({ ...row, position: 0 })) yield { ...row, value }
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    yield { kind: 'problem', line: row.line, message: located(error.message, row.entry), missingColumn: error.missingColumn }
  }
}

/** A row that cannot be read, where its file may be imported without it. */
function leftOut({ content }: ImportSource, item: Item): Item {
  return content.leaveOut === true && item.kind === 'problem' && item.line !== null && item.missingColumn === undefined
    ? { kind: 'skipped', line: item.line, message: item.message }
    : item
}

function convert(source: ImportSource, row: Row, limits: ImportLimits): Item {
  const item = read(source, row, limits)
  const fault = source.takeFault?.() ?? null
  return fault === null || item.kind === 'problem' ? item : { kind: 'problem', row, line: row.line, message: located(fault, row.entry) }
}

function read({ content }: ImportSource, row: Row, { rowKeys }: ImportLimits): Item {
  const keys = Object.keys(row.value).length
  if (keys > rowKeys) {
    const message = `The row has ${keys} fields, and at most ${rowKeys} are read.`
    return { kind: 'problem', row: null, line: row.line, message: located(message, row.entry) }
  }
  try {
    if (content.holds === 'tasks') return { kind: 'task', row, task: content.read(row) }
    if (content.holds === 'shots') return { kind: 'shot', row, shot: content.read(row) }
    const either = content.read(row)
    return 'task' in either ? { kind: 'task', row, task: either.task } : { kind: 'shot', row, shot: either.shot }
  } catch (error) {
    if (error instanceof RowError)
      return { kind: 'problem', row, line: row.line, message: located(error.message, row.entry), missingColumn: error.missingColumn }
    throw error
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
