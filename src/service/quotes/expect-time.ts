import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { usualAnswerTokens } from '../../engine/clients/pricing/pricing.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import type { SelectedModel } from './select-model.ts'

/** How long a model of a file takes, request after request; null where its speed is not known. */
export function expectTime(
  { speed }: Pick<SelectedModel, 'speed'>,
  { model_calls: calls, input_tokens: inputTokens, output_tokens_upper_bound: outputTokens }: Quote['counts'],
): Quote['time'] {
  const measured = speed?.()
  if (!measured) return null
  const answers = Math.min(outputTokens, calls * usualAnswerTokens)
  const seconds = inputTokens / measured.prompt + answers / measured.generated
  const shown = (perSecond: number) => formatNumber(perSecond, perSecond < 10 ? 1 : 0)
  return {
    estimated_seconds: Math.ceil(seconds),
    basis: `Time from a warm-up on this machine (${measured.measuredAt.slice(0, 10)}): ${shown(measured.prompt)} prompt tokens and ${shown(measured.generated)} generated tokens a second`,
  }
}
