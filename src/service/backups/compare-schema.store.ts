import { z } from 'zod'
import { type Database, openDatabase } from '../../storage/database.ts'
import { statementsOf } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/migrations.ts'

const Parts = z.array(z.object({ part: z.string(), sql: z.string() }))
/** By kind and name, each with its statement. */
export type Schema = ReadonlyMap<string, string>

/** Without what SQLite makes itself, such as statistics. */
export function schemaOf(db: Database): Schema {
  const rows = db
    .prepare(
      `select type || ' ' || name as part, sql from sqlite_master where sql is not null and not (type = 'table' and name glob 'sqlite_*')`,
    )
    .all()
  return new Map(Parts.parse(rows).map(({ part, sql }) => [part, sql]))
}

/** What the migrations up to a version make. */
export function schemaOfVersion(version: number): Schema {
  const db = openDatabase(':memory:')
  try {
    for (const { sql } of migrations.slice(0, version)) for (const statement of statementsOf(sql)) db.prepare(statement).run()
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** A part that only one of two schemas has, or that differs, such as `trigger zz`; null where they are the same. */
export function foreignPart(schema: Schema, known: Schema): string | null {
  const parts = [...new Set([...schema.keys(), ...known.keys()])]
  return parts.find(part => schema.get(part) !== known.get(part)) ?? null
}
