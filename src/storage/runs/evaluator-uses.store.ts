import type { Database } from '../database.ts'

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Notes the evaluators that a record names, in the case in which their ids were sent, so that none is deleted while the record is there. */
export function noteEvaluators(db: Database, user: { readonly quoteId: string } | { readonly runNo: number }, record: string): void {
  const named = new Set(Array.from(record.matchAll(uuid), ([id]) => id.toLowerCase()))
  db.prepare(
    `insert or ignore into evaluator_uses (version_id, quote_id, run_no)
       select id, ?, ? from evaluator_versions where id in (select value from json_each(?))`,
  ).run('quoteId' in user ? user.quoteId : null, 'runNo' in user ? user.runNo : null, JSON.stringify([...named]))
}
