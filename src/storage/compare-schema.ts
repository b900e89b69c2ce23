import type Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { openDatabase } from './database.ts'
import { statementsOf } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'

/** A connection of either kind. */
interface Readable {
  prepare(sql: string): Pick<Sqlite.Statement, 'all'>
}

const Version = z.tuple([z.object({ user_version: z.int() })])
const Parts = z.array(z.object({ part: z.string(), sql: z.string() }))
/** By kind and name, each with its statement. */
type Schema = ReadonlyMap<string, string>

/**
 * Why a file is not a database of a version of Assay that is known here, as `was changed: …`; null where it is one. A trigger, a view or a
 * check of another schema would be executed by whoever works on the file.
 */
export function foreignness(db: Readable): string | null {
  const [{ user_version: version }] = Version.parse(db.prepare('pragma user_version').all())
  if (version > migrations.length) return `was made by a newer Assay (schema ${version}); update Assay to restore it`
  if (version <= 0) return 'holds no data of Assay'
  const part = foreignPart(schemaOf(db), schemaOfVersion(version))
  return part === null ? null : `was changed: its ${part} is not that of schema ${version}`
}

/** Tables that SQLite makes itself, by their whole statements: a name that is reserved can be written into a schema. */
const ofSqlite = ['sqlite_sequence(name,seq)', 'sqlite_stat1(tbl,idx,stat)', 'sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)']

function schemaOf(db: Readable): Schema {
  const own = ofSqlite.map(table => `'CREATE TABLE ${table}'`).join()
  const rows = db.prepare(`select type || ' ' || name as part, sql from sqlite_master where sql not in (${own})`).all()
  return new Map(Parts.parse(rows).map(({ part, sql }) => [part, sql]))
}

/** What the migrations up to a version make. */
function schemaOfVersion(version: number): Schema {
  const db = openDatabase(':memory:')
  try {
    for (const { sql } of migrations.slice(0, version)) for (const statement of statementsOf(sql)) db.prepare(statement).run()
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** A part that only one of two schemas has, or that differs, such as `trigger zz`; null where they are the same. */
function foreignPart(schema: Schema, known: Schema): string | null {
  const parts = [...new Set([...schema.keys(), ...known.keys()])]
  return parts.find(part => schema.get(part) !== known.get(part)) ?? null
}
