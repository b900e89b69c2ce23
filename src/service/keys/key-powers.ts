import { ApiError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Ceilings } from './keys.store.ts'

/** What a key may do, for how long and at whose cost. */
export interface KeyPowers {
  readonly scopes: readonly Scope[]
  /** What its workers may take; null: any. */
  readonly workerLabels: readonly string[] | null
  /** Null: it does not expire. */
  readonly expiresAt: string | null
  readonly ceilings: Ceilings
  /** Keys of the same meter share one spending limit. Null: not made yet. */
  readonly meterId: string | null
}

/**
 * No principal passes on more than it has: who holds the key that is made or rolled may do no more, no longer and at no greater cost
 * than who asked for it.
 */
export function requireWithin(asker: KeyPowers, wanted: KeyPowers): void {
  const beyond = wanted.scopes.filter(scope => !asker.scopes.includes(scope))
  if (beyond.length > 0) throw new ApiError('missing_scope', `A key cannot give scopes that it does not have: ${beyond.join(', ')}.`)
  const { workerLabels: own } = asker
  const label = own && (wanted.workerLabels ?? ['any label']).find(one => !own.includes(one))
  if (label !== null && label !== undefined)
    throw new ApiError('owner_session_required', `A key cannot grant worker labels that it does not have: ${label}. Ask a signed-in owner.`)
  if (asker.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > asker.expiresAt)) {
    throw new ApiError(
      'owner_session_required',
      `A key cannot make one that outlives it; it ends at ${asker.expiresAt}. Ask a signed-in owner or admin.`,
    )
  }
  if (!spendsWithin(asker, wanted)) {
    throw new ApiError(
      'owner_session_required',
      'A key with a spending limit cannot create a key that may spend more. Ask a signed-in owner or admin.',
    )
  }
}

/**
 * Taking away is a power like giving: a key revokes only keys that may do no more, no longer and at no greater cost than it. The key in
 * `service.json` is for people to revoke.
 */
export function requireRevocable(asker: KeyPowers, target: KeyPowers & { readonly isLocal: boolean }): void {
  const people = 'Ask a signed-in owner or admin.'
  if (target.isLocal) throw new ApiError('owner_session_required', `A key cannot revoke the key of service.json. ${people}`)
  const beyond = target.scopes.filter(scope => !asker.scopes.includes(scope))
  if (beyond.length > 0)
    throw new ApiError('missing_scope', `A key cannot revoke one with scopes that it lacks: ${beyond.join(', ')}. ${people}`)
  if (asker.expiresAt !== null && (target.expiresAt === null || target.expiresAt > asker.expiresAt))
    throw new ApiError('owner_session_required', `A key that ends at ${asker.expiresAt} cannot revoke one that outlives it. ${people}`)
  if (!spendsWithin(asker, target))
    throw new ApiError('owner_session_required', `A key with a spending limit cannot revoke one that may spend more. ${people}`)
}

function spendsWithin(asker: KeyPowers, wanted: KeyPowers): boolean {
  if (wanted.meterId !== null && wanted.meterId === asker.meterId) return true
  return (['wallet', 'provider'] as const).every(purse => asker.ceilings[purse] === null || wanted.ceilings[purse] === 0n)
}

/**
 * The spending limits of a new key. Only people set one: a key that has a limit makes keys that may spend none of it.
 * @param wanted As the request states them.
 */
export function ceilingsOfNewKey(
  asker: 'person' | Ceilings,
  wanted: Readonly<Record<keyof Ceilings, string | null | undefined>>,
): Ceilings {
  return { wallet: ceilingOfNewKey(asker, wanted, 'wallet'), provider: ceilingOfNewKey(asker, wanted, 'provider') }
}

function ceilingOfNewKey(asker: 'person' | Ceilings, wanted: Parameters<typeof ceilingsOfNewKey>[1], purse: keyof Ceilings): bigint | null {
  const amount = wanted[purse]
  if (asker === 'person') return amount === undefined || amount === null ? null : BigInt(amount)
  if (amount === undefined) return asker[purse] === null ? null : 0n
  const field = purse === 'wallet' ? 'ceiling_microusd' : 'provider_ceiling_microusd'
  throw new ApiError('owner_session_required', `Only a signed-in owner or admin can set a spending limit. Leave ${field} out.`)
}
