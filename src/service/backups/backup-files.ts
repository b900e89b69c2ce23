import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../contract/backups/backups.schemas.ts'
import { macFileOf } from '../../storage/backup-mac.ts'
import { migrations } from '../../storage/migrations/migrations.ts'

/** A backup as its file describes it. */
export type BackupFile = Pick<Backup, 'name' | 'kind' | 'created_at' | 'bytes' | 'newer'> & { readonly hasMac: boolean }

/** What names begin with, by kind. `pre-v` is written by the migration itself, `manual` also by `doctor --backup`. */
const prefixes: Readonly<Record<Backup['kind'], string>> = {
  manual: 'manual-',
  scheduled: 'scheduled-',
  before_migration: 'pre-v',
  before_restore: 'before-restore-',
}
const kinds = Object.keys(prefixes) as Backup['kind'][] // the record's own keys

/** Of those made before a migration, and of what restores replaced, this many each are kept, whatever the schedule says. */
const keptOfOthers = 3

export const backupFolder = (dataDir: string) => join(dataDir, 'backups')

export function backupName(kind: 'manual' | 'scheduled' | 'before_restore', at: string): string {
  return `${prefixes[kind]}${at.replaceAll(':', '-')}.db`
}

/** Newest first. Files with other names are ignored, and so is what is not a file: a pipe or a device could be read without end. */
export function listBackupFiles(dataDir: string): BackupFile[] {
  const folder = backupFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return readdirSync(folder)
    .flatMap(name => {
      const kind = kinds.find(known => name.startsWith(prefixes[known]))
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      const created_at = stat ? timeOf(name, stat.mtime) : null
      if (!kind || !stat?.isFile() || created_at === null) return []
      const path = join(folder, name)
      return [{ name, kind, created_at, bytes: stat.size, newer: isNewer(path), hasMac: existsSync(macFileOf(path)) }]
    })
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
}

/** By the schema's version in the file's header; it is asked each time, since an update changes the answer. */
function isNewer(path: string): boolean {
  const header = Buffer.alloc(64)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, header)
    } finally {
      closeSync(file)
    }
  } catch {
    // What cannot be read is told by its check.
    return false
  }
  return header.toString('latin1', 0, 15) === 'SQLite format 3' && header.readInt32BE(60) > migrations.length
}

/** When the oldest backup was made, of whatever kind, or long ago while the first is being made; null where there is none. */
export function oldestBackupAt(dataDir: string): string | null {
  const oldest = listBackupFiles(dataDir).at(-1)?.created_at
  const isBeingMade = () => readdirSync(backupFolder(dataDir)).some(name => name.endsWith('.db.partial'))
  return oldest ?? (isBeingMade() ? new Date(0).toISOString() : null)
}

/** A copy made before an update is named by what it holds, and its file has the time. */
function timeOf(name: string, changed: Date): string | null {
  const time = /(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3}Z)\.db$/.exec(name)
  if (time) return `${time[1]}:${time[2]}:${time[3]}`
  return /^pre-v\d+-[\da-f]{12}\.db$/.test(name) ? changed.toISOString() : null
}

/** Removes the oldest copies that updates made beyond what is kept: an update that fails is tried at every start. */
export function tidyUpdateCopies(dataDir: string): void {
  const copies = listBackupFiles(dataDir).filter(({ kind }) => kind === 'before_migration')
  removeBackups(backupFolder(dataDir), copies.slice(keptOfOthers))
}

/** Each with the MAC beside it. */
function removeBackups(folder: string, backups: readonly { readonly name: string }[]): void {
  for (const { name } of backups) for (const path of [join(folder, name), macFileOf(join(folder, name))]) removeStray(path)
}

/** Also a folder of that name, which would end every backup from then on. */
function removeStray(path: string): void {
  rmSync(path, { force: true, recursive: true })
}

/** Removes the oldest backups beyond what is kept, and pieces of ones that were cut off. */
export function tidyBackups(dataDir: string, keep: number): void {
  const folder = backupFolder(dataDir)
  const all = listBackupFiles(dataDir)
  const own = all.filter(({ kind }) => kind === 'manual' || kind === 'scheduled')
  const others = (['before_migration', 'before_restore'] as const).flatMap(kind =>
    all.filter(backup => backup.kind === kind).slice(keptOfOthers),
  )
  removeBackups(folder, [...own.slice(keep), ...others])
  for (const name of readdirSync(folder).filter(file => file.endsWith('.db.mac')))
    if (!existsSync(join(folder, name.slice(0, -'.mac'.length)))) removeStray(join(folder, name))
  for (const name of readdirSync(folder)) if (/\.db\.partial(?:-wal|-shm|-journal)?$/.test(name)) removeStray(join(folder, name))
}
