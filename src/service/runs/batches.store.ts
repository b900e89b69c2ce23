import type { BatchStore } from '../../engine/clients/batches/batch-lane.ts'
import type { RunBatch } from '../../contract/runs/runs.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { type Kernel, timestamp } from '../kernel.ts'

export function createBatchStore({ db, clock }: Pick<Kernel, 'db' | 'clock'>, runNo: number): BatchStore {
  return {
    batchOf: item => {
      const found = db.first(
        db.sql
          .selectFrom('batch_items')
          .innerJoin('batches', 'batches.token', 'batch_items.token')
          .select(['batches.token', 'batches.provider_id'])
          .where('batch_items.run_no', '=', runNo)
          .where('item', '=', item),
      )
      return found ? { token: found.token, providerId: found.provider_id } : null
    },
    begin: (token, items) =>
      db.transaction(() => {
        const at = timestamp(clock)
        db.run(
          db.sql.insertInto('batches').values({ token, run_no: runNo, provider_id: null, state: 'begun', created_at: at, ended_at: null }),
        )
        const insert = db.prepare('insert into batch_items (run_no, item, token) values (?, ?, ?)')
        for (const item of items) insert.run(runNo, item, token)
      }),
    submitted: (token, providerId) => {
      db.run(db.sql.updateTable('batches').set({ provider_id: providerId, state: 'submitted' }).where('token', '=', token))
    },
    ended: token => {
      db.run(
        db.sql
          .updateTable('batches')
          .set({ state: 'ended', ended_at: timestamp(clock) })
          .where('token', '=', token),
      )
    },
    forget: token =>
      db.transaction(() => {
        db.run(db.sql.deleteFrom('batch_items').where('token', '=', token))
        db.run(db.sql.deleteFrom('batches').where('token', '=', token))
      }),
  }
}

/** Oldest first. */
export function listBatches(db: Database, runNo: number): RunBatch[] {
  return db
    .all(
      db.sql
        .selectFrom('batches')
        .leftJoin('batch_items', 'batch_items.token', 'batches.token')
        .select(({ fn }) => [
          'batches.provider_id',
          'batches.state',
          'batches.created_at',
          'batches.ended_at',
          fn.count<number>('batch_items.item').as('calls'),
        ])
        .where('batches.run_no', '=', runNo)
        .groupBy('batches.token')
        .orderBy('batches.created_at'),
    )
    .map(({ provider_id, state, created_at, ended_at, calls }) => ({ provider_batch_id: provider_id, state, calls, created_at, ended_at }))
}
