import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '../../storage/sync-folder.ts'

const suffixes = ['', '-wal', '-shm'] as const

export const databaseIn = (dataDir: string) => join(dataDir, 'assay.db')
/** Where what is to become the database lies, verified, until it does. */
export const successorIn = (dataDir: string) => join(dataDir, 'assay.db.restoring')
const planIn = (dataDir: string) => join(dataDir, 'restore.json')

const Plan = z.strictObject({ aside: z.string().describe('Where the present database goes, within the data folder.') })

/** Takes away a successor that was not used. */
export function dropSuccessor(dataDir: string): void {
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(successorIn(dataDir) + rest, { force: true })
}

/**
 * Puts the successor in the place of the database, which goes to `aside` with its log: one without the other is another database. No process
 * may have either open. What is to be done is written down first, so that one that is cut off is completed at the next start.
 */
export function swapDatabase(dataDir: string, aside: string): void {
  const plan = openSync(planIn(dataDir), 'w', 0o600)
  try {
    writeSync(plan, JSON.stringify({ aside } satisfies z.infer<typeof Plan>))
    fsyncSync(plan)
  } finally {
    closeSync(plan)
  }
  syncFolder(dataDir)
  completeSwap(dataDir)
}

/** Does what is left to do of a swap that was cut off, by whatever; nothing where there was none. */
export function completeSwap(dataDir: string): void {
  const plan = planIn(dataDir)
  if (!existsSync(plan)) return
  const successor = successorIn(dataDir)
  // Once it has its new name, the old database is aside, and what lies there is the new one.
  if (existsSync(successor)) {
    const aside = readPlan(plan)
    if (aside === null) {
      // Cut off while it was being written, so before anything was moved.
      rmSync(plan)
      return
    }
    const database = databaseIn(dataDir)
    mkdirSync(join(dataDir, dirname(aside)), { recursive: true, mode: 0o700 })
    for (const suffix of suffixes) if (existsSync(database + suffix)) renameSync(database + suffix, join(dataDir, aside) + suffix)
    syncFolder(join(dataDir, dirname(aside)))
    renameSync(successor, database)
    syncFolder(dataDir)
  }
  rmSync(plan)
}

function readPlan(path: string): string | null {
  try {
    return Plan.parse(JSON.parse(readFileSync(path, 'utf8'))).aside
  } catch {
    return null
  }
}
