import { z } from 'zod'

const Interface = z.object({
  url: z.string(),
  protocolBinding: z.string(),
  protocolVersion: z.string().default('1.0'),
  tenant: z.string().optional(),
})
/** What of an agent card is needed; everything else is ignored. */
const AgentCard = z.object({
  name: z.string().max(1000),
  version: z.string().max(200).default(''),
  supportedInterfaces: z.array(Interface).default([]),
})
/** The same of A2A 0.3, whose main address comes before the others. */
const OlderCard = z.object({
  url: z.string(),
  preferredTransport: z.string().default('JSONRPC'),
  protocolVersion: z.string().default('0.3.0'),
  additionalInterfaces: z.array(z.object({ url: z.string(), transport: z.string() })).nullish(),
})

export interface AgentInterface {
  readonly name: string
  readonly version: string
  readonly url: URL
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  /** Which release of the protocol it speaks. */
  readonly protocol: '1.0' | '0.3'
  readonly tenant: string | null
}

export type CardReading =
  | { readonly ok: true; readonly agent: AgentInterface }
  /** The problem follows "The reply". */
  | { readonly ok: false; readonly problem: string }

/**
 * Picks the first interface of the card, in its order of preference, that this client speaks; one of 1.0 before any of 0.3.
 * @param cardUrl where the card was read: an interface at another origin is refused, since the key was given for that one
 */
export function readAgentCard(value: unknown, cardUrl: URL): CardReading {
  const card = AgentCard.safeParse(value)
  if (!card.success) return { ok: false, problem: 'is no agent card' }
  const { name, version, supportedInterfaces } = card.data
  const offered = [...supportedInterfaces, ...olderInterfaces(value)]
  const spoken = offered.filter(({ protocolBinding }) => protocolBinding === 'JSONRPC' || protocolBinding === 'HTTP+JSON')
  const known =
    spoken.find(({ protocolVersion }) => protocolVersion.startsWith('1.')) ??
    spoken.find(({ protocolVersion }) => /^0\.[23](?:\.|$)/.test(protocolVersion))
  const url = known ? URL.parse(known.url) : null
  if (!known || !url) {
    const others = offered.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`.slice(0, 60)).join(', ')
    return { ok: false, problem: `offers ${others || 'no interface'}; this client speaks JSON-RPC and HTTP of A2A 1.0 and 0.3` }
  }
  if (url.origin !== cardUrl.origin)
    return {
      ok: false,
      problem: `names an interface at ${url.origin}, another origin than the card’s; register a card at that origin instead`,
    }
  const binding = known.protocolBinding === 'JSONRPC' ? 'JSONRPC' : 'HTTP+JSON'
  const protocol = known.protocolVersion.startsWith('1.') ? '1.0' : '0.3'
  return { ok: true, agent: { name, version, url, binding, protocol, tenant: known.tenant ?? null } }
}

function olderInterfaces(value: unknown): z.infer<typeof Interface>[] {
  const card = OlderCard.safeParse(value)
  if (!card.success) return []
  const { url, preferredTransport, protocolVersion, additionalInterfaces } = card.data
  return [{ url, transport: preferredTransport }, ...(additionalInterfaces ?? [])].map(one => ({
    url: one.url,
    protocolBinding: one.transport,
    protocolVersion,
  }))
}
