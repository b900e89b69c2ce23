import { LostChanges } from '../../contract/storage/storage.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { beginCommitFile, type CommitFile, readCommitFile } from '../../storage/commit-file.ts'
import type { Database } from '../../storage/database.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'
import { callsUnknownTo } from '../runs/index.ts'
import { commitCount, continueCount } from './commit-count.store.ts'

const setting = 'lost_changes'

/** What was lost and not dismissed yet. */
export function readLostChanges(db: Database): LostChanges | null {
  return LostChanges.nullable().parse(readSetting(db, setting) ?? null)
}

export function dismissLostChanges(db: Database): void {
  if (readLostChanges(db) !== null) writeSetting(db, setting, null)
}

/**
 * At the start, before anything is written: whether every commit that was made is there. Then commits are counted.
 * @param callsPath the list of calls begun
 */
export function followCommits(
  db: Database,
  callsPath: string,
  now: () => Date,
): { readonly file: CommitFile; readonly lost: LostChanges | null } {
  const lost = findLostChanges(db, callsPath, now())
  const made = readCommitFile(db.path)
  if (lost) {
    db.transaction(() => {
      writeSetting(db, setting, lost)
      // The next loss is counted from here.
      continueCount(db, made ?? commitCount(db))
    })
  }
  const file = beginCommitFile(db.path, commitCount(db))
  db.countCommits(() => now().getTime(), file.note)
  return { file, lost }
}

/** Null where the database has every commit that was made. The file is read first: a service may commit meanwhile. */
export function findLostChanges(db: Database, callsPath: string, now: Date): LostChanges | null {
  const made = readCommitFile(db.path)
  const present = commitCount(db)
  if (!made || made.commits <= present.commits) return null
  const commits = made.commits - present.commits
  // Nothing was counted yet: what is known is when the last one was made.
  const from = new Date(present.at === 0 ? made.at : present.at).toISOString()
  const until = new Date(made.at).toISOString()
  const calls = callsUnknownTo(db, callsPath)
  return { found_at: now.toISOString(), commits, from, until, calls, message: describe(commits, from, until, calls) }
}

/** To the second: `2026-11-28 04:58:55 UTC`. */
function timeOf(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}

function describe(commits: number, from: string, until: string, calls: number): string {
  const changes = commits === 1 ? '1 change is' : `${formatCount(commits)} changes are`
  const unknown =
    calls === 0
      ? ''
      : ` ${calls === 1 ? 'A model call' : `${formatCount(calls)} model calls`} sent then may be billed by your provider and ${calls === 1 ? 'is' : 'are'} in no run.`
  return `${changes} missing from the database, made after ${timeOf(from)} and until ${timeOf(until)}: its log (assay.db-wal) was lost or damaged while Assay was not running.${unknown} Check the runs of that time and run again what is missing.`
}
