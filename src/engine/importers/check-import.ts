import { createHash } from 'node:crypto'
import type { Task } from '../tasks/task.ts'
import { breather } from './breathe.ts'
import type { ImportSource } from './import-source.ts'
import { Tally, type Tallied } from './import-tally.ts'
import { type ImportLimits, importLimits } from './limits.ts'
import { readItems } from './read-items.ts'

/** What an import would bring, and everything that is wrong with it. */
export interface ImportCheck extends Tallied {
  /** SHA-256 of each file's content after unpacking, in the order of the sources. */
  readonly contentSha256: readonly string[]
}

/**
 * Reads all files once and checks every row.
 * @param shots how many worked examples to keep
 * @throws the signal's reason once it is aborted
 */
export async function checkImport(
  sources: readonly ImportSource[],
  shots: number,
  { limits = importLimits, signal }: { readonly limits?: ImportLimits; readonly signal?: AbortSignal } = {},
): Promise<ImportCheck> {
  const tally = new Tally(shots, limits)
  const breathe = breather()
  const contentSha256: string[] = []
  for (const source of sources) {
    const hash = createHash('sha256')
    tally.beginFile(source.name)
    for await (const item of readItems(source, limits, hash)) {
      if (!tally.take(item)) break
      await breathe()
      signal?.throwIfAborted()
    }
    contentSha256.push(hash.digest('hex'))
  }
  return { ...tally.result(), contentSha256 }
}

/** Tasks of files that `checkImport` found sound, in the same order. @throws Error when they have changed since and are not sound any more */
export async function* importedTasks(sources: readonly ImportSource[], limits: ImportLimits = importLimits): AsyncGenerator<Task> {
  const breathe = breather()
  for (const source of sources) {
    if (source.content.holds !== 'tasks') continue
    for await (const item of readItems(source, limits)) {
      if (item.kind === 'problem') throw new Error(`${source.name} changed while it was being imported: ${item.message}`)
      if (item.kind === 'task') yield item.task
      await breathe()
    }
  }
}
