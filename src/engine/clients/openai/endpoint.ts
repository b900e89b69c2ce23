import { portOf } from '../address-policy.ts'

/** Where a chat-completions server is called and what every call carries. */
export interface Endpoint {
  /** Scheme, host and port: what texts for people call the server. Never holds a key. */
  readonly origin: string
  readonly port: number
  /** With the query of the base URL, which some hosts use for an API version. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Name of the output limit: OpenAI itself has deprecated `max_tokens`, most other servers know nothing newer. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens'
}

export interface EndpointSettings {
  readonly baseUrl: URL
  readonly apiKey: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly streaming: boolean
}

/** Headers that frame the message or belong to the connection: set by the transport, wrong from anybody else. */
const transportHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The first of a connection's extra headers that the transport must set itself; null when all are fine. */
export function reservedHeader(headers: Readonly<Record<string, string>>): string | null {
  return Object.keys(headers).find(name => transportHeaders.has(name.toLowerCase())) ?? null
}

/** A header of the connection replaces Assay's own of that name, also the one with the key. */
export function createEndpoint({ baseUrl, apiKey, headers, streaming }: EndpointSettings): Endpoint {
  const own: Record<string, string> = {
    'content-type': 'application/json',
    accept: streaming ? 'text/event-stream, application/json' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Assay',
  }
  if (apiKey !== null) own['authorization'] = `Bearer ${apiKey}`
  for (const [name, value] of Object.entries(headers)) own[name.toLowerCase()] = value
  return {
    origin: baseUrl.origin,
    port: portOf(baseUrl),
    path: `${baseUrl.pathname.replace(/\/+$/, '')}/chat/completions${baseUrl.search}`,
    headers: own,
    limitField: baseUrl.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens',
  }
}
