/**
 * Class of failure. `refused`: the provider does not take this request; `unsupported`: this installation has no such endpoint;
 * `unavailable`: it may work later.
 */
export type ProviderFaultCode =
  | 'credential_refused'
  | 'not_found'
  | 'unsupported'
  | 'rate_limited'
  | 'refused'
  | 'unavailable'
  | 'bad_response'
  | 'address_refused'
  | 'too_large'
  | 'cancelled'

/** A request to a tracing provider that brought nothing usable. The message is for people and holds no secret. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: ProviderFaultCode
  /** HTTP status, or null where none arrived. */
  readonly status: number | null
  /** The provider's own words, one line, secrets taken out. For people only: a program could read a foreign server through it. */
  readonly said: string | null
  readonly retryAfterMs: number | null

  constructor(
    code: ProviderFaultCode,
    message: string,
    more: { readonly status?: number | null; readonly said?: string | null; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message)
    this.code = code
    this.status = more.status ?? null
    this.said = more.said ?? null
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

/** The reply arrived whole and is not what the provider's interface promises. @param problem follows "a reply that" */
export function badReply(problem: string): ProviderFault {
  return new ProviderFault('bad_response', `The provider sent a reply that ${problem}. Check the address.`)
}
