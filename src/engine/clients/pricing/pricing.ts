import type { Rates } from '../../../contract/index.ts'
import type { CallOutcome, ModelRequest, Turn } from '../model-client.ts'

/**
 * What model calls cost: the one place where tokens become money. Quote, hold, reserve, meter and settle call it.
 *
 * - Money is whole micro-USD (`bigint`). Rates are micro-USD per million tokens.
 * - price = ⌈(input tokens × input rate + output tokens × output rate) / 1,000,000⌉, rounded up once per call.
 * - reserve of a call = price of `promptTokensAtMost` and `maxOutputTokens`: no call costs more, as long as the provider keeps the
 *   output limit that it is sent.
 * - upper bound of a run = sum of the reserves of all the calls that it can make (see `samples/sample-bound.ts`). A run that may spend
 *   its upper bound is therefore never stopped by its cap.
 */
export interface TokenRates {
  readonly inputMicroUsdPerMillion: bigint
  readonly outputMicroUsdPerMillion: bigint
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What each message takes beside its text: role, separators, the name of a tool call. */
const tokensPerMessage = 16
/** What providers add to a prompt that offers tools. */
const tokensForTools = 512
/**
 * A model's own earlier answer counts at most so many times its output limit: the provider has counted it once as output, and its
 * tokenizer may cut it up a little differently as a part of a prompt.
 */
const ownAnswerFactor = 2
/** Bytes of a token of ordinary text, where a provider counts none. */
const usualBytesPerToken = 4
/** Tokens of an answer while nothing is known of the model: a short worked solution. */
export const usualAnswerTokens = 200

/** Null where the rates are not known, so that no price can be told. */
export function tokenRates(rates: Rates | null): TokenRates | null {
  if (!rates) return null
  return {
    inputMicroUsdPerMillion: BigInt(rates.input_microusd_per_million),
    outputMicroUsdPerMillion: BigInt(rates.output_microusd_per_million),
  }
}

/** Whether calls at these rates are known to cost something. */
export function isCharged(rates: TokenRates | null): rates is TokenRates {
  return rates !== null && (rates.inputMicroUsdPerMillion > 0n || rates.outputMicroUsdPerMillion > 0n)
}

/** Micro-USD, rounded up. */
export function priceOf({ inputTokens, outputTokens }: TokenCount, rates: TokenRates): bigint {
  const exact = BigInt(inputTokens) * rates.inputMicroUsdPerMillion + BigInt(outputTokens) * rates.outputMicroUsdPerMillion
  return (exact + 999_999n) / 1_000_000n
}

/**
 * Tokens of a request's prompt at most, for any tokenizer: those in use cut text into pieces of at least one byte, so a text never has
 * more tokens than bytes. English has four to five times fewer; no smaller factor is true for every script, code and number.
 */
export function promptTokensAtMost({
  messages,
  tools = [],
  maxOutputTokens,
}: Pick<ModelRequest, 'messages' | 'tools' | 'maxOutputTokens'>): number {
  const offered = tools.length === 0 ? 0 : tokensForTools + bytesOf(JSON.stringify(tools))
  return messages.reduce((sum, message) => sum + messageTokensAtMost(message, maxOutputTokens), offered)
}

function messageTokensAtMost(message: Turn, maxOutputTokens: number): number {
  const calls = 'toolCalls' in message ? message.toolCalls.map(call => call.name + call.arguments).join('') : ''
  const bytes = bytesOf(message.content) + bytesOf(calls)
  return message.role === 'assistant'
    ? Math.min(bytes, ownAnswerTokensAtMost(maxOutputTokens)) + tokensPerMessage
    : bytes + tokensPerMessage
}

/** Of one earlier answer in a later prompt. */
function ownAnswerTokensAtMost(maxOutputTokens: number): number {
  return ownAnswerFactor * maxOutputTokens
}

/** What a turn adds to the prompts of all later turns at most: the answer, and what its tools said to it. */
export function turnTokensAtMost({ maxOutputTokens, observationBytes, observations }: TurnSize): number {
  return ownAnswerTokensAtMost(maxOutputTokens) + observationBytes + tokensPerMessage * (1 + observations)
}

export interface TurnSize {
  readonly maxOutputTokens: number
  /** Of all observations of one turn together. */
  readonly observationBytes: number
  /** Messages with observations in one turn. */
  readonly observations: number
}

/** What a call can cost at most. */
export function reserveForCall(request: ModelRequest, rates: TokenRates): bigint {
  return priceOf({ inputTokens: promptTokensAtMost(request), outputTokens: request.maxOutputTokens }, rates)
}

/** What measuring each choice as a continuation of the prompt can cost at most: a call each, which repeats the prompt. */
export function reserveForChoices(request: ModelRequest, choices: readonly string[], rates: TokenRates): bigint {
  const prompt = promptTokensAtMost(request)
  return choices.reduce(
    (sum, choice) => sum + priceOf({ inputTokens: prompt + bytesOf(choice) + 1, outputTokens: request.maxOutputTokens }, rates),
    0n,
  )
}

/**
 * What a call cost: by the provider's count, or, where it gives none, by the usual length of a token. A call without an answer costs
 * what its provider counted for the part that was answered, and otherwise nothing that is known.
 */
export function meterCall(request: ModelRequest, outcome: CallOutcome, rates: TokenRates): bigint {
  if (outcome.usage) return priceOf(outcome.usage, rates)
  if (!outcome.ok) return 0n
  const outputTokens = Math.min(request.maxOutputTokens, Math.ceil(bytesOf(outcome.output) / usualBytesPerToken))
  return priceOf({ inputTokens: usualPromptTokens(request), outputTokens }, rates)
}

/** Prompt and answer together, before it is known what the provider will count: for limits of tokens per minute, not for money. */
export function usualTokens(request: ModelRequest): number {
  return usualPromptTokens(request) + Math.min(request.maxOutputTokens, usualAnswerTokens)
}

function usualPromptTokens({ messages }: ModelRequest): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + bytesOf(content), 0) / usualBytesPerToken)
}

/** What is set aside for a run: its upper bound, or its cap where that is smaller. */
export function holdFor(cap: bigint, upperBound: bigint): bigint {
  return cap < upperBound ? cap : upperBound
}

/** What is left of a hold at the end; negative where the calls in flight cost more than was held. */
export function restOfHold(held: bigint, charged: bigint): bigint {
  return held - charged
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
