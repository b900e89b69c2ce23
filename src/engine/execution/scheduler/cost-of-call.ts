import type { CallOutcome, ModelRequest } from '../../clients/model-client.ts'
import type { MoneyPlan, Usage } from './ports.ts'

/** A token of common tokenizers is at least this many bytes on the whole, in any language; English has twice as many. */
const leastBytesPerToken = 2
/** Roles and separators around each message. */
const tokensPerMessage = 16
/** Of ordinary text. */
const usualCharactersPerToken = 4
/** Of an answer while nothing is known of the model: a short worked solution. */
const usualAnswerTokens = 200

/** Micro-USD, rounded up: what is shown as spent must not flatter. */
export function costOf({ inputTokens, outputTokens }: Usage, { inputRate, outputRate }: MoneyPlan): bigint {
  return (BigInt(inputTokens) * inputRate + BigInt(outputTokens) * outputRate + 999_999n) / 1_000_000n
}

/** What a call can cost at most: the longest answer, and a prompt that the tokenizer cuts as finely as they do. */
export function worstCase(request: ModelRequest, money: MoneyPlan): bigint {
  const bytes = request.messages.reduce((sum, message) => sum + Buffer.byteLength(message.content), 0)
  const inputTokens = Math.ceil(bytes / leastBytesPerToken) + request.messages.length * tokensPerMessage
  return costOf({ inputTokens, outputTokens: request.maxOutputTokens }, money)
}

/** What a call cost: by the provider's count, or, where it gives none, by the usual length of a token. A call without an answer costs nothing that is known. */
export function actualCost(request: ModelRequest, outcome: CallOutcome, money: MoneyPlan): bigint {
  if (!outcome.ok) return 0n
  return costOf(
    outcome.usage ?? { inputTokens: promptTokens(request), outputTokens: Math.ceil(outcome.output.length / usualCharactersPerToken) },
    money,
  )
}

/** Prompt and answer together, before it is known what the provider will count. */
export function expectedTokens(request: ModelRequest): number {
  return promptTokens(request) + Math.min(request.maxOutputTokens, usualAnswerTokens)
}

function promptTokens({ messages }: ModelRequest): number {
  return Math.ceil(messages.reduce((sum, message) => sum + message.content.length, 0) / usualCharactersPerToken)
}
