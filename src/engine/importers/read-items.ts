import type { Hash } from 'node:crypto'
import type { Shot, Task } from '../tasks/task.ts'
import { decodeBytes, FileError } from './decode-bytes.ts'
import type { ImportSource, RowFormat } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { readCsv } from './read-csv.ts'
import { readJsonl } from './read-jsonl.ts'
import { readJsonList } from './read-json-list.ts'
import { readArchive } from './read-archive.ts'
import { type Problem, type Row, RowError, type RowOrProblem } from './row.ts'

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
  try {
    const content = contentHash ? hashed(decodeBytes(source.open(), limits), contentHash) : decodeBytes(source.open(), limits)
    let position = 0
    for await (const row of readRows(source.content.format, content, limits)) {
      if (row.line !== null) position++
      if (row.kind === 'skipped') yield row
      else yield row.kind === 'problem' ? { ...row, row: null } : convert(source, { line: row.line, position, value: row.value })
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    yield { kind: 'problem', row: null, line: null, message: error.message }
  }
}

function readRows(format: RowFormat, bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<RowOrProblem> {
  switch (format.kind) {
    case 'jsonl':
      return readJsonl(bytes, limits, format.parse)
    case 'json':
      return readJsonList(bytes, limits, format.key)
    case 'csv':
      return readCsv(bytes, limits)
    case 'zip':
      return readArchive(bytes, format.rows, limits)
  }
}

function convert({ content }: ImportSource, row: Row): Item {
  try {
    return content.holds === 'tasks' ? { kind: 'task', row, task: content.read(row) } : { kind: 'shot', row, shot: content.read(row) }
  } catch (error) {
    if (error instanceof RowError) return { kind: 'problem', row, line: row.line, message: error.message }
    throw error
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
