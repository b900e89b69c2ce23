import type { Connection, ConnectionCheck } from '../../contract/index.ts'
import type { Failure, ModelClient } from '../../engine/clients/model-client.ts'
import { probeCapability } from '../../engine/clients/probe-capability.ts'

/**
 * One small question; how it went is the check. An agent is only asked whether it is there, because a message would set it to work.
 * After that each capability that the connection claims is put to the proof.
 */
export async function checkConnection(
  client: ModelClient,
  { streaming, probes }: Pick<Connection, 'streaming' | 'probes'>,
  checkedAt: string,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const found = client.reach ? await client.reach({ signal }) : await ask(client, signal)
  if (!found.ok) return failed(found, checkedAt)
  const capabilities: ConnectionCheck['capabilities'] = []
  for (const capability of probes) capabilities.push(await probeCapability(client, capability, { signal }))
  return {
    checked_at: checkedAt,
    ok: true,
    code: null,
    message:
      'description' in found ? `It is there: ${found.description}.` : `Response received${found.output.trim() ? '' : ', but it is empty'}.`,
    latency_ms: found.latencyMs,
    streaming: streaming ? true : null,
    capabilities,
    reports_usage: 'description' in found ? null : found.usage !== null,
    empty_answer: 'output' in found && found.output.trim() === '',
  }
}

function ask(client: ModelClient, signal: AbortSignal) {
  return client.call(
    { messages: [{ role: 'user', content: 'Reply with the single word: ready' }], temperature: null, maxOutputTokens: 16, stop: [] },
    { signal },
  )
}

function failed({ code, message, latencyMs }: Failure, checkedAt: string): ConnectionCheck {
  return {
    checked_at: checkedAt,
    ok: false,
    code,
    message,
    latency_ms: latencyMs,
    streaming: null,
    capabilities: [],
    reports_usage: null,
    empty_answer: false,
  }
}
