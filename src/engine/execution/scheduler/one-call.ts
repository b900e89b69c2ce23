import { promptText } from '../../../contract/messages/message-text.ts'
import { failureCodes } from '../../../contract/runs/failure-codes.ts'
import { answerAsBaseline } from '../baselines/answer-as-baseline.ts'
import { measureAsBaseline } from '../baselines/measure-as-baseline.ts'
import { examineAnswer } from '../../clients/examine-answer.ts'
import { isThrottled } from '../../clients/is-throttled.ts'
import { scoreChoices } from '../../clients/loglikelihood/score-choices.ts'
import type { CallOutcome, Failure, ModelRequest, OpenWork } from '../../clients/model-client.ts'
import { isCharged, meterCall, reserveForCall, reserveForChoices, type TokenRates, usualTokens } from '../../clients/pricing/pricing.ts'
import { findTruncation } from '../../clients/usage/find-truncation.ts'
import { isBillUnknown } from '../../clients/pricing/unknown-bill.ts'
import type { Task } from '../../tasks/task.ts'
import { formatUsdPair } from '../../../lib/format/money.ts'
import { failuresToOpen, type Streak } from './circuit-breaker.ts'
import type { CallEnd } from './endpoint-limiter.ts'
import type { ClaimedSample, StopReason } from './ports.ts'
import type { SampleContext } from './sample-context.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

export interface Question {
  readonly sample: ClaimedSample
  readonly attempt: number
  readonly task: Task
  readonly request: ModelRequest
  /** Of the profile; for the baseline that says it. */
  readonly majorityTarget: string | null
  /** Choices whose likelihood is measured instead; null where an answer is generated. */
  readonly measured: readonly string[] | null
  /** Of the sample. */
  readonly time: TimeLimit
  /** Nothing was sent for the sample so far. */
  readonly isFirst: boolean
  /** Of all attempts for it. */
  readonly work: OpenWork
}

/** One call, or why there was none. */
export interface Call {
  readonly outcome: CallOutcome
  /** Micro-USD that are known. */
  readonly cost: bigint
  /** The provider may bill more than is known. */
  readonly isBillUnknown: boolean
  /** Micro-USD that it may bill beyond the cost at most. */
  readonly uncertain: bigint
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly finishedAt: number
  /** The endpoint's failures in a row, where this call is one of them. */
  readonly streak: Streak | null
  readonly isFirstOfStreak: boolean
  /** The endpoint takes no calls now: the failure is not an attempt. */
  readonly isRefused: boolean
  /** Turns of an episode that ended before its last call. */
  readonly turnsBefore: number
  /** The run was stopped while it was in flight: a failure then says nothing about its sample. */
  readonly isTooLate: boolean
}

/** Whether the process closes under the call: the sample is picked up at the next start. */
export function isCutOff({ closing }: SampleContext, { outcome }: Call): boolean {
  return closing() && !outcome.ok && outcome.code === 'cancelled'
}

/** Waits until the run's cap and the endpoint let a call through, and makes it. */
export async function oneCall(context: SampleContext, question: Question): Promise<Call> {
  const { plan, ports, limiter, spending, waited } = context
  const { request, measured, time } = question
  // It looks files up, which can fail: before anything is set aside.
  const tokens = usualTokens(request, plan.model.kind === 'endpoint' ? plan.model.client : null)
  const rates = plan.money?.rates ?? null
  const reserve = rates ? reserveFor(request, measured, rates) : 0n
  const settle = (cost: bigint) => spending?.settle(reserve, cost)
  if (spending && !(await spending.reserve(reserve))) {
    const [cost, left] = formatUsdPair(String(reserve), String(spending.left() ?? 0n))
    const message = `Spending limit reached: the next call could cost ${cost} and ${left} is left. Raise the limit to continue.`
    context.stop({ code: 'cap_reached', message }, 'finish')
    return ended(context, notAsked)
  }
  const asked = ports.monotonic()
  const { stopSignal, callSignal } = context
  // Whatever ends calls in flight lets no other begin.
  const until = time.signal === callSignal ? stopSignal : AbortSignal.any([time.signal, stopSignal])
  const permit = await limiter.acquire(until, tokens, question.sample)
  waited(ports.monotonic() - asked)
  if (!permit) {
    settle(0n)
    if (!time.over()) return ended(context, notAsked)
    return ended(context, question.isFirst ? notAskedInTime : { ...notAsked, ...outOfTime('this sample') })
  }
  const startedAt = ports.now()
  try {
    // Only what leaves the machine can be billed.
    // A batch keeps its calls itself.
    if (plan.model.kind === 'endpoint' && !plan.model.isBatched) ports.store.begin(plan.runNo, question.sample, question.attempt)
  } catch (error) {
    settle(0n)
    limiter.release(permit, neverMade)
    throw error
  }
  const { outcome, isOwnLimit } = await ask(context, question)
  // A call that the run itself gives too little time says nothing about the endpoint.
  const streak = isOwnLimit ? null : limiter.circuit.note(outcome)
  const isFirstOfStreak = streak?.failures === 1
  if (streak && failsFast(context) && streak.failures >= failuresToOpen) context.stop(stopFor(outcome, streak))
  const isTooLate = stopSignal.aborted
  // Before the place is free, so that no further call begins.
  if (!outcome.ok && failureCodes[outcome.code].fatal) context.stop({ code: outcome.code, message: outcome.message }, 'finish')
  const isRefused = limiter.release(permit, callEnd(outcome))
  const cost = plan.money ? context.booked(meterCall(outcome, rates)) : 0n
  // Answers without a count are usual where they are free.
  // Work that the next attempt continues is billed once, with that attempt.
  const isUnknown = isBillUnknown(outcome) && question.work.task === null && (!outcome.ok || isCharged(rates))
  // The cap must hold even if the call is billed in full.
  const uncertain = isUnknown && reserve > cost ? reserve - cost : 0n
  settle(cost + uncertain)
  return ended(context, outcome, {
    cost,
    isBillUnknown: isUnknown,
    uncertain,
    startedAt,
    streak,
    isFirstOfStreak,
    isRefused,
    turnsBefore: 0,
    isTooLate,
  })
}

function reserveFor(request: ModelRequest, measured: readonly string[] | null, rates: TokenRates): bigint {
  return measured ? reserveForChoices(request, measured, rates) : reserveForCall(request, rates)
}

function ended(
  { ports }: SampleContext,
  outcome: CallOutcome,
  made: Omit<Call, 'outcome' | 'finishedAt'> = {
    cost: 0n,
    isBillUnknown: false,
    uncertain: 0n,
    startedAt: ports.now(),
    streak: null,
    isFirstOfStreak: false,
    isRefused: false,
    turnsBefore: 0,
    isTooLate: false,
  },
): Call {
  return { outcome, ...made, finishedAt: ports.now() }
}

function failsFast({ plan }: SampleContext): boolean {
  return plan.model.kind === 'endpoint' && plan.model.limits.onThrottle === 'fail_fast'
}

function stopFor(outcome: CallOutcome, { failures }: Streak): StopReason {
  const [code, message] = outcome.ok ? (['unreachable', ''] as const) : [outcome.code, outcome.message]
  return { code, message: `${failures} calls in a row failed, and the connection fails fast: ${message}` }
}

/** Ends a call that takes longer than the run allows one, or longer than its sample has left; the connection's own limit is the client's. */
async function ask(
  { plan, ports, callSignal }: SampleContext,
  question: Question,
): Promise<{ readonly outcome: CallOutcome; readonly isOwnLimit: boolean }> {
  const { sample, task, request, majorityTarget, measured, time, work } = question
  if (plan.model.kind === 'baseline') {
    const asked = { task, prompt: request.messages, seed: plan.seed, epoch: sample.epoch, majorityTarget }
    const output = measured ? measureAsBaseline(plan.model.routeId, asked) : answerAsBaseline(plan.model.routeId, asked)
    return { outcome: { ...nothingSent, ok: true, output, finishReason: 'stop', refused: false, usage: null }, isOwnLimit: false }
  }
  if (plan.model.kind === 'imported') throw new Error('The answers of this run were imported; nothing can be called for it.')
  const { client, isBatched = false } = plan.model
  const attempt = startTimeLimit(isBatched ? null : plan.execution.attempt_timeout_ms, ports, time.signal)
  const { isUnconditional = false } = plan.profiles[sample.profileNo]?.byLoglikelihood ?? {}
  const { signal } = attempt
  const outcome = await (measured
    ? scoreChoices(client, { prompt: promptText(request.messages), choices: measured, isUnconditional }, signal)
    : client.call(request, { signal, work, ...(isBatched && { item: `${sample.position}.${question.attempt}` }) }))
  attempt.end()
  if (outcome.ok) {
    const { grade } = plan.profiles[sample.profileNo]?.generation ?? {}
    const answer = examineAnswer(outcome, { gradesReasoning: grade === 'output_and_reasoning', offersTools: request.tools !== undefined })
    // A measurement reads its prompt once for each choice.
    const truncation = measured ? null : findTruncation(request, answer, ports.countPrompt)
    const note = truncation && (await truncation)
    return { outcome: note ? { ...answer, notes: [...(answer.notes ?? []), note] } : answer, isOwnLimit: false }
  }
  if (outcome.code !== 'cancelled' || callSignal.aborted) return { outcome, isOwnLimit: false }
  return { outcome: { ...outcome, ...outOfTime(time.over() ? 'this sample' : 'one call of this run') }, isOwnLimit: true }
}

function outOfTime(whose: string): Pick<Failure, 'code' | 'message'> {
  return { code: 'timeout', message: `No complete answer within the time for ${whose}. Allow more, or ask for shorter answers.` }
}

export function callEnd(outcome: CallOutcome): CallEnd {
  const { latencyMs, announced = null } = outcome
  if (!outcome.ok) return { verdict: verdictOf(outcome), latencyMs, fault: outcome, announced, usedTokens: null }
  const { usage } = outcome
  return { verdict: 'success', latencyMs, fault: null, announced, usedTokens: usage && usage.inputTokens + usage.outputTokens }
}

function verdictOf(failure: Failure): CallEnd['verdict'] {
  if (isThrottled(failure)) return 'refused'
  if (failure.code === 'provider_failure') return failure.httpStatus !== null && failure.httpStatus < 300 ? 'broken_off' : 'broken'
  return failure.httpStatus === null ? 'unanswered' : 'failure'
}

export const neverMade: CallEnd = { verdict: 'unanswered', latencyMs: 0, fault: null, announced: null, usedTokens: 0 }

const nothingSent = { request: null, response: null, httpStatus: null, latencyMs: 0 } as const

export const notAsked: Failure = {
  ...nothingSent,
  ok: false,
  code: 'cancelled',
  message: 'Not asked: the run was stopped.',
  retryAfterMs: null,
}

/** The sample is missing, not failed: no call was made for it. */
const notAskedInTime: Failure = {
  ...notAsked,
  message: 'Not asked: the time for this sample was over before a call could be made. Allow more time or retry it.',
}
