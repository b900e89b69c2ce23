import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../storage/database.ts'
import { keepMedia, unkeptFiles } from '../../storage/kept-media.ts'
import { backUp } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/migrations.ts'
import { callsPath } from '../runs/index.ts'
import { findLostChanges, readLostChanges } from '../storage/index.ts'
import { type Check, checks, onSnapshot, schemaVersion } from './checks.store.ts'
import { messageOf } from '../../lib/message-of.ts'

export interface Finding {
  readonly check: string
  readonly faults: readonly string[]
}

export interface Examination {
  readonly findings: readonly Finding[]
  /** Where the backup lies that was asked for; null where none was, or where the database is not sound. */
  readonly backup: string | null
}

export interface ExamineOptions {
  readonly dataDir: string
  readonly backup: boolean
  readonly now: Date
}

/**
 * Examines the database of a data folder, also while the service works on it: it reads one state and changes nothing. A backup is
 * a whole copy, verified before it has its name.
 * @throws Error when there is no database.
 */
export function examine({ dataDir, backup, now }: ExamineOptions): Examination {
  const path = join(dataDir, 'assay.db')
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. Name the folder with --data-dir.`)
  const db = openDatabase(path, { readonly: true })
  try {
    const version = schemaVersion(db)
    const findings: Finding[] = [{ check: 'the schema is this version’s', faults: schemaFaults(version) }]
    if (version === migrations.length) {
      findings.push({ check: 'every commit that was made is there', faults: missingCommits(db, dataDir, now) })
      findings.push(...onSnapshot(db, () => checks.map(check => ({ check: check.name, faults: faultsOf(check, db) }))))
    }
    const sound = findings.every(finding => finding.faults.length === 0)
    if (!backup || !sound) return { findings, backup: null }
    const made = backUp(db, `manual-${now.toISOString().replaceAll(':', '-')}.db`)
    const unkept: unknown[] = []
    Array.from(keepMedia(dataDir, error => unkept.push(error)))
    if (unkept.length > 0) throw new Error(unkeptFiles(unkept))
    return { findings, backup: made }
  } finally {
    db.close()
  }
}

/** What is missing now, or was found missing by a start and not dismissed. */
function missingCommits(db: Database, dataDir: string, now: Date): string[] {
  const lost = findLostChanges(db, callsPath(dataDir), now) ?? readLostChanges(db)
  return lost ? [lost.message] : []
}

/** Damage may prevent a check; that is a fault, too. */
function faultsOf(check: Check, db: Database): string[] {
  try {
    return check.faults(db)
  } catch (error) {
    return [`it cannot be checked: ${messageOf(error)}`]
  }
}

function schemaFaults(version: number): string[] {
  if (version === migrations.length) return []
  const advice =
    version > migrations.length ? 'Update Assay.' : 'Start the service once: it brings the schema up to date and makes a backup first.'
  return [`it is ${version} and this version knows ${migrations.length}, so nothing else was looked at. ${advice}`]
}
