import { z } from 'zod'
import { Rates } from '../../contract/catalog/models.schemas.ts'
import { Connection, type ConnectionBody, ConnectionCheck, ConnectionLimits } from '../../contract/connections/connections.schemas.ts'
import { RequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import { effortsOf } from '../../engine/clients/efforts.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

/** A connection as stored: the public record and, apart from it, its encrypted secret. */
export interface StoredConnection {
  readonly record: Connection
  readonly secret: Uint8Array | null
  readonly secretOrigin: string | null
  /** Whether a person gave its address. */
  readonly byPerson: boolean
}

export type Fields = Pick<
  Connection,
  | 'name'
  | 'protocol'
  | 'probes'
  | 'base_url'
  | 'model'
  | 'streaming'
  | 'limits'
  | 'request_settings'
  | 'ca_certificates'
  | 'rates'
  | 'has_api_key'
  | 'header_names'
> & {
  readonly secret: Uint8Array | null
  readonly secretOrigin: string | null
  readonly byPerson: boolean
}

const columns = (fields: Fields, now: string) => ({
  name: fields.name,
  protocol: fields.protocol,
  probes: JSON.stringify(fields.probes),
  base_url: fields.base_url,
  model: fields.model,
  streaming: fields.streaming ? (1 as const) : (0 as const),
  limits: JSON.stringify(fields.limits),
  request_settings: JSON.stringify(fields.request_settings),
  ca_certificates: fields.ca_certificates,
  rates: fields.rates ? JSON.stringify(fields.rates) : null,
  secret: fields.secret,
  secret_origin: fields.secretOrigin,
  by_person: fields.byPerson ? (1 as const) : (0 as const),
  has_api_key: fields.has_api_key ? (1 as const) : (0 as const),
  header_names: JSON.stringify(fields.header_names),
  updated_at: now,
})

export function insertConnection(
  db: Database,
  id: string,
  workspaceId: string,
  kind: ConnectionBody['kind'],
  fields: Fields,
  now: string,
): void {
  db.run(
    db.sql
      .insertInto('connections')
      .values({ id, workspace_id: workspaceId, kind, ...columns(fields, now), status: 'unchecked', last_check: null, created_at: now }),
  )
}

export function updateConnection(db: Database, id: string, fields: Fields, now: string): void {
  db.run(
    db.sql
      .updateTable('connections')
      .set({ ...columns(fields, now), last_check: null })
      .where('id', '=', id),
  )
}

/** What a check found stays. */
export function renameConnection(db: Database, id: string, name: string, now: string): void {
  db.run(db.sql.updateTable('connections').set({ name, updated_at: now }).where('id', '=', id))
}

export function storeCheck(db: Database, id: string, check: ConnectionCheck): void {
  db.run(
    db.sql
      .updateTable('connections')
      .set({ last_check: JSON.stringify(check) })
      .where('id', '=', id),
  )
}

export function forgetSecret(db: Database, id: string, now: string): void {
  db.run(
    db.sql
      .updateTable('connections')
      .set({ secret: null, secret_origin: null, has_api_key: 0, header_names: '[]', updated_at: now })
      .where('id', '=', id),
  )
}

const selectAll = (db: Database) => db.sql.selectFrom('connections').selectAll()
type Row = ReturnType<typeof rowOf>
const rowOf = (db: Database, workspaceId: string, id: string) =>
  db.first(selectAll(db).where('workspace_id', '=', workspaceId).where('id', '=', id))

export function findConnection(db: Database, workspaceId: string, id: string): StoredConnection | null {
  const row = rowOf(db, workspaceId, id)
  return row ? { record: toRecord(row), secret: row.secret, secretOrigin: row.secret_origin, byPerson: row.by_person === 1 } : null
}

export function listConnections(db: Database, workspaceId: string, query: PageQuery) {
  const listing: Listing = { endpoint: 'listConnections', filters: { workspaceId } }
  const [after] = query.cursor ? decodeCursor(listing, query.cursor, 1) : [null]
  let select = selectAll(db)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
  if (after !== null) select = select.where('id', '<', String(after))
  return toPage(db.all(select), query.limit, listing, row => [row.id], toRecord)
}

/** Every connection that is not disabled. */
export function usableConnections(db: Database, workspaceId: string): Connection[] {
  return db.all(selectAll(db).where('workspace_id', '=', workspaceId).where('status', '!=', 'disabled').orderBy('id', 'desc')).map(toRecord)
}

const HeaderNames = z.array(z.string())

function toRecord(row: NonNullable<Row>): Connection {
  const lastCheck = row.last_check === null ? null : ConnectionCheck.parse(JSON.parse(row.last_check))
  return Connection.parse({
    id: row.id,
    kind: row.kind,
    name: row.name,
    protocol: row.protocol,
    probes: JSON.parse(row.probes),
    capabilities: [
      row.protocol === 'openai_embeddings' ? 'embeddings' : 'chat',
      ...(lastCheck?.capabilities ?? []).flatMap(({ capability, verified }) => (verified ? [capability] : [])),
    ],
    base_url: row.base_url,
    model: row.model,
    streaming: row.streaming === 1,
    has_api_key: row.has_api_key === 1,
    header_names: HeaderNames.parse(JSON.parse(row.header_names)),
    limits: ConnectionLimits.parse(JSON.parse(row.limits)),
    request_settings: RequestSettings.parse(JSON.parse(row.request_settings)),
    ca_certificates: row.ca_certificates,
    efforts: effortsOf[row.protocol],
    rates: row.rates === null ? null : Rates.parse(JSON.parse(row.rates)),
    status: row.status,
    last_check: lastCheck,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

export function sealedSecrets(db: Database, workspaceId: string): { id: string; baseUrl: string; secret: Uint8Array }[] {
  const rows = db.all(db.sql.selectFrom('connections').select(['id', 'base_url', 'secret']).where('workspace_id', '=', workspaceId))
  return rows.flatMap(({ id, base_url, secret }) => (secret === null ? [] : [{ id, baseUrl: base_url, secret }]))
}
