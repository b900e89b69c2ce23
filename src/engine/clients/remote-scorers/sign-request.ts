import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0: secrets of 24 to 64 random bytes, in base64 behind this prefix. */
const prefix = 'whsec_'

export function newSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/** What is signed: the request's id, which stays the same over retries, the time of this try and the body as sent. */
export interface SignedRequest {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The headers of Standard Webhooks 1.0.
 * @param secrets the current one first; during a rotation the old one signs too, separated by a blank
 */
export function signatureHeaders({ id, timestamp, body }: SignedRequest, secrets: readonly string[]): Record<string, string> {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(secret => `v1,${sign(secret)}`).join(' '),
  }
}
