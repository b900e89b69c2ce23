import type { AddressPolicy } from './address-policy.ts'
import type { Fault } from './fault.ts'
import { reservedHeader } from './http/reserved-headers.ts'

/** Most bytes of an answer where a connection states none. */
export const defaultMaxResponseBytes = 16_000_000

/** Milliseconds. Hosted models may think for minutes between the head of a stream and its first word. */
export const defaultIdleTimeoutMs = 300_000

interface Settings {
  readonly baseUrl: string
  readonly addressPolicy: AddressPolicy
  readonly headers: Readonly<Record<string, string>>
}

/** The address that calls go to, or why none can be made with these settings. */
export function acceptSettings({ baseUrl, addressPolicy, headers }: Settings): URL | Fault {
  const url = URL.parse(baseUrl)
  if (url === null) return { code: 'address_refused', message: 'The base URL is no address. It should look like http://127.0.0.1:8000/v1.' }
  const refusal = addressPolicy.refusal(url)
  if (refusal !== null) return { code: 'address_refused', message: refusal }
  const header = reservedHeader(headers)
  return header === null
    ? url
    : { code: 'bad_request', message: `The header “${header}” is set by Assay itself. Remove it from this connection.` }
}
