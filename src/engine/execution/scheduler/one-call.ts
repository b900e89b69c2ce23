import { answerAsBaseline } from '../baselines/answer-as-baseline.ts'
import { measureAsBaseline } from '../baselines/measure-as-baseline.ts'
import { scoreChoices } from '../../clients/loglikelihood/score-choices.ts'
import type { CallOutcome, Failure, ModelRequest } from '../../clients/model-client.ts'
import type { Task } from '../../tasks/task.ts'
import { actualCost, expectedTokens, worstCase } from './cost-of-call.ts'
import type { CallEnd } from './endpoint-limiter.ts'
import type { ClaimedSample } from './ports.ts'
import { isThrottled } from './retry-policy.ts'
import type { SampleContext } from './sample-context.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

export interface Question {
  readonly sample: ClaimedSample
  readonly task: Task
  readonly request: ModelRequest
  /** Of the profile; for the baseline that says it. */
  readonly majorityTarget: string | null
  /** Choices whose likelihood is measured instead; null where an answer is asked for. */
  readonly measured: readonly string[] | null
  /** Of the sample. */
  readonly time: TimeLimit
}

/** One call, or why there was none. */
export interface Call {
  readonly outcome: CallOutcome
  /** Micro-USD. */
  readonly cost: bigint
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * Waits until the run's cap and the endpoint let a call through, and makes it. Null when the process closes under it: the sample is
 * picked up at the next start.
 */
export async function oneCall(context: SampleContext, question: Question): Promise<Call | null> {
  const { plan, ports, limiter, spending, waited } = context
  const { request, time } = question
  const worst = plan.money && spending ? worstCase(request, plan.money) : 0n
  const settle = (cost: bigint) => spending?.settle(worst, cost)
  if (spending && !(await spending.reserve(worst))) {
    context.stop({
      code: 'cap_reached',
      message: `The next call could have cost ${worst} micro-USD and passed the cap; ${spending.spent()} are spent. Raise the cap to go on.`,
    })
    return ended(context, notAsked)
  }
  const tokens = expectedTokens(request)
  const asked = ports.monotonic()
  const admitted = await limiter.acquire(time.signal, tokens)
  waited(ports.monotonic() - asked)
  if (!admitted) {
    settle(0n)
    return ended(context, time.over() ? { ...notAsked, ...outOfTime('this sample') } : notAsked)
  }
  const startedAt = ports.now()
  const outcome = await ask(context, question)
  limiter.release(callEnd(outcome), tokens)
  const cost = plan.money ? actualCost(request, outcome, plan.money) : 0n
  settle(cost)
  return ended(context, outcome, cost, startedAt)
}

function ended({ ports, closing }: SampleContext, outcome: CallOutcome, cost = 0n, startedAt = ports.now()): Call | null {
  if (closing() && !outcome.ok && outcome.code === 'cancelled') return null
  return { outcome, cost, startedAt, finishedAt: ports.now() }
}

/** Ends a call that takes longer than the run allows one, or longer than its sample has left; the connection's own limit is the client's. */
async function ask({ plan, ports, halt }: SampleContext, question: Question): Promise<CallOutcome> {
  const { sample, task, request, majorityTarget, measured, time } = question
  if (plan.model.kind === 'baseline') {
    const asked = { task, prompt: request.messages, seed: plan.seed, epoch: sample.epoch, majorityTarget }
    const output = measured ? measureAsBaseline(plan.model.routeId, asked) : answerAsBaseline(plan.model.routeId, asked)
    return { ...nothingSent, ok: true, output, finishReason: 'stop', refused: false, usage: null }
  }
  const attempt = startTimeLimit(plan.execution.attempt_timeout_ms, ports, time.signal)
  const { client } = plan.model
  const { signal } = attempt
  const outcome = await (measured ? scoreChoices(client, promptText(request), measured, signal) : client.call(request, { signal }))
  attempt.end()
  if (outcome.ok || outcome.code !== 'cancelled' || halt.aborted) return outcome
  return { ...outcome, ...outOfTime(time.over() ? 'this sample' : 'one call of this run') }
}

/** What the choices go on from. */
function promptText({ messages }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n\n')
}

function outOfTime(whose: string): Pick<Failure, 'code' | 'message'> {
  return { code: 'timeout', message: `No complete answer within the time for ${whose}. Allow more, or ask for shorter answers.` }
}

export function callEnd(outcome: CallOutcome): CallEnd {
  const { latencyMs, announced = null } = outcome
  if (!outcome.ok)
    return {
      verdict: isThrottled(outcome) ? 'throttled' : 'failure',
      latencyMs,
      retryAfterMs: outcome.retryAfterMs,
      announced,
      usedTokens: null,
    }
  return {
    verdict: 'success',
    latencyMs,
    retryAfterMs: null,
    announced,
    usedTokens: outcome.usage && outcome.usage.inputTokens + outcome.usage.outputTokens,
  }
}

const nothingSent = { request: null, response: null, httpStatus: null, latencyMs: 0 } as const

export const notAsked: Failure = {
  ...nothingSent,
  ok: false,
  code: 'cancelled',
  message: 'Not asked: the run was stopped.',
  retryAfterMs: null,
}
