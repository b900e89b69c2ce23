import { z } from 'zod'
import { connectionMachine } from '../../contract/connections/connection.machine.ts'
import { remoteScorerMachine } from '../../contract/evaluators/remote-scorer.machine.ts'
import { scheduleMachine } from '../../contract/schedules/schedule.machine.ts'
import { tuneMonitorMachine } from '../../contract/tuning/monitor.machine.ts'
import { webhookMachine } from '../../contract/webhooks/webhook.machine.ts'
import type { Database } from '../../storage/database.ts'
import { transition } from '../../storage/transition.ts'

const Ids = z.array(z.string())
const why = 'A backup was restored, and this had ended or was stopped since it was made.'

/**
 * What spends, or tells others, is active afterwards only where it is now: a schedule that was paused does not begin again by itself. In a
 * transaction, with the present database attached.
 * @param shared columns of a table that both databases have
 */
export function carryEnds(db: Database, now: string, shared: (table: string) => readonly string[]): void {
  /** Active rows that the present database does not have active, as they are. */
  const others = (table: string, same: readonly string[]): string[] => {
    if (![...same, 'status'].every(column => shared(table).includes(column))) return []
    const alike = same.map(column => `p.${column} = ${table}.${column}`).join(' and ')
    return Ids.parse(
      db
        .prepare(
          `select id from ${table} where status = 'active' and not exists (select 1 from present.${table} p where p.status = 'active' and ${alike})`,
        )
        .pluck()
        .all(),
    )
  }
  for (const id of others('schedules', ['id'])) {
    transition(db, scheduleMachine, { table: 'schedules', column: 'status' }, id, 'pause', now, why)
    db.prepare(`update schedules set next_run_at = null, pause_reason = 'person', pause_message = ? where id = ?`).run(why, id)
  }
  for (const id of others('tune_monitors', ['id'])) {
    transition(db, tuneMonitorMachine, { table: 'tune_monitors', column: 'status' }, id, 'pause', now, why)
    db.prepare('update tune_monitors set next_run_at = null where id = ?').run(id)
  }
  for (const id of others('webhooks', ['id', 'url', 'allow_private'])) {
    transition(db, webhookMachine, { table: 'webhooks', column: 'status' }, id, 'disable', now, why)
    db.prepare('update webhooks set disabled_reason = ? where id = ?').run(why, id)
  }
  for (const id of others('remote_scorers', ['id', 'url']))
    transition(db, remoteScorerMachine, { table: 'remote_scorers', column: 'status' }, id, 'disable', now, why)
  if (shared('runs').includes('pause_code'))
    db.prepare(
      `update runs set pause_code = 'paused', pause_message = ?, paused_at = ? where status in ('queued', 'running')
       and not exists (select 1 from present.runs p where p.id = runs.id and p.status in ('queued', 'running') and p.pause_code is null)`,
    ).run(why, now)
  // The next start ends them, with what each was about.
  if (shared('jobs').includes('error_code'))
    db.prepare(
      `update jobs set error_code = 'restored' where state in ('queued', 'running') and workspace_id is not null
       and not exists (select 1 from present.jobs p where p.id = jobs.id and p.state in ('queued', 'running'))`,
    ).run()
  // A connection is disabled for good, so only one that is disabled now.
  const disabled = Ids.parse(
    db
      .prepare(
        `select c.id from connections c join present.connections p on p.id = c.id where p.status = 'disabled' and c.status <> 'disabled'`,
      )
      .pluck()
      .all(),
  )
  for (const id of disabled) transition(db, connectionMachine, { table: 'connections', column: 'status' }, id, 'disable', now, why)
}

/** What has come since the backup does not come again. In the same transaction. */
export function carryTimes(db: Database, shared: (table: string) => readonly string[]): void {
  for (const table of ['schedules', 'tune_monitors'].filter(name => shared(name).includes('next_run_at')))
    db.prepare(
      `update ${table} set next_run_at = p.next_run_at from present.${table} p where p.id = ${table}.id and p.next_run_at > ${table}.next_run_at`,
    ).run()
}

/** Limits, what they are computed from, and what is removed by rule are those of now. In the same transaction. */
export function carryLimits(db: Database, shared: (table: string) => readonly string[]): void {
  if (shared('schedules').includes('max_monthly_microusd'))
    db.prepare(
      'update schedules set max_monthly_microusd = p.max_monthly_microusd from present.schedules p where p.id = schedules.id',
    ).run()
  db.prepare(
    `update connections set rates = p.rates from present.connections p
     where p.id = connections.id and p.base_url = connections.base_url and p.model = connections.model`,
  ).run()
  const rules = shared('retention_rules').join(', ')
  if (rules === '') return
  db.prepare('delete from retention_rules').run()
  db.prepare(
    `insert into retention_rules (${rules}) select ${rules} from present.retention_rules where workspace_id in (select workspace_id from members)`,
  ).run()
}
