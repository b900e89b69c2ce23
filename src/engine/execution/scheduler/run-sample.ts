import { isThrottled } from '../../clients/is-throttled.ts'
import { abandonWork, type Answer, newWork } from '../../clients/model-client.ts'
import { measuredTexts, requestFor } from '../samples/sample-request.ts'
import { measuredOf } from '../../grading/scorers/scorer.ts'
import type { Task } from '../../tasks/task.ts'
import { cacheKey } from './cache-key.ts'
import { isCacheable } from './cacheable.ts'
import type { Streak } from './circuit-breaker.ts'
import { type Call, isCutOff, notAsked, oneCall, type Question } from './one-call.ts'
import { oneDialogue } from './one-dialogue.ts'
import { oneEpisode } from './one-episode.ts'
import type { AnsweredSample, AttemptReport, CachedAnswer, ClaimedSample, ProfilePlan, RunPlan } from './ports.ts'
import { pauseBeforeRetry } from './retry-policy.ts'
import type { SampleContext } from './sample-context.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

/** Outages that may begin with a call of one sample before that sample is what brings the endpoint down. */
const mostOutagesBegun = 4

interface TransportFailure {
  readonly streak: Streak
  readonly isFirstOfStreak: boolean
}

/** Runs one claimed sample until it has an answer or no attempts left. Every attempt is stored before anything else happens. */
export async function runSample(context: SampleContext, sample: ClaimedSample, task: Task): Promise<void> {
  const { plan, ports, journal } = context
  const profile = profileOf(plan, sample)
  const request = requestFor(profile, task, plan.execution.effort)
  // An episode, a measurement and a dialogue depend on more than what they are opened with.
  const isPlain = !profile.environment && !profile.byLoglikelihood && !task.turns?.length
  const key = plan.cacheScope && isPlain ? cacheKey(plan.cacheScope, request, sample.epoch) : null
  const earlier = key && plan.cacheScope?.read ? ports.store.cached(key) : null
  if (earlier && isCacheable(earlier.outcome)) {
    context.commonFailure.answered()
    const report = fromCache(context, sample, earlier, task)
    await journal.attempt(report)
    toGrading(context, report, task)
    return
  }
  const time = startTimeLimit(plan.execution.sample_timeout_ms, ports, context.callSignal, context.limiter.isHeld)
  const failures: TransportFailure[] = []
  let refusals = sample.refusals
  const work = newWork()
  try {
    for (let attempt = sample.attempt; ; attempt++) {
      const measured = measuredTexts(profile, task)
      const { majorityTarget } = profile
      const question = { sample, attempt, task, request, majorityTarget, measured, time, isFirst: attempt === 1, work }
      const call = await ask(context, question, profile)
      if (isCutOff(context, call)) return await leave(context, { sample, attempt, task }, call)
      if (call.streak) failures.push({ streak: call.streak, isFirstOfStreak: call.isFirstOfStreak })
      if (call.isRefused) refusals++
      const pause = await pauseAfter(context, call, attempt - refusals, failures, time)
      const isAbandoned = pause === null && (await abandonWork(work))
      const ended = isAbandoned ? { ...call, isBillUnknown: true } : call
      const report = toReport(context, { sample, attempt, task }, ended, pause, key)
      await journal.attempt(report)
      toGrading(context, report, task)
      if (pause === null) return
      // The endpoint's own queue waits.
      if (call.isRefused) continue
      context.backingOff(1)
      await ports.sleep(pause, AbortSignal.any([time.signal, context.stopSignal, context.limiter.skipped()]))
      // The next start asks it.
      if (context.draining()) await aborted(context.stopSignal)
      context.backingOff(-1)
    }
  } finally {
    time.end()
    await abandonWork(work)
  }
}

/** The sample holds its place until its answer is there, and not until that is durable. */
async function ask(context: SampleContext, question: Question, { environment }: ProfilePlan): Promise<Call> {
  context.asking(1)
  try {
    const { turns = [] } = question.task
    if (environment) return await oneEpisode(context, question, environment)
    return await (turns.length > 0 ? oneDialogue(context, question, turns) : oneCall(context, question))
  } finally {
    context.asking(-1)
  }
}

/**
 * Leaves a sample to the next start. A single call was noted when it began; the turns of an episode that ended are reported, or what they
 * cost would be forgotten.
 */
async function leave(context: SampleContext, which: Pick<Question, 'sample' | 'attempt' | 'task'>, call: Call): Promise<void> {
  if (call.turnsBefore > 0) await context.journal.attempt(toReport(context, which, call, 0, null))
}

/** Ends a sample that was claimed and not asked. */
export async function endUnasked({ ports, journal, cancelled }: SampleContext, sample: ClaimedSample): Promise<void> {
  const at = ports.now()
  await journal.attempt({
    sample,
    attempt: sample.attempt,
    startedAt: at,
    finishedAt: at,
    outcome: notAsked,
    usage: null,
    cost: 0n,
    isBillUnknown: false,
    uncertain: 0n,
    cached: false,
    cacheKey: null,
    isScoredNext: false,
    then: cancelled() ? 'cancel' : 'miss',
  })
}

/**
 * Null when there is to be no further attempt. What fails while the endpoint is down or takes no calls uses none up.
 * @param attempt of those that count
 */
async function pauseAfter(
  context: SampleContext,
  { outcome, streak, isRefused }: Call,
  attempt: number,
  failures: readonly TransportFailure[],
  time: TimeLimit,
): Promise<number | null> {
  const { plan, ports, stopSignal, limiter, closing } = context
  // Where the run stops meanwhile, the sample is missing and not failed.
  if (isRefused) return 0
  if (outcome.ok || stopSignal.aborted || time.over()) return null
  if (plan.model.kind === 'endpoint' && plan.model.limits.onThrottle === 'fail_fast' && isThrottled(outcome)) return null
  const pause = () => pauseBeforeRetry(outcome, attempt - excusedBy(failures), plan.execution.max_attempts, ports.random)
  const usual = pause()
  if (usual !== null || streak === null) return usual
  await limiter.circuit.settle(streak, AbortSignal.any([time.signal, stopSignal]))
  // The process closes before it is known: the sample is left for the next start.
  return pause() ?? (closing() ? 0 : null)
}

/** Attempts that failed with the endpoint down. A sample that brings its endpoint down itself begins each outage, and ends all the same. */
function excusedBy(failures: readonly TransportFailure[]): number {
  const outages = failures.filter(({ streak }) => streak.isOutage)
  return outages.filter(({ isFirstOfStreak }) => isFirstOfStreak).length > mostOutagesBegun ? 0 : outages.length
}

function toReport(
  { cancelled, stop, grading, commonFailure }: SampleContext,
  { sample, attempt, task }: Pick<Question, 'sample' | 'attempt' | 'task'>,
  call: Call,
  pause: number | null,
  key: Uint8Array | null,
): AttemptReport {
  const { outcome, cost, isBillUnknown, uncertain, startedAt, finishedAt, isTooLate } = call
  const report = { sample, attempt, startedAt, finishedAt, outcome, cost, isBillUnknown, uncertain, cached: false, isScoredNext: false }
  if (outcome.ok) {
    commonFailure.answered()
    const isScoredNext = grading.isImmediate(toAnswered(sample, outcome), task)
    return { ...report, outcome, usage: outcome.usage, cacheKey: isCacheable(outcome) ? key : null, isScoredNext, then: 'grade' }
  }
  const isFailed = outcome.code !== 'cancelled' && !isTooLate
  const ending = isFailed ? 'fail' : cancelled() ? 'cancel' : 'miss'
  const then = pause === null ? ending : 'retry'
  const reason = then === 'fail' ? commonFailure.failed(outcome) : null
  if (reason) stop(reason, 'finish')
  return { ...report, usage: null, cacheKey: null, then }
}

function fromCache(
  { grading }: SampleContext,
  sample: ClaimedSample,
  { startedAt, finishedAt, outcome, cost }: CachedAnswer,
  task: Task,
): AttemptReport {
  return {
    sample,
    attempt: sample.attempt,
    startedAt,
    finishedAt,
    outcome,
    usage: outcome.usage,
    cost,
    isBillUnknown: false,
    uncertain: 0n,
    cached: true,
    cacheKey: null,
    isScoredNext: grading.isImmediate(toAnswered(sample, outcome), task),
    then: 'grade',
  }
}

function toGrading({ grading }: SampleContext, report: AttemptReport, task: Task): void {
  const { sample, outcome, cached, isScoredNext, cost, isBillUnknown } = report
  if (!outcome.ok) return
  const { latencyMs, usage } = outcome
  const measured = measuredOf(latencyMs, Number(cost), isBillUnknown)
  grading.add({ ...toAnswered(sample, outcome), measured, unwritten: isScoredNext ? { latencyMs, usage, cached } : null }, task)
}

function toAnswered(
  { position, profileNo, taskNo, fence }: ClaimedSample,
  { output, reasoning, earlierAnswers, refused, usage, notes = [] }: Answer,
): AnsweredSample {
  const before = earlierAnswers && { earlierAnswers }
  return {
    ...before,
    position,
    profileNo,
    taskNo,
    fence,
    output,
    reasoning: reasoning ?? null,
    refused,
    holdsFiles: notes.some(({ code }) => code === 'answer_holds_files'),
    countTokens: usage === null,
    unwritten: null,
  }
}

function profileOf(plan: RunPlan, sample: ClaimedSample): ProfilePlan {
  const profile = plan.profiles[sample.profileNo]
  if (!profile) throw new Error(`Run ${plan.runId} has no profile ${sample.profileNo}.`)
  return profile
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
