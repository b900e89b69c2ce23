import { failureCodes } from '../../../contract/index.ts'
import type { ModelRequest } from '../../clients/model-client.ts'
import { renderPrompt } from '../samples/render-prompt.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../tasks/task.ts'
import { cacheKey } from './cache-key.ts'
import { type Call, oneCall } from './one-call.ts'
import { oneEpisode } from './one-episode.ts'
import type { AttemptReport, CachedAnswer, ClaimedSample, ProfilePlan, RunPlan } from './ports.ts'
import { isThrottled, pauseBeforeRetry } from './retry-policy.ts'
import type { SampleContext } from './sample-context.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

/** Asks one claimed sample until it has an answer or may not be asked again. Every attempt is stored before anything else happens. */
export async function runSample(context: SampleContext, sample: ClaimedSample, task: Task): Promise<void> {
  const { plan, ports, journal } = context
  const profile = profileOf(plan, sample)
  const request = requestFor(profile, task, plan.execution.effort)
  // An episode and a measurement depend on more than what they are opened with.
  const isPlain = !profile.environment && !profile.byLoglikelihood
  const key = plan.cacheScope && isPlain ? cacheKey(plan.cacheScope, request, sample.epoch) : null
  const earlier = key && plan.cacheScope?.read ? ports.store.cached(key) : null
  if (earlier) {
    const report = fromCache(sample, earlier)
    await journal.attempt(report)
    toGrading(context, report, task)
    return
  }
  const time = startTimeLimit(plan.execution.sample_timeout_ms, ports, context.halt)
  try {
    for (let attempt = sample.attempt; ; attempt++) {
      const measured = measuredTexts(profile, task)
      const question = { sample, task, request, majorityTarget: profile.majorityTarget, measured, time }
      const call = profile.environment ? await oneEpisode(context, question, profile.environment) : await oneCall(context, question)
      if (call === null) return
      const pause = pauseAfter(context, call, attempt, time)
      const report = toReport(context, sample, attempt, call, pause, key)
      await journal.attempt(report)
      toGrading(context, report, task)
      if (pause === null) return
      context.pausing(1)
      await ports.sleep(pause, time.signal)
      context.pausing(-1)
    }
  } finally {
    time.end()
  }
}

/** What is measured as a continuation; null where an answer is asked for. */
function measuredTexts({ byLoglikelihood }: ProfilePlan, { choices }: Task): readonly string[] | null {
  if (byLoglikelihood === null) return null
  return byLoglikelihood === 'choices' ? (choices ?? []) : (choices ?? []).map((_, i) => choiceLabel(i))
}

/** Null when there is to be no further attempt. */
function pauseAfter({ plan, ports, halt }: SampleContext, { outcome }: Call, attempt: number, time: TimeLimit): number | null {
  if (outcome.ok || halt.aborted || time.over()) return null
  if (plan.model.kind === 'endpoint' && plan.model.limits.onThrottle === 'fail_fast' && isThrottled(outcome)) return null
  return pauseBeforeRetry(outcome, attempt, plan.execution.max_attempts, ports.random)
}

function toReport(
  { cancelled, stop }: SampleContext,
  sample: ClaimedSample,
  attempt: number,
  call: Call,
  pause: number | null,
  key: Uint8Array | null,
): AttemptReport {
  const { outcome, cost, startedAt, finishedAt } = call
  if (!outcome.ok && failureCodes[outcome.code].fatal) stop({ code: outcome.code, message: outcome.message })
  const report = { sample, attempt, startedAt, finishedAt, outcome, cost, cached: false }
  if (outcome.ok) return { ...report, usage: outcome.usage, cacheKey: key, then: 'grade' }
  const ending = outcome.code !== 'cancelled' ? 'fail' : cancelled() ? 'cancel' : 'miss'
  return { ...report, usage: null, cacheKey: null, then: pause === null ? ending : 'retry' }
}

function fromCache(sample: ClaimedSample, { startedAt, finishedAt, outcome, cost }: CachedAnswer): AttemptReport {
  return {
    sample,
    attempt: sample.attempt,
    startedAt,
    finishedAt,
    outcome,
    usage: outcome.usage,
    cost,
    cached: true,
    cacheKey: null,
    then: 'grade',
  }
}

function toGrading({ grading }: SampleContext, { sample, outcome, usage }: AttemptReport, task: Task): void {
  if (!outcome.ok) return
  const { position, profileNo, taskNo, fence } = sample
  grading.add({ position, profileNo, taskNo, fence, output: outcome.output, refused: outcome.refused, countTokens: usage === null }, task)
}

function requestFor(profile: ProfilePlan, task: Task, effort: RunPlan['execution']['effort']): ModelRequest {
  const { temperature, max_output_tokens, stop } = profile.generation
  return {
    messages: renderPrompt(profile.promptRecipe, task),
    temperature,
    maxOutputTokens: max_output_tokens,
    stop,
    ...(effort && { effort }),
  }
}

function profileOf(plan: RunPlan, sample: ClaimedSample): ProfilePlan {
  const profile = plan.profiles[sample.profileNo]
  if (!profile) throw new Error(`Run ${plan.runId} has no profile ${sample.profileNo}.`)
  return profile
}
