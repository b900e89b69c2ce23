import { importMachine, ImportRecord } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'
import { transition } from '../../storage/transition.ts'

const StoredRecord = ImportRecord.omit({ status: true }).extend({
  // Records of earlier versions have none of these.
  fetch: ImportRecord.shape.fetch.default(null),
  mapping: ImportRecord.shape.mapping.default(null),
  answer_key: ImportRecord.shape.answer_key.default(null),
})
export type ImportFacts = Omit<ImportRecord, 'status'>

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

export function findImport(db: Database, workspaceId: string, id: string): ImportRecord | null {
  const row = db.first(
    db.sql.selectFrom('imports').select(['status', 'record']).where('id', '=', id).where('workspace_id', '=', workspaceId),
  )
  return row ? { ...StoredRecord.parse(JSON.parse(row.record)), status: row.status } : null
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

/** Imports that were under way when the service stopped. */
export function unfinishedImports(db: Database): ImportFacts[] {
  const rows = db.all(db.sql.selectFrom('imports').select('record').where('status', '=', 'validating'))
  return rows.map(row => StoredRecord.parse(JSON.parse(row.record)))
}
