import type { ConnectionBody } from '../../contract/connections/connections.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import type { SecretBox } from '../host.ts'
import { type ConnectionSecret, noSecret, originOf, placeOf, unseal } from './connection-secret.ts'
import type { StoredConnection } from './connections.store.ts'

interface Place {
  readonly box: SecretBox
  readonly workspaceId: string
  /** Address of the new connection. */
  readonly url: string
}

/**
 * Key and headers of a new connection: those of its body, over those of the connection that it names.
 * @throws ApiError validation_error where that one is of another origin or disabled
 */
export async function credentialsOf(
  { api_key, headers }: Pick<ConnectionBody, 'api_key' | 'headers'>,
  holder: StoredConnection | null,
  { box, workspaceId, url }: Place,
): Promise<ConnectionSecret> {
  const kept = holder === null ? noSecret : await unseal(box, holder.secret, ownPlace(workspaceId, holder, url))
  return { api_key: api_key ?? kept.api_key, headers: { ...kept.headers, ...headers } }
}

function ownPlace(workspaceId: string, { record }: StoredConnection, url: string) {
  const refuse = (msg: string) => invalidField(['body', 'credentials_from'], msg, 'not_usable')
  if (record.status === 'disabled') throw refuse(`the connection "${record.id}" is disabled and its key deleted`)
  if (originOf(record.base_url) !== originOf(url))
    throw refuse(`the connection "${record.id}" is of ${originOf(record.base_url)}, and its key is sent to no other origin`)
  return placeOf(workspaceId, record.id, url)
}
