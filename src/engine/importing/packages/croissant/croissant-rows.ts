import { Readable } from 'node:stream'
import type { RowFormat } from '../../files/import-source.ts'
import { FileError } from '../../files/decode-bytes.ts'
import type { ImportLimits } from '../../files/limits.ts'
import { readRows } from '../../files/read-items.ts'
import { problem, type RowOrProblem } from '../../files/row.ts'
import { selectValue } from '../../traces/json-path.ts'
import type { CroissantLayout } from './read-croissant.ts'

/** The rows of a file that belong to a split, each with the columns that its Croissant description gives it. */
export async function croissantRows(
  { rowsKey, columns, split: by }: CroissantLayout,
  split: 'test' | 'canonical',
  format: RowFormat,
  file: { readonly path: string; readonly bytes: Buffer },
  limits: ImportLimits,
): Promise<RowOrProblem[]> {
  const found: RowOrProblem[] = []
  const keyed: RowFormat = format.kind === 'json' && rowsKey !== null ? { kind: 'json', key: rowsKey } : format
  try {
    for await (const row of readRows(keyed, Readable.from([file.bytes]), file.path, limits)) {
      if (row.kind !== 'row') found.push(row)
      else {
        const extra = [...columns].map(([name, path]) => [name, selectValue(row.value, path)])
        const value = { ...row.value, ...Object.fromEntries(extra.filter(([, one]) => one !== undefined)) }
        const isTest = by === null || by.test.has(String(value[by.column]))
        if (by === null || isTest === (split === 'test')) found.push({ ...row, value })
      }
      if (found.length > limits.tasks) break
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    found.push(problem(null, error.message))
  }
  return found
}
