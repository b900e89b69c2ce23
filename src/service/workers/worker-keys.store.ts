import type { Worker } from '../../contract/workers/workers.schemas.ts'
import type { Database } from '../../storage/database.ts'

export function insertKey(db: Database, workerId: string, connectionId: string, personId: string, now: string): void {
  db.run(
    db.sql
      .insertInto('worker_keys')
      .values({ worker_id: workerId, connection_id: connectionId, shared_by: personId, shared_at: now })
      .onConflict(known => known.doNothing()),
  )
}

export function deleteKey(db: Database, workerId: string, connectionId: string): void {
  db.run(db.sql.deleteFrom('worker_keys').where('worker_id', '=', workerId).where('connection_id', '=', connectionId))
}

export function keysOf(db: Database, workerId: string): Worker['shared_keys'] {
  return db.all(
    db.sql.selectFrom('worker_keys').select(['connection_id', 'shared_at']).where('worker_id', '=', workerId).orderBy('connection_id'),
  )
}
