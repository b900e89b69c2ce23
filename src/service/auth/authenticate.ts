import { ApiError } from '../../contract/errors.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findKey, findSession, isUseNoted, noteUse } from './auth.store.ts'
import type { Principal } from './principal.ts'
import { hashToken } from './tokens.ts'

export const sessionCookie = 'assay_session'

/** What a request shows of itself. */
export interface Credentials {
  /** Every Authorization header that was sent. */
  readonly authorization: readonly string[]
  readonly cookie: string | undefined
}

const how =
  'Send "Authorization: Bearer <key>" with a key of this workspace, or sign in with a pairing code. After a restart of the service, read service.json again.'

/** The principal behind the credentials, or 401; 429 after too many wrong ones. A Bearer token counts before a cookie. */
export function authenticate(kernel: Kernel, credentials: Credentials): Principal {
  const token = presentedToken(credentials)
  if (!token) throw new ApiError('unauthenticated', `No credentials were sent. ${how}`)
  const hash = hashToken(token)
  const now = timestamp(kernel.clock)
  const principal = token.startsWith('asn_')
    ? findSession(kernel.db, hash, now)
    : token.startsWith('asy_')
      ? findKey(kernel.db, hash, now)
      : null
  if (principal) {
    // A full disk must not prevent reads.
    if (principal.kind === 'api_key' && !isUseNoted(principal, now)) kernel.storage.attempt(() => noteUse(kernel.db, principal.id, now))
    return principal
  }
  // What does not even look like a token of ours is not a guess.
  if (/^as[yn]_/.test(token)) kernel.throttle.noteWrongToken()
  throw new ApiError('unauthenticated', `The key or session is unknown, expired or revoked. ${how}`)
}

/** The token that the request shows, if any. */
export function presentedToken(credentials: Credentials): string | undefined {
  return bearerToken(credentials.authorization) ?? credentials.cookie
}

function bearerToken(headers: readonly string[]): string | undefined {
  if (headers.length === 0) return undefined
  if (headers.length > 1) throw new ApiError('malformed_request', 'More than one Authorization header was sent.')
  const match = /^Bearer ([\x21-\x7e]+)$/i.exec(headers[0] ?? '')
  if (!match) throw new ApiError('unauthenticated', `The Authorization header cannot be read. ${how}`)
  return match[1]
}
