import type { ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import type { CallOptions, ModelClient } from './model-client.ts'
import { isMediaCapability, probeMedia } from './probe-media.ts'

export interface ProbeResult {
  readonly capability: ProbedCapability
  readonly verified: boolean
  /** For people: what was seen. */
  readonly detail: string
}

/** Tests one capability with one or two small requests, since some servers accept a setting and ignore it. A failed call proves nothing and is reported. */
export function probeCapability(client: ModelClient, capability: ProbedCapability, options: CallOptions): Promise<ProbeResult> {
  if (isMediaCapability(capability)) return probeMedia(client, capability, options)
  return capability === 'tools' ? probeTools(client, options) : probeLoglikelihood(client, options)
}

async function probeTools(client: ModelClient, options: CallOptions): Promise<ProbeResult> {
  const outcome = await client.call(
    {
      messages: [{ role: 'user', content: 'Use the tool to report the color blue.' }],
      temperature: null,
      maxOutputTokens: 256,
      stop: [],
      tools: [
        {
          name: 'report_color',
          description: 'Reports a color.',
          parameters: [{ name: 'color', type: 'string', description: 'The color' }],
        },
      ],
    },
    options,
  )
  const of = (verified: boolean, detail: string): ProbeResult => ({ capability: 'tools', verified, detail })
  if (!outcome.ok) return of(false, outcome.message)
  const [call] = outcome.toolCalls ?? []
  if (!call) return of(false, 'Asked to use a tool, the model answered in text.')
  return call.name === 'report_color' && /"color"\s*:/.test(call.arguments)
    ? of(true, 'Asked to use a tool, the model did.')
    : of(false, 'The model used a tool, but not the one it was offered or not with what it takes.')
}

/** A text that every language model continues, and two ways of which any prefers the first. */
const context = 'The capital of France is'
const [likely, unlikely] = [' Paris', ' xylophone']

async function probeLoglikelihood(client: ModelClient, options: CallOptions): Promise<ProbeResult> {
  const of = (verified: boolean, detail: string): ProbeResult => ({ capability: 'loglikelihood', verified, detail })
  if (!client.loglikelihood) return of(false, 'The protocol of this connection has no log-likelihoods.')
  const first = await client.loglikelihood({ context, continuation: likely }, options)
  if (!first.ok) return of(false, first.message)
  const second = await client.loglikelihood({ context, continuation: unlikely }, options)
  if (!second.ok) return of(false, second.message)
  const found = `“${context}${likely}” has ${first.logprob.toFixed(2)} nats and “…${unlikely}” ${second.logprob.toFixed(2)}`
  return first.logprob > second.logprob ? of(true, `${found}.`) : of(false, `${found}, which no language model would say.`)
}
