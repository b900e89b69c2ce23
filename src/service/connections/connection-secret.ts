import { z } from 'zod'
import type { SecretBox, SecretPlace } from '../host.ts'
import { sealSecret, unsealSecret } from '../sealed-secret.ts'

/** What must never be seen again once stored. */
export const ConnectionSecret = z.strictObject({ api_key: z.string().nullable(), headers: z.record(z.string(), z.string()) })
export type ConnectionSecret = z.infer<typeof ConnectionSecret>

const noSecret: ConnectionSecret = { api_key: null, headers: {} }

/** A secret as it is stored, with what may be shown of it. */
export async function seal(box: SecretBox, secret: ConnectionSecret, place: SecretPlace) {
  const cipher = await encrypted(box, secret, place)
  return {
    secret: cipher,
    secretOrigin: cipher ? place.origin : null,
    has_api_key: secret.api_key !== null,
    header_names: Object.keys(secret.headers),
  }
}

/** Null when there is nothing to keep. */
async function encrypted(box: SecretBox, secret: ConnectionSecret, place: SecretPlace): Promise<Uint8Array | null> {
  if (secret.api_key === null && Object.keys(secret.headers).length === 0) return null
  return sealSecret(box, 'Keys and headers', secret, place)
}

export async function unseal(box: SecretBox, cipher: Uint8Array | null, place: SecretPlace): Promise<ConnectionSecret> {
  if (!cipher) return noSecret
  const message = `The stored key cannot be decrypted: it was stored on another machine or for another connection or address than ${place.origin}. Enter the key again in the connection.`
  return unsealSecret(box, cipher, place, ConnectionSecret, message)
}

export interface GivenSecret {
  readonly api_key?: ConnectionSecret['api_key'] | undefined
  readonly headers?: ConnectionSecret['headers'] | undefined
}

/**
 * What is given over what is stored. Entering the key again is the way out of one that cannot be decrypted; headers are then to be entered
 * again as well.
 */
export async function replaceSecret(
  box: SecretBox,
  { api_key, headers }: GivenSecret,
  stored: Uint8Array | null,
  place: SecretPlace,
): Promise<ConnectionSecret> {
  const kept = await unseal(box, stored, place).catch((error: unknown) => {
    if (api_key === undefined) throw error
    return noSecret
  })
  return { api_key: api_key === undefined ? kept.api_key : api_key, headers: headers ?? kept.headers }
}

export function valuesIn({ api_key, headers }: ConnectionSecret): string[] {
  return [...(api_key === null ? [] : [api_key]), ...Object.values(headers)]
}

export function placeOf(workspaceId: string, connectionId: string, url: string): SecretPlace {
  return { workspaceId, table: 'connections', rowId: connectionId, origin: originOf(url) }
}

/** A secret may only be sent to the origin that it was given for. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin
}
