import { z } from 'zod'
import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

const Row = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.string(),
  worker_labels: z.string().nullable(),
  origin: z.enum(['local', 'created']),
  /** Of the meter. */
  ceiling_microusd: z.int().nullable(),
  provider_ceiling_microusd: z.int().nullable(),
  meter_id: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  stops_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  replaces: z.string().nullable(),
  replaced_by: z.string().nullable(),
})
export type KeyRow = z.infer<typeof Row>

const select = `select k.id, k.name, k.prefix, k.scopes, k.worker_labels, k.origin, m.ceiling_microusd, m.provider_ceiling_microusd, m.id as meter_id, k.created_at, k.expires_at, k.stops_at, k.revoked_at,
  k.last_used_at, k.replaces, (select r.id from api_keys r where r.replaces = k.id) as replaced_by
  from api_keys k join api_keys m on m.id = coalesce(k.meter_id, k.id)`

export function findKeyRow(db: Database, workspaceId: string, id: string): KeyRow | null {
  const row = db.prepare(`${select} where k.workspace_id = ? and k.id = ?`).get(workspaceId, id.toLowerCase())
  return row === undefined ? null : Row.parse(row)
}

/** Id of the person who made a key, or the key that it was made or rolled with; null: not known. */
export function makerOf(db: Database, id: string): string | null {
  return db.first(db.sql.selectFrom('api_keys').select('made_by').where('id', '=', id))?.made_by ?? null
}

export function listKeys(db: Database, workspaceId: string, { cursor, limit }: PageQuery, now: string) {
  const listing: Listing = { endpoint: 'listApiKeys', filters: { workspaceId } }
  const before = cursor ? String(decodeCursor(listing, cursor, 1)[0]) : '~'
  const rows = db.prepare(`${select} where k.workspace_id = ? and k.id < ? order by k.id desc limit ?`).all(workspaceId, before, limit + 1)
  return toPage(
    rows.map(row => Row.parse(row)),
    limit,
    listing,
    row => [row.id],
    row => toApiKey(row, spendingOf(db, row.meter_id), now),
  )
}

export interface NewKeyRow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly tokenHash: string
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly workerLabels: readonly string[] | null
  readonly ceiling: bigint | null
  readonly providerCeiling: bigint | null
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly replaces: string | null
  readonly meterId: string | null
  /** Id of a person; null: not known. */
  readonly madeBy: string | null
}

export function insertKey(db: Database, key: NewKeyRow): void {
  db.run(
    db.sql.insertInto('api_keys').values({
      id: key.id,
      workspace_id: key.workspaceId,
      name: key.name,
      token_hash: key.tokenHash,
      prefix: key.prefix,
      scopes: JSON.stringify(key.scopes),
      worker_labels: key.workerLabels && JSON.stringify(key.workerLabels),
      ceiling_microusd: key.ceiling === null ? null : Number(key.ceiling),
      provider_ceiling_microusd: key.providerCeiling === null ? null : Number(key.providerCeiling),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
      replaces: key.replaces,
      meter_id: key.meterId,
      made_by: key.madeBy,
    }),
  )
}

/** Whatever is undefined in either stays as it is. */
export function setCeilings(db: Database, meterId: string, { wallet, provider }: Partial<Ceilings>): void {
  const changes = {
    ...(wallet === undefined ? {} : { ceiling_microusd: wallet === null ? null : Number(wallet) }),
    ...(provider === undefined ? {} : { provider_ceiling_microusd: provider === null ? null : Number(provider) }),
  }
  if (Object.keys(changes).length > 0) db.run(db.sql.updateTable('api_keys').set(changes).where('id', '=', meterId))
}

export function markRevoked(db: Database, id: string, at: string): void {
  db.run(db.sql.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null))
}

export function markStops(db: Database, id: string, at: string): void {
  db.run(db.sql.updateTable('api_keys').set({ stops_at: at }).where('id', '=', id))
}

/** Micro-USD; null: no limit. */
export interface Ceilings {
  readonly wallet: bigint | null
  readonly provider: bigint | null
}

export interface Spending {
  readonly spent: bigint
  readonly held: bigint
}

const SpendingRow = z.object({ spent: z.int(), held: z.int(), billed: z.int(), provider_held: z.int() })

/**
 * What the keys of one meter have spent and have set aside: the runs themselves keep that, charged once per attempt, so nothing can drift from
 * it. Of runs that a restore took away, the restore kept the sum.
 */
export function spendingOf(db: Database, meterId: string): Readonly<Record<keyof Ceilings, Spending>> {
  const row = SpendingRow.parse(
    db
      .prepare(
        `with spending as (
           select principal_id, charged_microusd, held_microusd, billed_microusd, provider_held_microusd from runs
           union all select principal_id, charged_microusd, held_microusd, billed_microusd, provider_held_microusd from judge_budgets where owner_kind <> 'run'
           union all select owner_id, spent_microusd, 0, billed_microusd, 0 from carried_spending)
         select coalesce(sum(charged_microusd), 0) as spent, coalesce(sum(max(held_microusd - charged_microusd, 0)), 0) as held,
           coalesce(sum(billed_microusd), 0) as billed, coalesce(sum(max(provider_held_microusd - billed_microusd, 0)), 0) as provider_held
         from spending where principal_id in (select id from api_keys where id = ? or meter_id = ?)`,
      )
      .get(meterId, meterId),
  )
  return {
    wallet: { spent: BigInt(row.spent), held: BigInt(row.held) },
    provider: { spent: BigInt(row.billed), held: BigInt(row.provider_held) },
  }
}

const MeterRow = z.object({ id: z.string(), ceiling_microusd: z.int().nullable(), provider_ceiling_microusd: z.int().nullable() })

/** The meter of a key; null when the principal is not a key. */
export function meterOf(db: Database, principalId: string): { readonly id: string; readonly ceilings: Ceilings } | null {
  const row = db
    .prepare(
      'select m.id, m.ceiling_microusd, m.provider_ceiling_microusd from api_keys k join api_keys m on m.id = coalesce(k.meter_id, k.id) where k.id = ?',
    )
    .get(principalId)
  if (row === undefined) return null
  const meter = MeterRow.parse(row)
  return { id: meter.id, ceilings: ceilingsOf(meter) }
}

export function ceilingsOf(row: Pick<KeyRow, 'ceiling_microusd' | 'provider_ceiling_microusd'>): Ceilings {
  const { ceiling_microusd: wallet, provider_ceiling_microusd: provider } = row
  return { wallet: wallet === null ? null : BigInt(wallet), provider: provider === null ? null : BigInt(provider) }
}

export function toApiKey(row: KeyRow, { wallet, provider }: ReturnType<typeof spendingOf>, now: string): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row),
    worker_labels: workerLabelsOf(row),
    status: statusOf(row, now),
    ceiling_microusd: row.ceiling_microusd === null ? null : String(row.ceiling_microusd),
    spent_microusd: String(wallet.spent),
    held_microusd: String(wallet.held),
    provider_ceiling_microusd: row.provider_ceiling_microusd === null ? null : String(row.provider_ceiling_microusd),
    provider_spent_microusd: String(provider.spent),
    provider_held_microusd: String(provider.held),
    created_at: row.created_at,
    expires_at: row.expires_at,
    stops_at: row.stops_at,
    revoked_at: row.revoked_at,
    last_used_at: row.last_used_at,
    replaces: row.replaces,
    replaced_by: row.replaced_by,
  }
}

const StoredScopes = z.array(z.string())

/** Those that this version knows. */
export function scopesOf(row: Pick<KeyRow, 'scopes'>): Scope[] {
  const stored = StoredScopes.parse(JSON.parse(row.scopes))
  return scopes.filter(scope => stored.includes(scope))
}

/** Null: any. */
export function workerLabelsOf({ worker_labels }: Pick<KeyRow, 'worker_labels'>): string[] | null {
  return worker_labels === null ? null : StoredScopes.parse(JSON.parse(worker_labels))
}

/** Labels that an owner granted to a key's workers; null: any. */
export function grantedLabels(db: Database, keyId: string): readonly string[] | null {
  const row = db.first(db.sql.selectFrom('api_keys').select('worker_labels').where('id', '=', keyId))
  return row ? workerLabelsOf(row) : []
}

export function setWorkerLabels(db: Database, id: string, labels: readonly string[]): void {
  db.run(
    db.sql
      .updateTable('api_keys')
      .set({ worker_labels: JSON.stringify(labels) })
      .where('id', '=', id),
  )
}

export function statusOf(row: Pick<KeyRow, 'revoked_at' | 'expires_at' | 'stops_at'>, now: string): ApiKey['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.stops_at !== null && row.stops_at <= now ? 'replaced' : 'active'
}
