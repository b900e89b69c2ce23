/**
 * How an answer can end. `good` and `tool_calls`: as the model meant it. `cut_off`: at a token limit. `refused`: by the model, or by a
 * filter of the provider. `failed`: the provider broke off or never finished, so that another attempt is worth making.
 */
export type Ending = 'good' | 'tool_calls' | 'cut_off' | 'refused' | 'failed'

/**
 * Every word by which a provider, a server or another tool's log says why an answer ended, in the form that `wordOf` gives it. Read in
 * November 2026 from the sources named; a word that is in none of them is unknown.
 */
const words: Readonly<Record<Ending, readonly string[]>> = {
  good: [
    // OpenAI and what copies it; a completed response
    'stop',
    'completed',
    // Anthropic, Bedrock (anthropic-sdk-python types/stop_reason.py; botocore bedrock-runtime StopReason)
    'end_turn',
    'stop_sequence',
    // Cohere (cohere-python ChatFinishReason: COMPLETE, STOP_SEQUENCE)
    'complete',
    // Together (openapi FinishReason), text-generation-inference
    'eos',
    'eos_token',
    // LM Studio (lmstudio docs, llmPredictionStopReason)
    'eos_found',
    'stop_string_found',
    // A2A: a task that was completed, and an agent that answers without one (a2a.proto TaskState)
    'task_state_completed',
    'message',
  ],
  tool_calls: ['tool_calls', 'function_call', 'tool_use', 'tool_call'],
  cut_off: [
    // OpenAI; Anthropic, Gemini, Cohere, Bedrock; responses
    'length',
    'max_tokens',
    'max_output_tokens',
    // Anthropic, Bedrock, Z.AI
    'model_context_window_exceeded',
    // Cohere
    'error_limit',
    // Mistral (client-python FinishReason), Inspect logs
    'model_length',
    // vLLM: stopped since the model repeated itself
    'repetition',
    // LM Studio
    'context_length_reached',
    'max_predicted_tokens_reached',
  ],
  refused: [
    // OpenAI, Azure, responses; Anthropic; Bedrock
    'content_filter',
    'content_filtered',
    'refusal',
    'guardrail_intervened',
    // Gemini (python-genai types.py FinishReason), also unchanged through its OpenAI form
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'language',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
    'image_other',
    'model_armor',
    // Z.AI (docs.bigmodel.cn)
    'sensitive',
    // Cohere
    'error_toxic',
    // An answer without candidates: the prompt itself was blocked
    'prompt_blocked',
  ],
  failed: [
    // OpenRouter, Cohere, Mistral, Fireworks
    'error',
    'timeout',
    'user_cancel',
    // Responses (openai-python ResponseStatus); what is not finished is not an answer
    'failed',
    'cancelled',
    'canceled',
    'queued',
    'in_progress',
    // Anthropic: the turn continues in another request, which is never sent here
    'pause_turn',
    'compaction',
    // Gemini, Bedrock: the model broke its own tool call
    'malformed_function_call',
    'unexpected_tool_call',
    'too_many_tool_calls',
    'missing_thought_signature',
    'malformed_response',
    'malformed_model_output',
    'malformed_tool_use',
    // DeepSeek (api-docs.deepseek.com), Z.AI
    'insufficient_system_resource',
    'network_error',
    // vLLM, SGLang
    'abort',
    'aborted',
    // Ollama: the model was loaded or unloaded and generated nothing
    'load',
    'unload',
    // LM Studio
    'user_stopped',
    'model_unloaded',
  ],
}

const endings: ReadonlyMap<string, Ending> = new Map(
  Object.entries(words).flatMap(([ending, all]) => all.map(word => [word, ending as Ending] as const)), // the keys are its own
)

/** `contextLengthReached`, `MAX_TOKENS`, `content-filter` and `FinishReason.STOP` as one form of word. */
function wordOf(text: string): string {
  return text
    .trim()
    .replace(/^finish_?reason[._]/i, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase()
}

/**
 * How an answer ended by what its provider says; null where it says nothing, `unknown` where no source explains the word. Some gateways
 * put a reason behind the word: `content_filter: PROHIBITED_CONTENT`.
 */
export function endingOf(finishReason: string | null): Ending | 'unknown' | null {
  if (finishReason === null) return null
  // Most providers write the word unchanged, and each answer's is read several times.
  const written = endings.get(finishReason)
  if (written) return written
  if (/^(?:null|none)?$/i.test(finishReason.trim())) return null
  const [first = ''] = finishReason.split(/[:;,(]/)
  return endings.get(wordOf(finishReason)) ?? endings.get(wordOf(first)) ?? 'unknown'
}
