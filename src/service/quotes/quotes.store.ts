import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { noteEvaluators } from '../../storage/runs/evaluator-uses.store.ts'

export type StoredQuote = Omit<Quote, 'status'>

const Stored = Quote.omit({ status: true })
const TaskNumbers = z.array(z.array(z.int()))

export function insertQuote(db: Database, workspaceId: string, quote: StoredQuote, taskNumbers: readonly (readonly number[])[]): void {
  const record = JSON.stringify(quote)
  db.run(
    db.sql.insertInto('quotes').values({
      id: quote.id,
      workspace_id: workspaceId,
      created_at: quote.created_at,
      expires_at: quote.expires_at,
      record,
      task_numbers: zstdCompressSync(JSON.stringify(taskNumbers)),
    }),
  )
  noteEvaluators(db, { quoteId: quote.id }, record)
}

/** Deletes quotes that expired before a time and that no run was submitted from, at most `limit`. */
export function deleteUnusedQuotes(db: Database, expiredBefore: string, limit: number): void {
  db.prepare(
    `delete from quotes where id in (select q.id from quotes q
     where q.expires_at < ? and not exists (select 1 from runs r where r.quote_id = q.id) order by q.expires_at limit ?)`,
  ).run(expiredBefore, limit)
}

export function findQuote(db: Database, workspaceId: string, id: string): StoredQuote | null {
  const row = db.first(db.sql.selectFrom('quotes').select('record').where('workspace_id', '=', workspaceId).where('id', '=', id))
  return row ? Stored.parse(JSON.parse(row.record)) : null
}

/** Numbers of the frozen tasks by profile. */
export function frozenTaskNumbers(db: Database, id: string): number[][] {
  const row = db.first(db.sql.selectFrom('quotes').select('task_numbers').where('id', '=', id))
  return row ? TaskNumbers.parse(JSON.parse(zstdDecompressSync(row.task_numbers).toString('utf8'))) : []
}
