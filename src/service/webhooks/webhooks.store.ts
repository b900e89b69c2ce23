import { sql } from 'kysely'
import { z } from 'zod'
import { JsonObject } from '../../contract/primitives.ts'
import type { WebhookDeliveryStatus } from '../../contract/webhooks/webhook.machine.ts'
import { type Webhook, type WebhookDelivery, WebhookEvent } from '../../contract/webhooks/webhooks.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

const Events = z.array(WebhookEvent)
/** Literally, as the index of deliveries that are due needs it. */
const pending = sql.lit<'pending'>('pending')

export const deliveryColumn = { table: 'webhook_deliveries', column: 'status' } as const

export type WebhookRow = NonNullable<ReturnType<typeof findWebhook>>
export type DeliveryRow = NonNullable<ReturnType<typeof findDelivery>>

export function findWebhook(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))
}

export const eventsOf = ({ events }: Pick<WebhookRow, 'events'>): WebhookEvent[] => Events.parse(JSON.parse(events))

export function insertWebhook(db: Database, row: WebhookRow): void {
  db.run(db.sql.insertInto('webhooks').values(row))
}

/** Everything but the state, which only transitions write. */
export function updateWebhook(db: Database, { status: _, ...row }: WebhookRow): void {
  db.run(db.sql.updateTable('webhooks').set(row).where('id', '=', row.id))
}

export function removeWebhook(db: Database, id: string): void {
  db.run(db.sql.deleteFrom('webhook_deliveries').where('webhook_id', '=', id))
  db.run(db.sql.deleteFrom('webhooks').where('id', '=', id))
}

export function listWebhooks(db: Database, workspaceId: string, { cursor, limit }: PageQuery) {
  const select = db.sql.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId)
  return newestFirst(db, select, 'id', { endpoint: 'listWebhooks', filters: { workspaceId } }, { cursor, limit }, row => toWebhook(db, row))
}

export function toWebhook(db: Database, row: WebhookRow): Webhook {
  const last = db.first(deliveries(db, row.id).orderBy('no', 'desc').limit(1))
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: eventsOf(row),
    allow_private: row.allow_private === 1,
    status: row.status,
    disabled_reason: row.disabled_reason,
    old_secret_until: row.old_secret_until,
    dead_deliveries: countDead(db, row.id),
    last_delivery: last ? toDelivery(last) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Active webhooks of a workspace that want an event. */
export function webhooksFor(db: Database, workspaceId: string, event: WebhookEvent): WebhookRow[] {
  return db
    .all(db.sql.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspaceId).where('status', '=', 'active'))
    .filter(row => eventsOf(row).includes(event))
}

/** Active ones that belong to somebody. */
export function ownedWebhooks(db: Database): (WebhookRow & { readonly owner_id: string })[] {
  const rows = db.all(db.sql.selectFrom('webhooks').selectAll().where('status', '=', 'active'))
  return rows.flatMap(row => (row.owner_id === null ? [] : [{ ...row, owner_id: row.owner_id }]))
}

export function hasWebhooks(db: Database): boolean {
  return db.first(db.sql.selectFrom('webhooks').select('id').limit(1)) !== undefined
}

const deliveries = (db: Database, webhookId: string) =>
  db.sql.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId)

interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  readonly event: WebhookDelivery['event']
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: string
}

export function insertDelivery(db: Database, { id, webhookId, event, payload, at }: NewDelivery): void {
  db.run(
    db.sql.insertInto('webhook_deliveries').values({
      id,
      webhook_id: webhookId,
      event,
      payload: JSON.stringify(payload),
      status: 'pending',
      next_try_at: at,
      http_status: null,
      message: null,
      created_at: at,
      finished_at: null,
    }),
  )
}

export function findDelivery(db: Database, webhookId: string, id: string) {
  return db.first(deliveries(db, webhookId).where('id', '=', id.toLowerCase()))
}

/** Changes everything of a try but the state. */
export function recordTry(
  db: Database,
  id: string,
  change: Pick<DeliveryRow, 'tries' | 'next_try_at' | 'http_status' | 'message' | 'finished_at'>,
): void {
  db.run(db.sql.updateTable('webhook_deliveries').set(change).where('id', '=', id))
}

/** Active webhooks with deliveries that are due, the longest due first. */
export function dueWebhooks(db: Database, now: string, limit: number): WebhookRow[] {
  return db.all(
    db.sql
      .selectFrom('webhooks')
      .innerJoin('webhook_deliveries', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .selectAll('webhooks')
      .where('webhook_deliveries.status', '=', pending)
      .where('webhooks.status', '=', 'active')
      .where('next_try_at', '<=', now)
      .groupBy('webhooks.id')
      .orderBy(({ fn }) => fn.min('next_try_at'))
      .limit(limit),
  )
}

/** The longest due first. */
export function dueDeliveries(db: Database, webhookId: string, now: string, limit: number): DeliveryRow[] {
  return db.all(deliveries(db, webhookId).where('status', '=', pending).where('next_try_at', '<=', now).orderBy('next_try_at').limit(limit))
}

/** Not where it was deleted, given up or sent again by a person since it was read. */
export function waits(db: Database, read: DeliveryRow): boolean {
  const present = findDelivery(db, read.webhook_id, read.id)
  return present?.status === 'pending' && present.tries === read.tries
}

/** Of those that wait all but so many, the newest. */
export function oldestPending(db: Database, webhookId: string, kept: number): DeliveryRow[] {
  return db.all(deliveries(db, webhookId).where('status', '=', pending).orderBy('no', 'desc').limit(-1).offset(kept))
}

export function webhookOf(db: Database, id: string) {
  return db.first(db.sql.selectFrom('webhooks').selectAll().where('id', '=', id))
}

/** @param before deliveries that ended earlier */
export function forgetEnded(db: Database, before: string): void {
  db.run(db.sql.deleteFrom('webhook_deliveries').where('status', 'in', ['delivered', 'dead']).where('finished_at', '<', before))
}

/** Keeps so many of a webhook's dead deliveries, the newest. */
export function forgetOldestDead(db: Database, webhookId: string, kept: number): void {
  const dead = deliveries(db, webhookId).where('status', '=', 'dead')
  const last = db.first(dead.orderBy('no', 'desc').limit(1).offset(kept))
  if (last)
    db.run(
      db.sql.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhookId).where('status', '=', 'dead').where('no', '<=', last.no),
    )
}

export function countWebhooks(db: Database, workspaceId: string): number {
  return Number(
    db.first(
      db.sql
        .selectFrom('webhooks')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('workspace_id', '=', workspaceId),
    )?.count ?? 0,
  )
}

function countDead(db: Database, webhookId: string): number {
  return Number(
    db.first(
      db.sql
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'dead'),
    )?.count ?? 0,
  )
}

export function listDeliveries(
  db: Database,
  webhookId: string,
  { cursor, limit, status }: PageQuery & { readonly status?: WebhookDeliveryStatus | undefined },
) {
  let select = deliveries(db, webhookId)
  if (status) select = select.where('status', '=', status)
  return newestFirst(db, select, 'no', { endpoint: 'listWebhookDeliveries', filters: { webhookId, status } }, { cursor, limit }, toDelivery)
}

export function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event: row.event,
    payload: JsonObject.parse(JSON.parse(row.payload)),
    status: row.status,
    tries: row.tries,
    next_try_at: row.next_try_at,
    http_status: row.http_status,
    message: row.message,
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}

/** Whether a limit is reported now for the first time. */
export function tellOnce(db: Database, workspaceId: string, subject: string, at: string): boolean {
  const { changes } = db.run(
    db.sql
      .insertInto('webhook_budgets')
      .values({ workspace_id: workspaceId, subject, told_at: at })
      .onConflict(conflict => conflict.doNothing()),
  )
  return changes > 0
}

export interface Change {
  readonly no: number
  readonly resource: string
  readonly resource_id: string
  readonly to_state: string
  readonly at: string
}

/** Changes of states after one, oldest first, of what webhooks report. */
export function changesAfter(db: Database, no: number, limit: number): Change[] {
  return db.all(
    db.sql
      .selectFrom('transitions')
      .select(['no', 'resource', 'resource_id', 'to_state', 'at'])
      .where('no', '>', no)
      .orderBy('no')
      .limit(limit),
  )
}

export function lastChange(db: Database): number {
  return db.first(db.sql.selectFrom('transitions').select('no').orderBy('no', 'desc').limit(1))?.no ?? 0
}

/** A run that is not part of another; undefined where there is none. */
export function runOf(db: Database, id: string) {
  return db.first(
    db.sql
      .selectFrom('runs')
      .select(['id', 'workspace_id', 'name', 'status', 'result_version', 'principal_id', 'stop_code', 'stop_message'])
      .where('id', '=', id)
      .where('part_of', 'is', null)
      .where('deleted_at', 'is', null),
  )
}

export function decisionOf(db: Database, id: string) {
  return db.first(db.sql.selectFrom('release_decisions').select(['id', 'workspace_id', 'name']).where('id', '=', id))
}

export function occurrenceOf(db: Database, id: string) {
  return db.first(
    db.sql
      .selectFrom('tune_occurrences')
      .innerJoin('tune_monitors', 'tune_monitors.no', 'tune_occurrences.monitor_no')
      .select([
        'tune_occurrences.id',
        'tune_occurrences.verdict',
        'tune_occurrences.reason',
        'tune_occurrences.run_id',
        'tune_monitors.id as monitor_id',
        'tune_monitors.name',
        'tune_monitors.workspace_id',
        'tune_monitors.no as monitor_no',
      ])
      .where('tune_occurrences.id', '=', id),
  )
}

export function scheduleOf(db: Database, id: string) {
  return db.first(
    db.sql
      .selectFrom('schedules')
      .select(['no', 'id', 'workspace_id', 'name', 'pause_reason', 'pause_message', 'max_monthly_microusd'])
      .where('id', '=', id),
  )
}
