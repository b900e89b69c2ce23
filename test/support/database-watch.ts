import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/storage/database.ts'

export interface DatabaseWatch {
  /** SHA-256 over every row of each table, read again only after a commit. */
  now(): Readonly<Record<string, string>>
  close(): void
}

/** What a refused request must leave as it was. Calls are written to the network log some seconds later, so that is not looked at. */
export function watchDatabase(dataDir: string): DatabaseWatch {
  const reader = openDatabase(join(dataDir, 'assay.db'), { readonly: true })
  let last: { readonly version: unknown; readonly hashes: Record<string, string> } | undefined
  return {
    now: () => {
      const version = reader.prepare('pragma data_version').pluck().get()
      const read = last && last.version === version ? last : { version, hashes: hashesOf(reader) }
      last = read
      return read.hashes
    },
    close: () => reader.close(),
  }
}

function hashesOf(db: Database): Record<string, string> {
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' and name not in ('network_hosts', 'commits') order by name")
    .pluck()
    .all()
    .map(String)
  const hashOf = (name: string): string => {
    const hash = createHash('sha256')
    for (const row of db.prepare(`select * from "${name}"`).raw().iterate()) hash.update(JSON.stringify(row, asText))
    return hash.digest('hex')
  }
  return Object.fromEntries(tables.map(name => [name, hashOf(name)]))
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
