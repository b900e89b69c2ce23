import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, makePrivateFile } from './database.ts'
import { syncFolder } from './sync-folder.ts'
import { verifyCopy } from './verify-copy.ts'
import { migrations } from './migrations/migrations.ts'

/** The data was written by a newer Assay; nothing is touched. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/** Brings the schema up to date; a database that holds data is backed up and the backup verified first. */
export function migrate(db: Database, now: Date): { readonly from: number; readonly to: number; readonly backup: string | null } {
  const from = Number(single(db.pragma('user_version')))
  const to = migrations.length
  if (from > to) {
    throw new NewerDatabaseError(
      `${db.path} was written by a newer Assay (schema ${from}, this one knows ${to}). Nothing was changed: update Assay, or start it with another --data-dir.`,
    )
  }
  if (from === to) return { from, to, backup: null }
  const backup = from === 0 ? null : backUp(db, `pre-v${to}-${now.toISOString().replaceAll(':', '-')}.db`)
  db.transaction(() => {
    for (const { sql } of migrations.slice(from)) for (const statement of statementsOf(sql)) db.prepare(statement).run()
    db.pragma(`user_version = ${to}`)
  })
  return { from, to, backup }
}

/** Copies the whole database, checks the copy, and only then gives it its name. */
export function backUp(db: Database, name: string): string {
  const folder = join(dirname(db.path), 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  const partial = `${path}.partial`
  // Left by one that was cut off; it would be in the way.
  rmSync(partial, { force: true })
  // Into an empty file that only its owner can read.
  makePrivateFile(partial)
  db.prepare('vacuum into ?').run(partial)
  const fault = verifyCopy(partial)
  if (fault !== null) throw new Error(`The backup ${partial} is not sound (${fault}); nothing was migrated.`)
  renameSync(partial, path)
  syncFolder(folder)
  return path
}

/** Splits a script at semicolons that end a line, keeping the bodies of triggers together. */
export function statementsOf(script: string): string[] {
  const statements: string[] = []
  let current = ''
  for (const line of script.split('\n')) {
    current += `${line}\n`
    const open = /^create trigger/i.test(current.trim()) && !/\bend;$/i.test(line.trim())
    if (line.trimEnd().endsWith(';') && !open) {
      statements.push(current.trim())
      current = ''
    }
  }
  if (current.trim()) throw new Error('A migration must end with a semicolon.')
  return statements
}

/** The one value of a pragma's answer. */
function single(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : rows
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : row
}
