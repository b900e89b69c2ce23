import { createHash } from 'node:crypto'
import type { Task } from '../../tasks/task.ts'
import type { ImportSource } from './import-source.ts'
import { type ShotsWanted, Tally, type Tallied } from './import-tally.ts'
import { type ImportLimits, importLimits } from './limits.ts'
import { readItems } from './read-items.ts'

/** What an import would bring, and everything that is wrong with it. */
export interface ImportCheck extends Tallied {
  /** SHA-256 of each file's content after unpacking, in the order of the sources. */
  readonly contentSha256: readonly string[]
}

/**
 * Reads all files once and checks every row.
 * @param shots which worked examples to keep
 */
export async function checkImport(
  sources: readonly ImportSource[],
  shots: ShotsWanted,
  limits: ImportLimits = importLimits,
): Promise<ImportCheck> {
  const tally = new Tally(shots, limits)
  const contentSha256: string[] = []
  for (const source of sources) {
    const hash = createHash('sha256')
    tally.beginFile(source.name)
    for await (const item of readItems(source, limits, hash)) if (!tally.take(item)) break
    contentSha256.push(hash.digest('hex'))
  }
  return { ...tally.result(), contentSha256 }
}

/** Tasks of files that `checkImport` found sound, in the same order. @throws Error when they have changed since and are not sound any more */
export async function* importedTasks(sources: readonly ImportSource[], limits: ImportLimits = importLimits): AsyncGenerator<Task> {
  for (const source of sources) {
    if (source.content.holds === 'shots') continue
    for await (const item of readItems(source, limits)) {
      if (item.kind === 'problem') throw new Error(`${source.name} changed while it was being imported: ${item.message}`)
      if (item.kind === 'task') yield item.task
    }
  }
}
