import { createHash, type Hash } from 'node:crypto'
import type { Task } from '../../tasks/task.ts'
import type { AnswerKey } from './answer-key.ts'
import type { Columns } from './column-mapping.ts'
import type { JudgedAssertion } from './import-order.ts'
import type { TaskChoice } from './lm-eval/task-set.ts'
import type { ImportSource } from './import-source.ts'
import { type ShotsWanted, Tally, type Tallied } from './import-tally.ts'
import { type ImportLimits, importLimits } from './limits.ts'
import type { Survey } from './mapped-table.ts'
import type { RemoteHost } from '../media/remote-media.ts'
import { readItems } from './read-items.ts'

/** What an import would bring, and everything that is wrong with it. */
export interface ImportCheck extends Tallied {
  /** SHA-256 of each file's content after unpacking, by the role of the file; of files that were read to their end. */
  readonly contentSha256: ReadonlyMap<string, string>
  /** How the answer keys of a table are read; null where nothing had to be decided. */
  readonly answerKey: AnswerKey | null
  /** Of a table, as they were read; null for files whose fields are known. */
  readonly settled: Columns | null
  /** Values of the split column with their rows. */
  readonly splits: Survey['splits']
  /** What only a judge can grade. */
  readonly judged: readonly JudgedAssertion[]
  /** What the files hold, where one of it has to be chosen. */
  readonly choices: readonly TaskChoice[]
  /** Different files that the tasks show; null where they show none. */
  readonly media: { readonly files: number; readonly bytes: number } | null
  /** Hosts at which rows name files. */
  readonly remote: readonly RemoteHost[]
  /** Of how many those are the first. */
  readonly remoteHosts: number
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
  const contentSha256 = new Map<string, string>()
  for (const source of sources) {
    const hash = createHash('sha256')
    tally.beginFile(source.name, source.content.leaveOut === true)
    if (!(await isReadWhole(source, tally, limits, hash))) break
    if (source.role !== undefined) contentSha256.set(source.role, hash.digest('hex'))
  }
  return {
    ...tally.result(),
    contentSha256,
    answerKey: null,
    settled: null,
    splits: [],
    judged: [],
    choices: [],
    media: null,
    remote: [],
    remoteHosts: 0,
  }
}

async function isReadWhole(source: ImportSource, tally: Tally, limits: ImportLimits, hash: Hash): Promise<boolean> {
  for await (const item of readItems(source, limits, hash)) if (!tally.take(item)) return false
  return true
}

/** Tasks of files that `checkImport` found sound, in the same order; of an id that is repeated and left out, the first. @throws Error when they have changed since and are no longer sound */
export async function* importedTasks(sources: readonly ImportSource[], limits: ImportLimits = importLimits): AsyncGenerator<Task> {
  const ids = new Set<string>()
  for (const source of sources) {
    if (source.content.holds === 'shots') continue
    for await (const item of readItems(source, limits)) {
      if (item.kind === 'problem') throw new Error(`${source.name} changed while it was being imported: ${item.message}`)
      if (item.kind !== 'task' || ids.has(item.task.id)) continue
      ids.add(item.task.id)
      yield item.task
    }
  }
}
