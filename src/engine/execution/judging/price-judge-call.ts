import type { Rates } from '../../../contract/catalog/models.schemas.ts'
import type { MediaPart } from '../../../contract/messages/messages.schemas.ts'
import type { CallOutcome, ModelRequest } from '../../clients/model-client.ts'
import { exactSum } from '../../clients/pricing/exact-sum.ts'
import { isCharged, meterCall, priceOf, reserveForCall, tokenRates, usualPromptTokens, usualTokens } from '../../clients/pricing/pricing.ts'

/** What a judge's calls cost; null where they cost nothing that is known. */
export interface JudgePrices {
  /** Micro-USD that a call can cost at most. */
  reserve(request: ModelRequest): bigint
  /** Micro-USD that a call with so long a reply costs as a rule, without its files. */
  usual(request: ModelRequest, outputTokens: number): bigint
  /** Micro-USD of so many tokens of files in prompts. */
  files(tokens: Readonly<Record<MediaPart['type'], number>>): bigint
  /** Micro-USD to book for it. */
  meter(outcome: CallOutcome): bigint
}

/** The one place where judging asks the product's pricing. */
export function judgePrices(known: Rates | null): JudgePrices | null {
  const rates = tokenRates(known)
  if (!isCharged(rates)) return null
  const booked = exactSum()
  const files: JudgePrices['files'] = ({ image, audio, document }) =>
    priceOf({ inputTokens: image + audio + document, outputTokens: 0, parts: { imageInput: image, audioInput: audio } }, rates)
  const usual: JudgePrices['usual'] = (request, outputTokens) => priceOf({ inputTokens: usualPromptTokens(request), outputTokens }, rates)
  return { reserve: request => reserveForCall(request, rates), usual, files, meter: outcome => booked(meterCall(outcome, rates)) }
}

/** For limits of tokens per minute. */
export const usualJudgeTokens = usualTokens
