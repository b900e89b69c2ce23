import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Workers } from '../../workers/pool.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import type { Kernel } from '../kernel.ts'
import { findRunByNo, largeRunsWithResult, resultMadeAt, type RunRow } from './runs.store.ts'

/** Samples from which on reading them all takes longer than people wait. */
const fewestSamples = 2_000

export const searchFolder = (dataDir: string): string => join(dataDir, 'cache', 'search')

/** Search indexes of ended runs: made from the database, and made again whenever one is missing (decisions/0200). */
export interface SearchIndexes {
  /** The run's index; null while there is none, which then begins to be made. Until it is there the samples themselves are searched. */
  fileOf(row: RunRow): string | null
  /** Begins to make the index of a run that has just ended, where it is worth it. */
  prepare(runNo: number): void
  /**
   * Makes the indexes that are missing, one after another, newest run first: of runs that were restored, imported or made by an earlier
   * version, or whose files were deleted. Resolves when all are there.
   */
  prepareMissing(signal: AbortSignal): Promise<void>
}

export function createSearchIndexes(
  { db, log, config, storage }: Pick<Kernel, 'db' | 'log' | 'config' | 'storage'>,
  workers: Pick<Workers, 'samples'>,
): SearchIndexes {
  const folder = searchFolder(config.dataDir)
  const once = createSingleFlight<void>()

  /** What a run's texts are changes with its result; a result of the same number may be another one in a restored database. */
  const nameOf = ({ no, id, status, frozen, result_version }: RunRow): string | null => {
    if (frozen < fewestSamples || result_version === null || !isTerminal(runMachine, status)) return null
    return `${id}-${result_version}-${Date.parse(resultMadeAt(db, no, result_version))}-marks.index`
  }
  const write = async (name: string, { no, id }: RunRow) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const others = readdirSync(folder).filter(other => other.startsWith(`${id}-`))
    // In slices, between which the thread does other work.
    for (let after: number | null = -1; after !== null; )
      after = await workers.samples({ kind: 'index', runNo: no, path: join(folder, name), after })
    for (const other of others) rmSync(join(folder, other), { force: true })
    // Whoever deleted the run meanwhile did not see the file.
    if (findRunByNo(db, no)?.deleted_at !== null) rmSync(join(folder, name), { force: true })
  }
  /** Resolves in any case. */
  const make = (name: string, row: RunRow): Promise<void> =>
    once(name, () =>
      write(name, row).catch((error: unknown) =>
        log.debug({ err: error, runId: row.id }, 'the search index of a run could not be written; searches read its samples'),
      ),
    )
  const isThere = (name: string) => existsSync(join(folder, name))
  const fileOf = (row: RunRow): string | null => {
    const name = nameOf(row)
    if (name === null) return null
    if (isThere(name)) return join(folder, name)
    if (storage.storageFault() === null) void make(name, row)
    return null
  }
  return {
    fileOf,
    prepare: runNo => {
      const row = findRunByNo(db, runNo)
      if (row) fileOf(row)
    },
    prepareMissing: async signal => {
      // The service answers first.
      await nextTurn()
      if (signal.aborted) return
      for (const row of largeRunsWithResult(db, fewestSamples)) {
        if (signal.aborted || storage.storageFault() !== null) return
        const name = nameOf(row)
        if (name !== null && !isThere(name)) await make(name, row)
      }
    },
  }
}
