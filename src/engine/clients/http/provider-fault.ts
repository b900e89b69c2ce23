import type { FailureCode } from '../../../contract/runs/failure-codes.ts'
import { formatDuration } from '../../../lib/format/time.ts'
import type { Fault } from '../fault.ts'
import { limitWords } from './limit-words.ts'
import type { ProviderError } from './provider-error.ts'
import { refusalWords } from './refusal-words.ts'
import { textOf } from './throttle-hints.ts'

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
  /** The body that was read, as JSON or text. */
  readonly body: unknown
  /** Pause that the reply asks for, in milliseconds; null where it does not. */
  readonly retryAfterMs: number | null
}

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

const codesOfStatus: Readonly<Record<number, ProviderFaultCode>> = {
  401: 'credential_refused',
  402: 'quota_exhausted',
  403: 'credential_refused',
  404: 'model_not_found',
  405: 'model_not_found',
  408: 'timeout',
  // The server holds a lock, or will not risk a replay: both pass.
  409: 'provider_failure',
  410: 'model_not_found',
  // The model behind Bedrock failed.
  424: 'provider_failure',
  425: 'provider_failure',
  429: 'rate_limited',
  // Groq's flex tier is at capacity.
  498: 'rate_limited',
}

/** Whose statuses say themselves that the server takes no more calls now. */
const overloadStatuses: ReadonlySet<number> = new Set([503, 529])

/** Names an error status, or an error that came in place of an answer. A status of 2xx leaves it to the body to say what it is. */
export function providerFault(reply: ErrorReply, context: FaultContext): Fault {
  const { status, error, retryAfterMs } = reply
  const effective = status < 300 ? (error?.status ?? status) : status
  const code = codeOf(reply, effective)
  const said = context.excerpt(error?.message ?? error?.code ?? '')
  const reason = `HTTP ${effective}${said === '' ? '' : `: “${said}”`}`
  return { code, message: describe(code, reason, retryAfterMs, context) }
}

function codeOf({ status: sent, error, body }: ErrorReply, status: number): ProviderFaultCode {
  const word = error?.code?.toLowerCase() ?? ''
  const said = limitWords({ status, word, text: textOf(body) })
  if (said === 'exhausted') return 'quota_exhausted'
  if (said === 'too_large') return 'bad_request'
  // Where the status itself says it, the code need not.
  if ((said === 'throttled' || overloadStatuses.has(status)) && !overloadStatuses.has(sent)) return 'rate_limited'
  // An error in place of an answer, and any refusal, are what they say, whatever their status.
  const refused = status === 429 || status === 404 ? null : refusalWords(word, error?.message ?? '')
  if (refused !== null) return refused
  if (status >= 300) return codeOfStatus(status)
  return word === 'context_length_exceeded' ? 'bad_request' : 'provider_failure'
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
      return `The account at ${origin} has no quota left (${reason}). Top it up at the provider, wait until its limit resets, or use another connection.`
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
