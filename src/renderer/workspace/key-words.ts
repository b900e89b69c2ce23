import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import { scopes } from '../../contract/scopes.ts'
import type { Status } from '../ui/values/statuses.ts'

const words: Readonly<Record<ApiKey['status'], Status>> = {
  active: { word: 'Active', tone: 'pass' },
  expired: { word: 'Expired', tone: 'neutral' },
  replaced: { word: 'Replaced', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'fail' },
}

/** A key that was rolled and still works is on its way out. */
export function keyStatus({ status, stops_at: stops }: Pick<ApiKey, 'status' | 'stops_at'>): Status {
  return status === 'active' && stops !== null ? { word: 'In overlap', tone: 'warn' } : words[status]
}

/** `all`, `read only`, or how many. */
export function scopesInShort(granted: readonly string[]): string {
  if (granted.length === scopes.length) return 'all'
  if (granted.every(scope => scope.endsWith(':read'))) return granted.length === 1 ? (granted[0] ?? '') : `${granted.length}, read only`
  return granted.length === 1 ? (granted[0] ?? '') : String(granted.length)
}
