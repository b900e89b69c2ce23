import type { Effort } from '../../../contract/catalog/models.schemas.ts'
import type { MessageContent } from '../../../contract/messages/messages.schemas.ts'
import {
  boundOf,
  mediaTokensAtMost,
  promptTokensAtMost,
  reserveForCall,
  reserveForChoices,
  type TokenRates,
  turnTokensAtMost,
} from '../../clients/pricing/pricing.ts'
import { textBytes } from '../../clients/tokens/text-bytes.ts'
import type { Task } from '../../tasks/task.ts'
import { cutNoteBytes, maxToolCalls, openingRequest } from '../environments/episode.ts'
import type { EnvironmentSetting } from '../../tasks/definition.ts'
import { playableFamily } from '../environments/families/families.ts'
import { measuredTexts, requestFor, type SampleSettings } from './sample-request.ts'

export interface SampleCalls {
  readonly effort: Effort | null
  /** Tries at one sample, the first included. */
  readonly maxAttempts: number
}

/**
 * What one sample can cost at most, in micro-USD, its retries included. With the reserves r₁ … rₙ of its calls in order: an attempt
 * that fails has paid for all but the last at most, and the last attempt for all, so (attempts − 1) × (r₁ + … + rₙ₋₁) + (r₁ + … + rₙ).
 */
export function sampleUpperBound(settings: SampleSettings, task: Task, { effort, maxAttempts }: SampleCalls, rates: TokenRates): bigint {
  const reserves = callReserves(settings, task, effort, rates)
  const all = reserves.reduce((sum, reserve) => sum + reserve, 0n)
  return BigInt(maxAttempts) * all - BigInt(maxAttempts - 1) * (reserves.at(-1) ?? 0n)
}

/** The reserve of each call of a sample, in order; as the scheduler sets it aside, or more where that depends on earlier answers. */
function callReserves(settings: SampleSettings, task: Task, effort: Effort | null, rates: TokenRates): bigint[] {
  const request = requestFor(settings, task, effort)
  if (settings.environment) return turnReserves(settings.environment, task, request, rates)
  if (task.turns && task.turns.length > 0) return dialogueReserves(task.turns, request, rates)
  const measured = measuredTexts(settings, task)
  return measured ? measured.map(choice => reserveForChoices(request, [choice], rates)) : [reserveForCall(request, rates)]
}

/** Each scripted turn's prompt holds the turns before it and the answers to them, as long as they can be. */
function dialogueReserves(turns: readonly MessageContent[], request: ReturnType<typeof requestFor>, rates: TokenRates): bigint[] {
  const { maxOutputTokens: outputTokens } = request
  let inputTokens = promptTokensAtMost(request)
  const reserves = [boundOf({ inputTokens, outputTokens }, rates)]
  for (const content of turns) {
    inputTokens += turnTokensAtMost({ maxOutputTokens: outputTokens, observationBytes: textBytes(content), observations: 1 })
    inputTokens += mediaTokensAtMost(content)
    reserves.push(boundOf({ inputTokens, outputTokens }, rates))
  }
  return reserves
}

/** Each turn's prompt holds all turns before it, each as long as it can be. */
function turnReserves(setting: EnvironmentSetting, task: Task, request: ReturnType<typeof requestFor>, rates: TokenRates): bigint[] {
  const family = playableFamily(setting)
  const { tools = [] } = family ?? {}
  // After a turn comes what its tools answered, or what the user says.
  const observationBytes = Math.max(family?.observationBytes ?? 0, family?.replyBytes(task) ?? 0)
  const { maxOutputTokens } = request
  const opening = promptTokensAtMost(openingRequest({ protocol: setting.protocol, tools, request }))
  const turn = turnTokensAtMost({
    maxOutputTokens,
    observationBytes: observationBytes + maxToolCalls * cutNoteBytes,
    observations: maxToolCalls,
  })
  return Array.from({ length: setting.maxTurns }, (_, earlier) =>
    boundOf({ inputTokens: opening + earlier * turn, outputTokens: maxOutputTokens }, rates),
  )
}
