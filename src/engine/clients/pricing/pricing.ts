import type { Rates } from '../../../contract/catalog/models.schemas.ts'
import { isMediaPart, type MessageContent } from '../../../contract/messages/messages.schemas.ts'
import { mostTokensOf } from '../tokens/media-tokens.ts'
import { textBytes } from '../tokens/text-bytes.ts'
import type { CallOutcome, ModelClient, ModelRequest, Turn } from '../model-client.ts'
import type { Usage, UsageParts } from '../usage/usage.ts'

/**
 * What model calls cost: the one place where tokens become money. Quote, hold, reserve, meter and settle call it.
 *
 * - Money is whole micro-USD (`bigint`). Rates are micro-USD per million tokens.
 * - A call costs what its provider states, or else the sum of its tokens × their rates, exactly: both are whole 1e-12 USD. The sum of a
 *   run's calls is rounded up, not each of them (`exact-sum.ts`), so it equals the provider's own books.
 * - Tokens of a kind with a rate of its own (cached, written to a cache, reasoning, media) cost that rate, and otherwise the rate of their
 *   side. Bounds take the highest rate of a side, since what a provider's cache holds is unknown before the call.
 * - reserve of a call = bound of `promptTokensAtMost` and `maxOutputTokens`: no call costs more, as long as the provider keeps the
 *   output limit that it is sent. Where it does not, the cap reserves more from then on (`spend-cap.ts`).
 * - What a call without a count costs is unknown: its reserve stays set aside.
 * - upper bound of a run = sum of the reserves of all the calls that it can make (see `samples/sample-bound.ts`). A run that may spend
 *   its upper bound is therefore never stopped by its cap.
 */
export interface TokenRates {
  readonly inputMicroUsdPerMillion: bigint
  readonly outputMicroUsdPerMillion: bigint
  /** Of kinds of tokens with a rate of their own. */
  readonly parts?: Readonly<Partial<Record<keyof UsageParts, bigint>>>
}

const inputParts = ['cachedInput', 'cacheWrite', 'audioInput', 'imageInput'] as const
const outputParts = ['audioOutput', 'reasoning'] as const

/** What each message takes beside its text: role, separators, the name of a tool call. */
const tokensPerMessage = 16
/** What providers add to a prompt that offers tools. */
const tokensForTools = 512
/**
 * A model's own earlier answer counts at most so many times its output limit: the provider has counted it once as output, and its
 * tokenizer may cut it up a little differently as a part of a prompt.
 */
const ownAnswerFactor = 2
/** Bytes of a token of ordinary text. */
const usualBytesPerToken = 4
/** Tokens of an answer while nothing is known of the model: a short worked solution. */
export const usualAnswerTokens = 200

/** Null where the rates are not known, so that no price can be told. */
export function tokenRates(rates: Rates | null): TokenRates | null {
  if (!rates) return null
  return {
    inputMicroUsdPerMillion: BigInt(rates.input_microusd_per_million),
    outputMicroUsdPerMillion: BigInt(rates.output_microusd_per_million),
    parts: Object.fromEntries(partRates(rates)),
  }
}

function partRates(rates: Rates): (readonly [keyof UsageParts, bigint])[] {
  const stated: Readonly<Record<keyof UsageParts, string | undefined>> = {
    cachedInput: rates.cached_input_microusd_per_million,
    cacheWrite: rates.cache_write_microusd_per_million,
    imageInput: rates.image_input_microusd_per_million,
    audioInput: rates.audio_input_microusd_per_million,
    reasoning: rates.reasoning_microusd_per_million,
    audioOutput: rates.audio_output_microusd_per_million,
  }
  return [...inputParts, ...outputParts].flatMap(name => (stated[name] === undefined ? [] : [[name, BigInt(stated[name])] as const]))
}

/** Whether calls at these rates are known to cost something. */
export function isCharged(rates: TokenRates | null): rates is TokenRates {
  if (rates === null) return false
  return [rates.inputMicroUsdPerMillion, rates.outputMicroUsdPerMillion, ...Object.values(rates.parts ?? {})].some(rate => rate > 0n)
}

/** In 1e-12 USD, exactly. */
export function exactPriceOf({ inputTokens, outputTokens, parts = {} }: Usage, rates: TokenRates): bigint {
  const side = (tokens: number, rate: bigint, names: readonly (keyof UsageParts)[]) => {
    let left = tokens
    let price = 0n
    for (const name of names) {
      const own = rates.parts?.[name]
      if (own === undefined) continue
      // Kinds may overlap, such as audio in a cache: each token is priced once.
      const counted = Math.min(parts[name] ?? 0, left)
      left -= counted
      price += BigInt(counted) * own
    }
    return price + BigInt(left) * rate
  }
  return side(inputTokens, rates.inputMicroUsdPerMillion, inputParts) + side(outputTokens, rates.outputMicroUsdPerMillion, outputParts)
}

/** Micro-USD, rounded up. */
export function priceOf(usage: Usage, rates: TokenRates): bigint {
  return roundedUp(exactPriceOf(usage, rates))
}

/** Micro-USD of so many tokens at most, whatever their kinds. */
export function boundOf({ inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>, rates: TokenRates): bigint {
  const highest = (rate: bigint, names: readonly (keyof UsageParts)[]) =>
    names.reduce((most, name) => ((rates.parts?.[name] ?? 0n) > most ? (rates.parts?.[name] ?? 0n) : most), rate)
  const exact =
    BigInt(inputTokens) * highest(rates.inputMicroUsdPerMillion, inputParts) +
    BigInt(outputTokens) * highest(rates.outputMicroUsdPerMillion, outputParts)
  return roundedUp(exact)
}

/** @param picoUsd 1e-12 USD */
function roundedUp(picoUsd: bigint): bigint {
  return (picoUsd + 999_999n) / 1_000_000n
}

/**
 * Tokens of a request's prompt at most, for any tokenizer: those in use cut text into pieces of at least one byte, so a text never has
 * more tokens than bytes. English has four to five times fewer; no smaller factor is true for every script, code and number.
 */
export function promptTokensAtMost({
  messages,
  tools = [],
  maxOutputTokens,
  given = 0,
}: Pick<ModelRequest, 'messages' | 'tools' | 'maxOutputTokens' | 'given'>): number {
  const offered = tools.length === 0 ? 0 : tokensForTools + bytesOf(JSON.stringify(tools))
  return messages.reduce((sum, message, i) => sum + messageTokensAtMost(message, i < given ? null : maxOutputTokens), offered)
}

/** @param maxOutputTokens of the model's own answers; null for a message that was given */
function messageTokensAtMost(message: Turn, maxOutputTokens: number | null): number {
  const calls = 'toolCalls' in message ? message.toolCalls.map(call => call.name + call.arguments).join('') : ''
  const bytes = textBytes(message.content) + bytesOf(calls)
  const text = message.role === 'assistant' && maxOutputTokens !== null ? Math.min(bytes, ownAnswerTokensAtMost(maxOutputTokens)) : bytes
  return text + mediaTokensAtMost(message.content) + tokensPerMessage
}

/** Of the files of a message. */
export function mediaTokensAtMost(content: MessageContent): number {
  if (typeof content === 'string') return 0
  return content.reduce((sum, part) => sum + (isMediaPart(part) ? mostTokensOf[part.type] : 0), 0)
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
  return boundOf({ inputTokens: promptTokensAtMost(request), outputTokens: request.maxOutputTokens }, rates)
}

/** What measuring each choice as a continuation of the prompt can cost at most: a call each, which repeats the prompt. */
export function reserveForChoices(request: ModelRequest, choices: readonly string[], rates: TokenRates): bigint {
  const prompt = promptTokensAtMost(request)
  return choices.reduce(
    (sum, choice) => sum + boundOf({ inputTokens: prompt + bytesOf(choice) + 1, outputTokens: request.maxOutputTokens }, rates),
    0n,
  )
}

/**
 * What is known of a call's cost, in 1e-12 USD: as its provider states it, or by its count. A call without either costs nothing that is
 * known; `isBillUnknown` says whether it may be billed.
 */
export function meterCall(outcome: CallOutcome, rates: TokenRates | null): bigint {
  if (outcome.statedPicoUsd !== undefined) return BigInt(outcome.statedPicoUsd)
  return outcome.usage && rates ? exactPriceOf(outcome.usage, rates) : 0n
}

/** Prompt with its files and answer, before it is known what the provider will count: for limits of tokens per minute, not for money. */
export function usualTokens(request: ModelRequest, client: Pick<ModelClient, 'fileTokens'> | null): number {
  return usualPromptTokens(request) + (client?.fileTokens?.(request) ?? 0) + Math.min(request.maxOutputTokens, usualAnswerTokens)
}

/** Of a prompt of ordinary text, without its files. */
export function usualPromptTokens({ messages }: ModelRequest): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + textBytes(content), 0) / usualBytesPerToken)
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
