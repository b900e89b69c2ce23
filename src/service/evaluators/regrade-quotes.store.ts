import { RegradeQuote } from '../../contract/runs/runs.schemas.ts'
import type { Database } from '../../storage/database.ts'

export function insertRegradeQuote(db: Database, workspaceId: string, runNo: number, quote: RegradeQuote): void {
  db.run(
    db.sql.insertInto('regrade_quotes').values({
      id: quote.id,
      workspace_id: workspaceId,
      run_no: runNo,
      evaluator_version_id: quote.evaluator_version_id,
      record: JSON.stringify(quote),
      created_at: quote.created_at,
      expires_at: quote.expires_at,
    }),
  )
}

export function findRegradeQuote(
  db: Database,
  workspaceId: string,
  runNo: number,
  id: string,
): { readonly quote: RegradeQuote; readonly used: boolean } | null {
  const row = db.first(
    db.sql
      .selectFrom('regrade_quotes')
      .select(['record', 'used_at'])
      .where('id', '=', id.toLowerCase())
      .where('workspace_id', '=', workspaceId)
      .where('run_no', '=', runNo),
  )
  return row ? { quote: RegradeQuote.parse(JSON.parse(row.record)), used: row.used_at !== null } : null
}

export function markRegradeQuoteUsed(db: Database, id: string, now: string): void {
  db.run(db.sql.updateTable('regrade_quotes').set({ used_at: now }).where('id', '=', id.toLowerCase()))
}
