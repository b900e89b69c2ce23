import type { FailureCode, PauseCode } from '../../contract/runs/failure-codes.ts'
import type { Outage } from '../../engine/execution/scheduler/circuit-breaker.ts'
import type { OutageStore } from '../../engine/execution/scheduler/ports.ts'
import type { Database } from '../../storage/database.ts'

export interface StoredPause {
  readonly code: PauseCode
  readonly message: string
  readonly at: string
}

/** @param pause null: the run is executed again */
export function setPause(db: Database, runNo: number, pause: StoredPause | null): void {
  const columns = { pause_code: pause?.code ?? null, pause_message: pause?.message ?? null, paused_at: pause?.at ?? null }
  db.run(db.sql.updateTable('runs').set(columns).where('no', '=', runNo))
}

/** Runs of the machine that wait because executing them failed. */
export function countPaused(db: Database): number {
  return (
    db.first(
      db.sql
        .selectFrom('runs')
        .select(e => e.fn.countAll<number>().as('n'))
        .where('pause_code', '=', 'internal_error'),
    )?.n ?? 0
  )
}

/** @param attempt runs a write that may be left undone when storage fails */
export function createOutageStore(db: Database, attempt: (write: () => void) => void): OutageStore {
  return {
    find: endpoint => {
      const row = db.first(db.sql.selectFrom('endpoint_outages').selectAll().where('endpoint', '=', endpoint))
      return row ? { since: row.since, code: row.code, message: row.message } : null
    },
    save: (endpoint, outage) =>
      attempt(() => {
        if (outage === null) db.run(db.sql.deleteFrom('endpoint_outages').where('endpoint', '=', endpoint))
        else
          db.run(
            db.sql
              .insertInto('endpoint_outages')
              .values(toRow(endpoint, outage))
              .onConflict(c => c.column('endpoint').doUpdateSet(toRow(endpoint, outage))),
          )
      }),
  }
}

function toRow(
  endpoint: string,
  { since, code, message }: Outage,
): { endpoint: string; since: number; code: FailureCode; message: string } {
  return { endpoint, since, code, message }
}
