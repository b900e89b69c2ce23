import type { ConnectionCheck } from '../../contract/index.ts'
import type { ModelClient } from '../../engine/model-clients/model-client.ts'

/** One small question; how it went is the check. */
export async function checkConnection(
  client: ModelClient,
  streaming: boolean,
  checkedAt: string,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const outcome = await client.call(
    { messages: [{ role: 'user', content: 'Reply with the single word: ready' }], temperature: null, maxOutputTokens: 16, stop: [] },
    { signal },
  )
  if (!outcome.ok) {
    return {
      checked_at: checkedAt,
      ok: false,
      code: outcome.code,
      message: outcome.message,
      latency_ms: outcome.latencyMs,
      streaming: null,
      reports_usage: null,
    }
  }
  return {
    checked_at: checkedAt,
    ok: true,
    code: null,
    message: outcome.output.trim() ? 'It answers.' : 'It answers, though with an empty text.',
    latency_ms: outcome.latencyMs,
    streaming: streaming ? true : null,
    reports_usage: outcome.usage !== null,
  }
}
