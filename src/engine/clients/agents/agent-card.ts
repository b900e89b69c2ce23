import { z } from 'zod'

/** The part of an A2A agent card that is needed, of version 1.0 and of those before; everything else is ignored. */
const AgentCard = z.object({
  name: z.string().max(1000),
  version: z.string().max(200).default(''),
  capabilities: z.object({ streaming: z.boolean().nullish() }).nullish().catch(null),
  defaultOutputModes: z.array(z.string().max(200)).nullish().catch(null),
  // 1.0
  supportedInterfaces: z.array(z.unknown()).nullish(),
  // 0.2 and 0.3
  protocolVersion: z.string().nullish().catch(null),
  url: z.string().nullish().catch(null),
  preferredTransport: z.string().nullish().catch(null),
  additionalInterfaces: z.array(z.unknown()).nullish().catch(null),
})
type AgentCard = z.infer<typeof AgentCard>

const Interface = z.object({
  url: z.string(),
  protocolBinding: z.string(),
  protocolVersion: z.string().default('1.0'),
  tenant: z.string().nullish(),
})
const OlderInterface = z.object({ url: z.string(), transport: z.string() })

export type AgentProtocol = '0.3' | '1.0'

export interface AgentInterface {
  readonly name: string
  readonly version: string
  readonly protocol: AgentProtocol
  readonly url: URL
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  readonly tenant: string | null
  /** Whether it may stream a task’s progress: its card does not say otherwise. */
  readonly streams: boolean
  /** Media types that it answers in. */
  readonly outputModes: readonly string[]
}

export type CardReading =
  | { readonly ok: true; readonly agent: AgentInterface }
  /** The problem follows "The reply". */
  | { readonly ok: false; readonly problem: string }

interface Offer {
  readonly url: URL | null
  readonly binding: string
  /** As the card says it. */
  readonly release: string
  readonly tenant: string | null
}

/**
 * Picks the first interface of the card, in its order of preference, that this client speaks.
 * @param cardUrl where the card was read: an interface at another origin is refused, since the key was given for that one
 */
export function readAgentCard(value: unknown, cardUrl: URL): CardReading {
  const card = AgentCard.safeParse(value)
  if (!card.success) return { ok: false, problem: 'is no agent card' }
  const offers = offersOf(card.data, cardUrl)
  const spoken = offers
    .flatMap(({ url, binding, release, tenant }) => {
      const protocol = protocolOf(release)
      return url && protocol && (binding === 'JSONRPC' || binding === 'HTTP+JSON') ? [{ url, binding, protocol, tenant } as const] : []
    })
    .toSorted((a, b) => b.protocol.localeCompare(a.protocol))
  const [first] = spoken
  if (!first) {
    const others = [...new Set(offers.map(({ binding, release }) => `${binding} ${release}`.slice(0, 60)))].slice(0, 5).join(', ')
    return { ok: false, problem: `offers ${others || 'no interface'}; this client speaks JSON-RPC and HTTP of A2A 1.0 and 0.3` }
  }
  const near = spoken.find(({ url }) => url.origin === cardUrl.origin)
  if (!near)
    return {
      ok: false,
      problem: `names an interface at ${first.url.origin}, another origin than the card’s; register a card at that origin instead`,
    }
  const { name, version, capabilities, defaultOutputModes } = card.data
  return {
    ok: true,
    agent: { name, version, ...near, streams: capabilities?.streaming !== false, outputModes: (defaultOutputModes ?? []).slice(0, 20) },
  }
}

/** A card of both versions lists its interfaces twice; those of 1.0 come first. */
function offersOf(card: AgentCard, cardUrl: URL): Offer[] {
  const { supportedInterfaces, protocolVersion, url, preferredTransport, additionalInterfaces } = card
  const current = (supportedInterfaces ?? []).flatMap(each => Interface.safeParse(each).data ?? [])
  const preferred = url == null ? [] : [{ url, transport: preferredTransport ?? 'JSONRPC' }]
  const additional = (additionalInterfaces ?? []).flatMap(each => OlderInterface.safeParse(each).data ?? [])
  const older = [...preferred, ...additional].map(({ url: at, transport }) => ({
    url: at,
    protocolBinding: transport,
    protocolVersion: protocolVersion ?? '0.3.0',
    tenant: null,
  }))
  return [...current, ...older].map(({ url: at, protocolBinding, protocolVersion: release, tenant }) => ({
    url: nearUrl(URL.parse(at, cardUrl.href), cardUrl),
    binding: protocolBinding.toUpperCase(),
    release,
    tenant: tenant ?? null,
  }))
}

function protocolOf(version: string): AgentProtocol | null {
  if (/^v?1(?:\.|$)/.test(version)) return '1.0'
  return /^v?0\.[23](?:\.|$)/.test(version) ? '0.3' : null
}

const thisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'])

/** Agents of this machine often name it otherwise than the address that the card was read at, or by the address that they listen on. */
function nearUrl(url: URL | null, cardUrl: URL): URL | null {
  if (!url || !thisMachine.has(url.hostname) || !thisMachine.has(cardUrl.hostname)) return url
  if (url.port !== cardUrl.port || url.protocol !== cardUrl.protocol) return url
  return new URL(`${url.pathname}${url.search}`, cardUrl)
}

const wellKnown = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const

/** Paths at which the card may be, likeliest first: as it was registered, then where either version of the protocol puts it. */
export function cardPaths(cardUrl: URL): string[] {
  const { pathname, search } = cardUrl
  const base = pathname.replace(/\/\.well-known\/agent(?:-card)?\.json$/, '').replace(/\/$/, '')
  // Another file was meant as it is.
  const others = base.endsWith('.json') ? [] : wellKnown.map(path => `${base}${path}${search}`)
  return [...new Set([`${pathname}${search}`, ...others])]
}
