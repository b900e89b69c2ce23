import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import type { ApiKey, CreatedApiKey, KeyCeilingBody, NewApiKeyBody, RollOverlap } from '../../contract/keys/keys.schemas.ts'
import { illegalTransition } from '../../contract/machine.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { requireLimitSetter, requireRole, hashToken, newToken, type Principal, scopesIn } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { ceilingsOfNewKey, requireWithin, type KeyPowers, requireRevocable } from './key-powers.ts'
import {
  type Ceilings,
  ceilingsOf,
  findKeyRow,
  insertKey,
  type KeyRow,
  listKeys,
  makerOf,
  markRevoked,
  markStops,
  meterOf,
  scopesOf,
  setCeilings,
  setWorkerLabels,
  spendingOf,
  statusOf,
  toApiKey,
  workerLabelsOf,
} from './keys.store.ts'

const none: Ceilings = { wallet: null, provider: null }
const hour = 3600 * 1000
const overlaps: Readonly<Record<RollOverlap, number>> = { none: 0, '1h': hour, '24h': 24 * hour, '7d': 7 * 24 * hour }

export interface Keys {
  list(workspaceId: string, query: PageQuery): { items: ApiKey[]; next_cursor: string | null }
  create(asker: Asker, body: NewApiKeyBody): CreatedApiKey
  setCeilings(asker: Asker, id: string, body: KeyCeilingBody): ApiKey
  revoke(asker: Asker, id: string): ApiKey
  roll(asker: Asker, id: string, overlap: RollOverlap): CreatedApiKey
}

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly workerLabels: readonly string[] | null
  readonly expiresAt: string | null
  readonly ceilings: Ceilings
  readonly replaces: string | null
  readonly meterId: string | null
}

export function createKeys({ db, clock, ids }: Kernel): Keys {
  const rowOf = (workspaceId: string, id: string): KeyRow => requireFound(findKeyRow(db, workspaceId, id), 'key', id)
  const read = (workspaceId: string, id: string): ApiKey => {
    const row = rowOf(workspaceId, id)
    return toApiKey(row, spendingOf(db, row.meter_id), timestamp(clock))
  }
  /** In the caller's transaction. */
  const insert = (workspaceId: string, principal: Principal, key: NewKey): CreatedApiKey => {
    const id = ids.next()
    const token = newToken('asy_')
    insertKey(db, {
      ...key,
      ceiling: key.ceilings.wallet,
      providerCeiling: key.ceilings.provider,
      id,
      workspaceId,
      madeBy: principal.kind === 'session' ? principal.personId : makerOf(db, principal.id),
      tokenHash: hashToken(token),
      prefix: token.slice(0, 10),
      createdAt: timestamp(clock),
    })
    return { ...read(workspaceId, id), key: token }
  }
  const powersOf = ({ principal, workspace }: Asker): KeyPowers => {
    const meter = principal.kind === 'api_key' ? meterOf(db, principal.id) : null
    return {
      scopes: scopesIn(principal, workspace),
      workerLabels: principal.kind === 'api_key' ? workerLabelsOf(rowOf(workspace.id, principal.id)) : null,
      // A person outlives the session.
      expiresAt: principal.kind === 'api_key' ? principal.expiresAt : null,
      ceilings: meter?.ceilings ?? none,
      meterId: meter?.id ?? null,
    }
  }

  return {
    list: (workspaceId, query) => listKeys(db, workspaceId, query, timestamp(clock)),
    create: (asker, body) =>
      db.transaction(() => {
        const powers = powersOf(asker)
        const ceilings = ceilingsOfNewKey(asker.principal.kind === 'session' ? 'person' : powers.ceilings, {
          wallet: body.ceiling_microusd,
          provider: body.provider_ceiling_microusd,
        })
        const expiresAt = readExpiry(body.expires_at, timestamp(clock))
        const scopes = [...new Set(body.scopes)]
        const workerLabels = [...new Set(body.worker_labels)]
        if (asker.principal.kind === 'session' && workerLabels.length > 0)
          requireRole(asker.principal, asker.workspace, ['owner'], 'grant worker labels')
        const key = { scopes, workerLabels, expiresAt, ceilings, meterId: null }
        requireWithin(powers, key)
        return insert(asker.workspace.id, asker.principal, { ...key, name: body.name, replaces: null })
      }),
    setCeilings: ({ principal, workspace }, id, { ceiling_microusd: wallet, provider_ceiling_microusd: provider, worker_labels: labels }) =>
      db.transaction(() => {
        for (const field of ['ceiling_microusd', 'provider_ceiling_microusd'] as const)
          requireLimitSetter({ principal, workspace }, `setKeyCeiling.${field}`)
        if (labels !== undefined) {
          requireRole(principal, workspace, ['owner'], 'grant worker labels')
          setWorkerLabels(db, rowOf(workspace.id, id).id, [...new Set(labels)])
        }
        setCeilings(db, rowOf(workspace.id, id).meter_id, {
          ...(wallet === undefined ? {} : { wallet: wallet === null ? null : BigInt(wallet) }),
          ...(provider === undefined ? {} : { provider: provider === null ? null : BigInt(provider) }),
        })
        return read(workspace.id, id)
      }),
    revoke: (asker, id) =>
      db.transaction(() => {
        const row = rowOf(asker.workspace.id, id)
        if (asker.principal.kind === 'api_key') requireRevocable(powersOf(asker), { ...powersIn(row), isLocal: row.origin === 'local' })
        markRevoked(db, row.id, timestamp(clock))
        return read(asker.workspace.id, id)
      }),
    roll: (asker, id, overlap) =>
      db.transaction(() => {
        const { workspace } = asker
        const row = rowOf(workspace.id, id)
        const now = clock.now()
        requireRollable(row, now.toISOString())
        const key = { name: row.name, ...powersIn(row) }
        requireWithin(powersOf(asker), key)
        markStops(db, row.id, earliest(new Date(now.getTime() + overlaps[overlap]).toISOString(), row.expires_at))
        // The spending limits stay with the meter that both share.
        return insert(workspace.id, asker.principal, { ...key, ceilings: none, replaces: row.id })
      }),
  }
}

function powersIn(row: KeyRow): KeyPowers {
  return {
    scopes: scopesOf(row),
    workerLabels: workerLabelsOf(row),
    expiresAt: row.expires_at,
    ceilings: ceilingsOf(row),
    meterId: row.meter_id,
  }
}

function requireRollable(row: KeyRow, now: string): void {
  if (row.origin === 'local')
    throw new ApiError('conflict', 'The key of service.json gets a new token at each start of the service; restart that instead.')
  if (row.replaced_by !== null)
    throw new ApiError('illegal_transition', `The key was rolled already. Roll its replacement ${row.replaced_by}.`)
  const status = statusOf(row, now)
  if (status !== 'active') throw illegalTransition('key', row.id, status, 'roll')
}

/** As the contract writes times, or 422 when it is over. */
function readExpiry(wished: string | null, now: string): string | null {
  if (wished === null) return null
  const expiresAt = new Date(wished).toISOString()
  // Years of other than four digits would not sort as text.
  if (expiresAt.length !== now.length) throw invalidField(['body', 'expires_at'], 'must be before the year 10000')
  if (expiresAt <= now) throw invalidField(['body', 'expires_at'], `must be in the future; it is ${now} now`)
  return expiresAt
}

function earliest(a: string, b: string | null): string {
  return b !== null && b < a ? b : a
}
