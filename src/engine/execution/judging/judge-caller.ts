import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { endingOf } from '../../../contract/runs/endings.ts'
import { type FailureCode, failureCodes } from '../../../contract/runs/failure-codes.ts'
import { formatUsd } from '../../../lib/format/money.ts'
import { abandonWork, type Answer, type CallOutcome, type ModelClient, newWork, type OpenWork } from '../../clients/model-client.ts'
import { isBillUnknown } from '../../clients/pricing/unknown-bill.ts'
import type { JudgeAnswer, JudgeQuestion } from '../../grading/judges/judge-output.ts'
import type { JudgeReply } from '../../grading/judges/parse-verdict.ts'
import type { EndpointLimiter } from '../scheduler/endpoint-limiter.ts'
import { callEnd, neverMade } from '../scheduler/one-call.ts'
import { describeGivingUp, pauseBeforeRetry } from '../scheduler/retry-policy.ts'
import type { SpendCap } from '../scheduler/spend-cap.ts'
import type { Refusal } from '../scheduler/throttle-pause.ts'
import { type JudgeMeans, judgeRequest, verdictTool } from './judge-request.ts'
import { type JudgePrices, usualJudgeTokens } from './price-judge-call.ts'

/** Where one judge's calls go. */
export interface JudgeEndpoint extends JudgeMeans {
  /** For people, with what it is: `judge Small`. */
  readonly name: string
  readonly client: ModelClient
  readonly limiter: EndpointLimiter
  /** Fires with the error where the endpoint took no calls for as long as it is waited for. */
  readonly gaveUp: AbortSignal
  readonly prices: JudgePrices | null
  /** Payer; null for free calls. */
  readonly spending: SpendCap | null
}

/** One call that ended, to be stored before anything is made of it. */
export interface JudgeCallReport {
  readonly attempt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly outcome: CallOutcome
  /** Micro-USD that are known. */
  readonly cost: bigint
}

/** The calls of one question, durable. */
export interface JudgeCallLog {
  /** The stored reply of an earlier identical call; null if there is none. */
  answered(question: JudgeQuestion): JudgeReply | null
  /** Before a call. Answers its number among the question's calls. */
  open(question: JudgeQuestion, startedAt: number): Promise<number>
  /** In one transaction with what it cost. */
  close(question: JudgeQuestion, report: JudgeCallReport): Promise<void>
}

export interface JudgeCallerPorts {
  readonly endpoints: readonly JudgeEndpoint[]
  readonly log: JudgeCallLog
  readonly maxAttempts: number
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** No further call is made once aborted. */
  readonly signal: AbortSignal
}

/** Judges cannot be asked any further: their endpoint refuses for good, or has not answered for a while. What was answered is stored. */
export class JudgeUnavailableError extends Error {
  override readonly name = 'JudgeUnavailableError'
  readonly code: FailureCode | 'cap_reached'

  constructor(code: FailureCode | 'cap_reached', message: string) {
    super(message)
    this.code = code
  }
}

export function judgeGaveUp(judge: string, refusal: Refusal, patienceMs: number): JudgeUnavailableError {
  return new JudgeUnavailableError(refusal.code, `The ${judge} can't be used: ${refusal.message} ${describeGivingUp(refusal, patienceMs)}`)
}

function judgeErrorOf({ reason }: AbortSignal): JudgeUnavailableError {
  return reason instanceof JudgeUnavailableError ? reason : new JudgeUnavailableError('rate_limited', String(reason))
}

/** The part of an answer that is read for a verdict. Several calls of the tool make an array: they may contradict each other. */
export function judgeReply({ output, reasoning, toolCalls = [], finishReason, refused }: Answer): JudgeReply {
  const calls = toolCalls.filter(({ name }) => name === verdictTool).map(call => call.arguments)
  const structured = calls.length > 1 ? `[${calls.join(',')}]` : (calls[0] ?? null)
  return {
    text: output,
    structured,
    reasoned: reasoning !== undefined && reasoning.trim() !== '',
    finishReason: refused && endingOf(finishReason) !== 'refused' ? 'refusal' : finishReason,
  }
}

/** What the questions of one evaluation know of their judges together. */
export interface JudgeHealth {
  /** Questions in a row that failed, by judge. */
  readonly failures: number[]
  unavailable: JudgeUnavailableError | null
}

export function newJudgeHealth(judges: number): JudgeHealth {
  return { failures: Array.from({ length: judges }, () => 0), unavailable: null }
}

/** Questions in a row that failed after all their attempts: then the endpoint is taken for gone. */
const mostFailuresInRow = 20

/**
 * Asks judges, each question at most once where its reply is stored: waits for the spending limit and the endpoint, retries what passes,
 * and stores each call before its reply is used.
 * @throws JudgeUnavailableError from then on, once nothing more can be asked
 */
export function createJudgeCaller(ports: JudgeCallerPorts, health: JudgeHealth) {
  const { failures } = health
  const giveUp = (code: FailureCode | 'cap_reached', message: string): never => {
    health.unavailable ??= new JudgeUnavailableError(code, message)
    throw health.unavailable
  }

  const callOnce = async (
    definition: JudgeDefinition,
    question: JudgeQuestion,
    endpoint: JudgeEndpoint,
    work: OpenWork,
  ): Promise<{ readonly outcome: CallOutcome; readonly isRefused: boolean }> => {
    const { limiter, client, prices, spending, gaveUp } = endpoint
    const request = judgeRequest(definition, question.judge, question.prompt, endpoint)
    // It looks files up, which can fail: before anything is set aside.
    const tokens = usualJudgeTokens(request, client)
    const worst = prices && spending ? prices.reserve(request) : 0n
    if (spending && worst > 0n && !(await spending.reserve(worst)))
      giveUp(
        'cap_reached',
        `Spending limit reached: the next call of the ${endpoint.name} could cost ${formatUsd(String(worst))} and ${formatUsd(String(spending.spent()))} is spent. Raise the limit to continue.`,
      )
    const settle = (cost: bigint) => (worst > 0n ? spending?.settle(worst, cost) : undefined)
    const permit = health.unavailable ? null : await limiter.acquire(AbortSignal.any([ports.signal, gaveUp]), tokens, question)
    if (permit === null) {
      settle(0n)
      if (health.unavailable) throw health.unavailable
      ports.signal.throwIfAborted()
      health.unavailable ??= judgeErrorOf(gaveUp)
      throw health.unavailable
    }
    let outcome: CallOutcome | null = null
    let spent = 0n
    let isRefused = false
    try {
      const startedAt = ports.now()
      const attempt = await ports.log.open(question, startedAt)
      outcome = await client.call(request, { signal: ports.signal, work })
      const cost = prices?.meter(outcome) ?? 0n
      // The cap must hold even if the call is billed in full.
      spent = isBillUnknown(outcome) && work.task === null ? worst : cost
      // A call that was broken off stays open: it may have been billed.
      if (!outcome.ok && outcome.code === 'cancelled') ports.signal.throwIfAborted()
      await ports.log.close(question, { attempt, startedAt, finishedAt: ports.now(), outcome, cost })
    } finally {
      isRefused = limiter.release(permit, outcome ? callEnd(outcome) : neverMade)
      settle(spent)
    }
    return { outcome, isRefused }
  }

  const askUntilAnswered = async (
    definition: JudgeDefinition,
    question: JudgeQuestion,
    endpoint: JudgeEndpoint,
    work: OpenWork,
  ): Promise<JudgeAnswer> => {
    for (let attempt = 1; ; ) {
      if (health.unavailable) throw health.unavailable
      ports.signal.throwIfAborted()
      const { outcome, isRefused } = await callOnce(definition, question, endpoint, work)
      if (outcome.ok) {
        failures[question.judge] = 0
        return { ok: true, ...judgeReply(outcome) }
      }
      if (failureCodes[outcome.code].fatal) giveUp(outcome.code, `The ${endpoint.name} can't be used: ${outcome.message}`)
      // It waits in the endpoint's own queue.
      if (isRefused) continue
      const pause = pauseBeforeRetry(outcome, attempt++, ports.maxAttempts, ports.random)
      if (pause === null) {
        const inRow = (failures[question.judge] ?? 0) + 1
        failures[question.judge] = failureCodes[outcome.code].retryable ? inRow : 0
        if (inRow >= mostFailuresInRow && failureCodes[outcome.code].retryable)
          giveUp(outcome.code, `The ${endpoint.name} failed ${inRow} questions in a row. The last time: ${outcome.message}`)
        return { ok: false, reason: `The ${endpoint.name} did not answer. ${outcome.message}` }
      }
      await ports.sleep(pause, ports.signal)
    }
  }

  return async (definition: JudgeDefinition, question: JudgeQuestion): Promise<JudgeAnswer> => {
    const stored = ports.log.answered(question)
    if (stored) return { ok: true, ...stored }
    const endpoint = ports.endpoints[question.judge]
    if (!endpoint) throw new RangeError(`There is no judge ${question.judge}.`)
    const work = newWork()
    try {
      return await askUntilAnswered(definition, question, endpoint, work)
    } finally {
      await abandonWork(work)
    }
  }
}
