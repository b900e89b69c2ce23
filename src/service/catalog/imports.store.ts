import type { z } from 'zod'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { transition } from '../../storage/transition.ts'

/** The job that works on it tells the rest. */
const StoredRecord = ImportRecord.omit({ status: true, job_id: true, error_code: true }).extend({
  // Records of earlier versions have none of these.
  fetch: ImportRecord.shape.fetch.default(null),
  mapping: ImportRecord.shape.mapping.default(null),
  answer_key: ImportRecord.shape.answer_key.default(null),
})
export type ImportFacts = z.infer<typeof StoredRecord>

export interface StoredImport {
  readonly status: ImportRecord['status']
  readonly facts: ImportFacts
}

export function insertImport(db: Database, workspaceId: string, record: ImportFacts): void {
  db.run(
    db.sql.insertInto('imports').values({
      id: record.id,
      workspace_id: workspaceId,
      status: importMachine.initial,
      record: JSON.stringify(record),
      created_at: record.created_at,
    }),
  )
}

export function findImport(db: Database, workspaceId: string, id: string): StoredImport | null {
  const row = db.first(
    db.sql.selectFrom('imports').select(['status', 'record']).where('id', '=', id).where('workspace_id', '=', workspaceId),
  )
  return row ? { status: row.status, facts: StoredRecord.parse(JSON.parse(row.record)) } : null
}

/** Ends an import and keeps what became of it, in one transaction. */
export function endImport(db: Database, event: keyof typeof importMachine.events, record: ImportFacts, now: string): void {
  db.transaction(() => {
    db.run(
      db.sql
        .updateTable('imports')
        .set({ record: JSON.stringify({ ...record, finished_at: now }) })
        .where('id', '=', record.id),
    )
    transition(db, importMachine, { table: 'imports', column: 'status' }, record.id, event, now)
  })
}

/** Keeps what is known of an import that has not ended. */
export function updateImport(db: Database, record: ImportFacts): void {
  db.run(
    db.sql
      .updateTable('imports')
      .set({ record: JSON.stringify(record) })
      .where('id', '=', record.id),
  )
}

/** A failed import is begun again, in the caller's transaction. */
export function reopenImport(db: Database, record: ImportFacts, now: string): void {
  updateImport(db, { ...record, errors: [], error_count: 0, finished_at: null })
  transition(db, importMachine, { table: 'imports', column: 'status' }, record.id, 'retry', now)
}

/** Imports that were under way when the service stopped. */
export function unfinishedImports(db: Database): ImportFacts[] {
  const rows = db.all(db.sql.selectFrom('imports').select('record').where('status', '=', 'validating'))
  return rows.map(row => StoredRecord.parse(JSON.parse(row.record)))
}
