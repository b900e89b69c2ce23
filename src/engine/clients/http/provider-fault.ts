import type { FailureCode } from '../../../contract/index.ts'
import { formatDuration } from '../../../lib/format/time.ts'
import type { Fault } from '../fault.ts'
import type { ProviderError } from './provider-error.ts'

/** Details for the message of a rejected request. */
export interface FaultContext {
  readonly origin: string
  readonly model: string
  readonly hasKey: boolean
  /** What texts for people call the connection's protocol, e.g. `Anthropic messages`. */
  readonly protocol: string
  readonly excerpt: (text: string) => string
}

export interface ErrorReply {
  readonly status: number
  /** What the body says; null where it says nothing that can be read. */
  readonly error: ProviderError | null
  readonly retryAfterMs: number | null
}

/** Words by which providers say that waiting will not help: OpenAI, Azure, Anthropic and gateways in front of them. */
const outOfQuota =
  /^(?:insufficient_(?:quota|balance|credits?|funds)|billing_(?:error|hard_limit_reached|not_active)|.*spend_limit_reached)$/

/** The codes that a provider's own words lead to. */
type ProviderFaultCode = Extract<
  FailureCode,
  | 'bad_request'
  | 'content_filtered'
  | 'credential_refused'
  | 'model_not_found'
  | 'provider_failure'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'timeout'
>

const codesOfWords: Readonly<Record<string, ProviderFaultCode>> = {
  rate_limit_exceeded: 'rate_limited',
  invalid_api_key: 'credential_refused',
  model_not_found: 'model_not_found',
  context_length_exceeded: 'bad_request',
  content_filter: 'content_filtered',
  content_policy_violation: 'content_filtered',
  responsibleaipolicyviolation: 'content_filtered',
}

/** Words by which a status of 400 is a filter's. */
const filtered = new Set(Object.keys(codesOfWords).filter(word => codesOfWords[word] === 'content_filtered'))

const codesOfStatus: Readonly<Record<number, ProviderFaultCode>> = {
  401: 'credential_refused',
  402: 'quota_exhausted',
  403: 'credential_refused',
  404: 'model_not_found',
  408: 'timeout',
  // The server holds a lock, or will not risk a replay: both pass.
  409: 'provider_failure',
  410: 'model_not_found',
  425: 'provider_failure',
  429: 'rate_limited',
}

/** Names an error status, or an error that came in place of an answer. A status of 2xx leaves it to the body to say what it is. */
export function providerFault({ status, error, retryAfterMs }: ErrorReply, context: FaultContext): Fault {
  const word = error?.code?.toLowerCase() ?? ''
  const effective = status < 300 ? (error?.status ?? status) : status
  const code = outOfQuota.test(word)
    ? 'quota_exhausted'
    : effective < 300
      ? (codesOfWords[word] ?? 'provider_failure')
      : filtered.has(word)
        ? 'content_filtered'
        : codeOfStatus(effective)
  const said = context.excerpt(error?.message ?? error?.code ?? '')
  const reason = `HTTP ${effective}${said === '' ? '' : `: “${said}”`}`
  return { code, message: describe(code, reason, retryAfterMs, context) }
}

function codeOfStatus(status: number): ProviderFaultCode {
  return codesOfStatus[status] ?? (status >= 500 ? 'provider_failure' : 'bad_request')
}

function describe(code: ProviderFaultCode, reason: string, retryAfterMs: number | null, { origin, model, hasKey }: FaultContext): string {
  switch (code) {
    case 'credential_refused':
      return `${origin} refused the call (${reason}). ${hasKey ? 'Check the key of this connection and what it may do.' : 'No key is stored for this connection; add one.'}`
    case 'model_not_found':
      return `${origin} does not know this address or the model “${model}” (${reason}). Check the base URL and the model name.`
    case 'quota_exhausted':
      return `The account at ${origin} has no quota left (${reason}). Top it up at the provider or use another connection.`
    case 'rate_limited': {
      const pause = retryAfterMs === null ? 'a pause' : `a pause of ${formatDuration(retryAfterMs)}`
      return `${origin} asks for ${pause} (${reason}). If it happens often, lower the connection’s limits.`
    }
    case 'timeout':
      return `${origin} timed out waiting for the request (${reason}). Check the network between this machine and the server.`
    case 'content_filtered':
      return `${origin} refused the prompt by its content filter (${reason}).`
    case 'bad_request':
      return `${origin} refused this request (${reason}). Compare the prompt’s length and the settings with what the model takes.`
    case 'provider_failure':
      return `${origin} failed (${reason}). The request was valid; if this continues, check the provider’s status page or the server’s log.`
  }
}
