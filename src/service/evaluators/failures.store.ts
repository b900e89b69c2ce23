import type { Database } from '../../storage/database.ts'

/** @param failure null: the record is reopened */
export function storeFailure(
  db: Database,
  table: 'calibrations' | 'evaluator_drafts',
  id: string,
  failure: { readonly code: string; readonly message: string } | null,
  now: string | null,
): void {
  db.run(
    db.sql
      .updateTable(table)
      .set({ failure_code: failure?.code ?? null, failure_message: failure?.message ?? null, finished_at: now })
      .where('id', '=', id),
  )
}
