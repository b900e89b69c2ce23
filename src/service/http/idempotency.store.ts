import type { Database } from '../../storage/database.ts'

interface OperationRow {
  readonly principalId: string
  readonly operation: string
  readonly key: string
  readonly bodyDigest: string
  readonly createdAt: string
}

type Identity = Pick<OperationRow, 'principalId' | 'operation' | 'key'>

export function findOperation(db: Database, { principalId, operation, key }: Identity) {
  return db.first(
    db.sql
      .selectFrom('idempotency')
      .select(['body_digest', 'body'])
      .where('principal_id', '=', principalId)
      .where('operation', '=', operation)
      .where('key', '=', key),
  )
}

export function beginOperation(db: Database, row: OperationRow): void {
  db.run(
    db.sql.insertInto('idempotency').values({
      principal_id: row.principalId,
      operation: row.operation,
      key: row.key,
      body_digest: row.bodyDigest,
      status: null,
      body: null,
      created_at: row.createdAt,
    }),
  )
}

export function finishOperation(db: Database, { principalId, operation, key }: Identity, body: string): void {
  db.run(
    db.sql
      .updateTable('idempotency')
      .set({ status: 1, body })
      .where('principal_id', '=', principalId)
      .where('operation', '=', operation)
      .where('key', '=', key),
  )
}

export function forgetOperation(db: Database, { principalId, operation, key }: Identity): void {
  db.run(db.sql.deleteFrom('idempotency').where('principal_id', '=', principalId).where('operation', '=', operation).where('key', '=', key))
}

/** At start: requests that a stop cut off may be sent again, and answers older than `before` are forgotten. */
export function tidyOperations(db: Database, before: string): void {
  // One by one, each by its index.
  db.run(db.sql.deleteFrom('idempotency').where('body', 'is', null))
  db.run(db.sql.deleteFrom('idempotency').where('created_at', '<', before))
}
