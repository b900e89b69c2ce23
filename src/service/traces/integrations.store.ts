import { sql } from 'kysely'
import {
  Backfill,
  type ProviderSlot,
  TraceIntegration,
  type TraceIntegration as Integration,
} from '../../contract/traces/integrations.schemas.ts'
import { adapterOf } from '../../engine/clients/tracing/adapters.ts'
import { BackfillPlace, type Project, type ProviderName } from '../../engine/clients/tracing/trace-adapter.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type PageQuery, toPage } from '../../storage/keyset.ts'

/** An integration as stored: its public record and, apart from it, its secret and its place. */
export interface StoredIntegration {
  readonly record: Integration
  readonly workspaceId: string
  readonly provider: ProviderName
  readonly allowPrivate: boolean
  readonly secret: Uint8Array | null
  readonly secretOrigin: string | null
  readonly place: BackfillPlace | null
  readonly nextWindowAt: string | null
}

export interface NewIntegration {
  readonly id: string
  readonly workspaceId: string
  readonly slot: ProviderSlot
  readonly provider: ProviderName
  readonly name: string
  readonly baseUrl: string
  readonly project: Project
  readonly allowPrivate: boolean
  readonly secret: Uint8Array
  readonly secretOrigin: string
  readonly hint: string
}

export function insertIntegration(db: Database, given: NewIntegration, now: string): void {
  db.run(
    db.sql.insertInto('trace_integrations').values({
      id: given.id,
      workspace_id: given.workspaceId,
      slot: given.slot,
      provider: given.provider,
      name: given.name,
      base_url: given.baseUrl,
      project_id: given.project.id,
      project_name: given.project.name,
      project_workspace: given.project.workspace ?? null,
      allow_private: given.allowPrivate ? 1 : 0,
      secret: given.secret,
      secret_origin: given.secretOrigin,
      credential_hint: given.hint,
      status: 'connected',
      backfill: null,
      place: null,
      next_window_at: null,
      last_error: null,
      deprecation: null,
      job_id: null,
      created_at: now,
      updated_at: now,
    }),
  )
}

/** The id of an integration of this project that is not disconnected. */
export function findLive(db: Database, of: Pick<NewIntegration, 'workspaceId' | 'provider' | 'baseUrl' | 'project'>): string | null {
  const row = db.first(
    db.sql
      .selectFrom('trace_integrations')
      .select('id')
      .where('workspace_id', '=', of.workspaceId)
      .where('provider', '=', of.provider)
      .where('base_url', '=', of.baseUrl)
      .where('project_id', '=', of.project.id)
      // Literally, as the index needs it.
      .where('status', '!=', sql.lit<'disconnected'>('disconnected')),
  )
  return row?.id ?? null
}

/** What may change of an integration beside its status. */
export interface IntegrationChange {
  readonly secret?: { readonly cipher: Uint8Array; readonly origin: string; readonly hint: string } | null
  readonly backfill?: Backfill
  readonly place?: BackfillPlace | null
  readonly nextWindowAt?: string | null
  readonly lastError?: Integration['last_error']
  readonly deprecation?: Integration['deprecation']
  readonly jobId?: string
}

export function changeIntegration(db: Database, id: string, change: IntegrationChange, now: string): void {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const { secret, backfill, place, nextWindowAt, lastError, deprecation, jobId } = change
  db.run(
    db.sql
      .updateTable('trace_integrations')
      .set({
        updated_at: now,
        ...(secret === undefined
          ? {}
          : { secret: secret?.cipher ?? null, secret_origin: secret?.origin ?? null, credential_hint: secret?.hint ?? null }),
        ...(backfill === undefined ? {} : { backfill: json(backfill) }),
        ...(place === undefined ? {} : { place: json(place) }),
        ...(nextWindowAt === undefined ? {} : { next_window_at: nextWindowAt }),
        ...(lastError === undefined ? {} : { last_error: json(lastError) }),
        ...(deprecation === undefined ? {} : { deprecation: json(deprecation) }),
        ...(jobId === undefined ? {} : { job_id: jobId }),
      })
      .where('id', '=', id),
  )
}

const selectAll = (db: Database) => db.sql.selectFrom('trace_integrations').selectAll()
type Row = NonNullable<ReturnType<typeof rowOf>>
const rowOf = (db: Database, id: string) => db.first(selectAll(db).where('id', '=', id))

export function findIntegration(db: Database, id: string): StoredIntegration | null {
  const row = rowOf(db, id)
  return row ? toStored(row) : null
}

export function listIntegrations(db: Database, workspaceId: string, query: PageQuery) {
  const listing = { endpoint: 'listTraceIntegrations', filters: { workspaceId } }
  const [after] = query.cursor ? decodeCursor(listing, query.cursor, 1) : [null]
  let select = selectAll(db)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
  if (after !== null) select = select.where('id', '<', String(after))
  return toPage(
    db.all(select),
    query.limit,
    listing,
    row => [row.id],
    row => toStored(row).record,
  )
}

/** Those of a workspace that have credentials. */
export function withCredentials(db: Database, workspaceId: string): StoredIntegration[] {
  return db.all(selectAll(db).where('workspace_id', '=', workspaceId).where('secret', 'is not', null)).map(toStored)
}

/** Connected integrations whose next window is due. */
export function dueIntegrations(db: Database, now: string): StoredIntegration[] {
  return db.all(selectAll(db).where('next_window_at', '<=', now).where('status', '=', 'connected').limit(20)).map(toStored)
}

function toStored(row: Row): StoredIntegration {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  const record = TraceIntegration.parse({
    id: row.id,
    provider: row.slot,
    provider_name: adapterOf(row.provider).title,
    name: row.name,
    project: {
      id: row.project_id,
      name: row.project_name,
      ...(row.project_workspace === null ? {} : { workspace: row.project_workspace }),
    },
    base_url: row.base_url,
    status: row.status,
    credential_hint: row.credential_hint,
    backfill: parsed(row.backfill),
    last_error: parsed(row.last_error),
    deprecation: parsed(row.deprecation),
    job_id: row.job_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
  return {
    record,
    workspaceId: row.workspace_id,
    provider: row.provider,
    allowPrivate: row.allow_private === 1,
    secret: row.secret,
    secretOrigin: row.secret_origin,
    place: row.place === null ? null : BackfillPlace.parse(parsed(row.place)),
    nextWindowAt: row.next_window_at,
  }
}
