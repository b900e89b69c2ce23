import { isDeepStrictEqual } from 'node:util'
import type { ConnectionBody } from '../../contract/connections/connections.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { SecretBox } from '../host.ts'
import { type ConnectionSecret, originOf, placeOf, replaceSecret } from './connection-secret.ts'
import type { StoredConnection } from './connections.store.ts'

interface Place {
  readonly box: SecretBox
  readonly workspaceId: string
  /** Address of the new connection. */
  readonly url: string
}

/**
 * Key and headers of a new connection: those of its body, or those of the connection that it names.
 * @throws ApiError validation_error where that one is of another origin or disabled
 */
export async function credentialsOf(
  given: Pick<ConnectionBody, 'api_key' | 'headers'>,
  holder: StoredConnection | null,
  { box, workspaceId, url }: Place,
): Promise<ConnectionSecret> {
  if (holder === null) return { api_key: given.api_key ?? null, headers: given.headers ?? {} }
  requireUsable(holder, url)
  return replaceSecret(box, given, holder.secret, placeOf(workspaceId, holder.record.id, url))
}

/**
 * A key that is deleted or replaced is final, so that no copy of it is stored afterwards.
 * @throws ApiError conflict, validation_error
 */
export function requireSameSecret(before: StoredConnection, now: StoredConnection, url: string): void {
  requireUsable(now, url)
  if (!isDeepStrictEqual(now.secret, before.secret))
    throw new ApiError('conflict', `The key of the connection "${now.record.id}" was changed while it was copied. Try again.`)
}

function requireUsable({ record }: StoredConnection, url: string): void {
  const refuse = (msg: string) => invalidField(['body', 'credentials_from'], msg, 'not_usable')
  if (record.status === 'disabled') throw refuse(`the connection "${record.id}" is disabled and its key deleted`)
  if (originOf(record.base_url) !== originOf(url))
    throw refuse(`the connection "${record.id}" is of ${originOf(record.base_url)}, and its key is sent to no other origin`)
}
