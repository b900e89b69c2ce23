import { z } from 'zod'

/** What of an A2A v1.0 agent card is needed; everything else is ignored. */
const AgentCard = z.object({
  name: z.string().max(1000),
  version: z.string().max(200).default(''),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string().default('1.0'), tenant: z.string().optional() }),
  ),
})

export interface AgentInterface {
  readonly name: string
  readonly version: string
  readonly url: URL
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  readonly tenant: string | null
}

export type CardReading =
  | { readonly ok: true; readonly agent: AgentInterface }
  /** The problem follows "The reply". */
  | { readonly ok: false; readonly problem: string }

/**
 * Picks the first interface of the card, in its order of preference, that this client speaks.
 * @param cardUrl where the card was read: an interface at another origin is refused, since the key was given for that one
 */
export function readAgentCard(value: unknown, cardUrl: URL): CardReading {
  const card = AgentCard.safeParse(value)
  if (!card.success) return { ok: false, problem: olderOr(value, 'is no agent card of A2A 1.0') }
  const { name, version, supportedInterfaces } = card.data
  const known = supportedInterfaces.find(
    ({ protocolBinding: binding, protocolVersion }) =>
      (binding === 'JSONRPC' || binding === 'HTTP+JSON') && protocolVersion.startsWith('1.'),
  )
  const url = known ? URL.parse(known.url) : null
  if (!known || !url) return { ok: false, problem: 'offers no interface of A2A 1.0 by JSON-RPC or HTTP' }
  if (url.origin !== cardUrl.origin)
    return {
      ok: false,
      problem: `names an interface at ${url.origin}, another origin than the card’s; register a card at that origin instead`,
    }
  const binding = known.protocolBinding === 'JSONRPC' ? 'JSONRPC' : 'HTTP+JSON'
  return { ok: true, agent: { name, version, url, binding, tenant: known.tenant ?? null } }
}

function olderOr(value: unknown, otherwise: string): string {
  const isOlder = typeof value === 'object' && value !== null && 'preferredTransport' in value
  return isOlder ? 'is an agent card of A2A 0.3; this version speaks 1.0' : otherwise
}
