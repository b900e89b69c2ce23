import type { Connection, ConnectionCheck } from '../../contract/connections/connections.schemas.ts'
import { type EndpointParameters, unknownParameters } from '../../contract/connections/request-settings.schemas.ts'
import type { BatchSettings } from '../../engine/clients/batches/batch-lane.ts'
import type { Answer, Failure, ModelClient, Reached } from '../../engine/clients/model-client.ts'
import type { MediaSource } from '../../engine/clients/media-source.ts'
import { probeCapability } from '../../engine/clients/probe-capability.ts'
import { probeFiles } from '../../engine/clients/probe-media.ts'
import { otherBaseUrls } from '../../lib/base-address.ts'
import { learnParameters } from './learn-parameters.ts'

/** Settings of a question of the check; absent: as the connection says. */
export interface Way {
  readonly baseUrl?: string
  readonly requestSettings?: Connection['request_settings']
  readonly parameters?: EndpointParameters
  readonly rates?: Connection['rates']
  /** Where the bytes of media come from. */
  readonly media?: MediaSource
  /** For a run in batch mode. */
  readonly batch?: BatchSettings
}

export interface CheckContext {
  /** A client that the caller closes. */
  readonly open: (way: Way) => Promise<ModelClient>
  /** Base URLs that are known for the connection's origin. */
  readonly knownBaseUrls: readonly string[]
  /** How many tokens the server says that a prompt and an answer may have; null where it does not say. */
  readonly askContext: () => Promise<number | null>
  /** What is known of the model whatever the endpoint says, e.g. that it takes no temperature. */
  readonly known: Partial<EndpointParameters>
  readonly checkedAt: string
  readonly signal: AbortSignal
}

/**
 * Small questions; how they went is the check. An agent is only asked whether it is there, because a message would set it to work. After
 * that each capability that the connection claims is tested.
 */
export async function checkConnection(connection: Connection, context: CheckContext): Promise<ConnectionCheck> {
  const { outcome, parameters } = await reach(connection, context)
  if (!outcome.ok) return failed(outcome, await proposal(outcome, connection, context), context.checkedAt)
  return passed(connection, context, outcome, parameters === null ? null : { ...parameters, ...context.known })
}

async function reach(
  { protocol, base_url: baseUrl, streaming, request_settings: requestSettings }: Connection,
  { open, signal }: CheckContext,
): Promise<{ readonly outcome: Answer | Reached | Failure; readonly parameters: EndpointParameters | null }> {
  if (protocol === 'agent_to_agent') {
    const client = await open({})
    try {
      const outcome = client.reach ? await client.reach({ signal }) : await client.call(shortQuestion, { signal })
      return { outcome, parameters: null }
    } finally {
      await client.close()
    }
  }
  const wanted = { protocol, baseUrl, streaming, requestSettings }
  return learnParameters((settings, tried) => open({ requestSettings: settings, parameters: tried }), wanted, signal)
}

async function passed(
  { streaming, probes }: Connection,
  { open, askContext, checkedAt, signal }: CheckContext,
  found: Answer | Reached,
  parameters: EndpointParameters | null,
): Promise<ConnectionCheck> {
  const capabilities: ConnectionCheck['capabilities'] = []
  if (probes.length > 0) {
    const client = await open({ media: probeFiles, ...(parameters === null ? {} : { parameters }) })
    try {
      for (const capability of probes) capabilities.push(await probeCapability(client, capability, { signal }))
    } finally {
      await client.close()
    }
  }
  const isEmpty = 'output' in found && found.output.trim() === ''
  return {
    checked_at: checkedAt,
    ok: true,
    code: null,
    message: 'description' in found ? `It is there: ${found.description}.` : `Response received${isEmpty ? ', but it is empty' : ''}.`,
    latency_ms: found.latencyMs,
    streaming: streaming ? parameters?.streaming !== false : null,
    capabilities,
    reports_usage: 'description' in found ? null : found.usage !== null,
    empty_answer: isEmpty,
    parameters,
    context_tokens: 'description' in found ? null : await askContext(),
    reasons: 'description' in found ? null : found.reasoning !== undefined || (found.usage?.parts?.reasoning ?? 0) > 0,
    proposed_base_url: null,
  }
}

/** What says that something else is at this address than the protocol's endpoint. */
const misplaced: ReadonlySet<string> = new Set(['model_not_found', 'bad_response'])

const shortQuestion = {
  messages: [{ role: 'user' as const, content: 'Reply with the single word: ready' }],
  temperature: null,
  maxOutputTokens: 64,
  stop: [],
}

/** Another address of the same origin at which the endpoint answers; its key goes nowhere else. */
async function proposal(fault: Failure, connection: Connection, { open, knownBaseUrls, signal }: CheckContext): Promise<string | null> {
  if (!misplaced.has(fault.code) && fault.httpStatus !== 405) return null
  for (const baseUrl of otherBaseUrls(connection.base_url, connection.protocol, knownBaseUrls)) {
    const client = await open({ baseUrl, parameters: unknownParameters })
    try {
      const outcome = await client.call(shortQuestion, { signal })
      // A refused parameter is learned once the address is right.
      if (outcome.ok || (outcome.code === 'bad_request' && outcome.httpStatus === 400)) return baseUrl
      if (outcome.code === 'cancelled') return null
    } finally {
      await client.close()
    }
  }
  return null
}

function failed({ code, message, latencyMs, notes }: Failure, proposed: string | null, checkedAt: string): ConnectionCheck {
  const refused = (notes ?? []).filter(note => note.code === 'parameter_refused').map(note => note.message)
  const advice = proposed === null ? refused : [`The endpoint answers at ${proposed}. Use that base URL.`]
  return {
    checked_at: checkedAt,
    ok: false,
    code,
    message: [message, ...advice].join(' '),
    latency_ms: latencyMs,
    streaming: null,
    capabilities: [],
    reports_usage: null,
    empty_answer: false,
    parameters: null,
    context_tokens: null,
    reasons: null,
    proposed_base_url: proposed,
  }
}
