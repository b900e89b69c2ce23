import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatBytes } from '../../lib/format/bytes.ts'
import { commandLine, quoted } from '../../lib/command-line.ts'

/** The database is not there although it once was. Nothing was changed or deleted. */
export class MissingDatabaseError extends Error {
  override readonly name = 'MissingDatabaseError'
}

const marker = 'database-created'

/** Written once a database was made, so that its absence is noticed even without a log or backups. */
export function markDatabase(dataDir: string, at: Date): void {
  const path = join(dataDir, marker)
  if (statSync(path, { throwIfNoEntry: false })) return
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(
      file,
      `Assay made assay.db in this folder on ${at.toISOString()}. While this file is here, Assay does not start without that database.\n`,
    )
  } finally {
    closeSync(file)
  }
}

/**
 * An absent or empty database is a first start only where nothing shows an earlier one: SQLite would throw its log away.
 * @throws MissingDatabaseError naming what was found
 */
export function requireDatabase(dataDir: string): void {
  const database = join(dataDir, 'assay.db')
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? null
  if (size !== null && size > 0) return
  const found = [...logOf(database), ...backupsIn(dataDir), ...markerIn(dataDir)]
  if (found.length === 0) return
  throw new MissingDatabaseError(
    `The database ${database} is ${size === null ? 'missing' : 'empty'}, but the folder holds ${found.join(', ')}. Nothing was changed. Put the database back, or go back to a backup with "${commandLine('restore', `--data-dir ${quoted(resolve(dataDir), process.platform)} --backup newest`)}". To begin with an empty workspace, start with another --data-dir or move these files away.`,
  )
}

function logOf(database: string): string[] {
  return ['-wal', '-journal'].flatMap(suffix => {
    const size = statSync(database + suffix, { throwIfNoEntry: false })?.size ?? 0
    return size > 0 ? [`its log assay.db${suffix} (${formatBytes(size)})`] : []
  })
}

function backupsIn(dataDir: string): string[] {
  const backups = namesIn(join(dataDir, 'backups')).filter(name => name.endsWith('.db'))
  const replaced = namesIn(dataDir).filter(name => name.startsWith('replaced-'))
  return [
    ...(backups.length === 0 ? [] : [`${backups.length} ${backups.length === 1 ? 'backup' : 'backups'} in backups`]),
    ...replaced.map(name => `a replaced database in ${name}`),
  ]
}

function markerIn(dataDir: string): string[] {
  return statSync(join(dataDir, marker), { throwIfNoEntry: false }) ? [`the marker ${marker} of an earlier start`] : []
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    // There is no such folder.
    return []
  }
}
