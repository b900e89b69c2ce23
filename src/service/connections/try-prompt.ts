import type { PromptTrial, PromptTrialResult } from '../../contract/connections/connections.schemas.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'

/** One call, as a run would make it; its answer is shown and not kept. */
export async function tryPrompt(
  client: ModelClient,
  { prompt, max_output_tokens: maxOutputTokens }: PromptTrial,
  signal: AbortSignal,
): Promise<PromptTrialResult> {
  const outcome = await client.call(
    { messages: [{ role: 'user', content: prompt }], temperature: null, maxOutputTokens, stop: [] },
    { signal },
  )
  const nothing = { output: null, reasoning: null, finish_reason: null, input_tokens: null, output_tokens: null }
  if (!outcome.ok) return { ...nothing, ok: false, message: outcome.message, latency_ms: outcome.latencyMs }
  const { output, reasoning = null, finishReason, usage, latencyMs } = outcome
  return {
    ok: true,
    output,
    reasoning,
    finish_reason: finishReason,
    message: null,
    latency_ms: latencyMs,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
  }
}
