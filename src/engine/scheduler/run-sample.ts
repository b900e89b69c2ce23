import { failureCodes } from '../../contract/index.ts'
import { answerAsBaseline } from '../model-clients/baselines/answer-as-baseline.ts'
import type { CallOutcome, ModelRequest } from '../model-clients/model-client.ts'
import { renderPrompt } from '../samples/render-prompt.ts'
import type { Task } from '../tasks/task.ts'
import type { EndpointLimiter } from './endpoint-limiter.ts'
import type { Grading } from './grading.ts'
import type { Journal } from './journal.ts'
import type { AttemptReport, ClaimedSample, ProfilePlan, RunPlan, SchedulerPorts, StopReason } from './ports.ts'
import { pauseBeforeRetry } from './retry-policy.ts'

/** What the samples of one run share. */
export interface SampleContext {
  readonly plan: RunPlan
  readonly ports: SchedulerPorts
  readonly journal: Journal
  readonly grading: Grading
  readonly limiter: EndpointLimiter
  /** Why no further call may be made: cancelled by a person, or stopped by an endpoint that refuses for good. */
  readonly halt: AbortSignal
  readonly cancelled: () => boolean
  /** The endpoint refuses for good: nothing more is to be asked. */
  readonly stop: (reason: StopReason) => void
  /** The process is closing: what is in flight is left for the next start. */
  readonly closing: () => boolean
}

/** Asks one claimed sample until it has an answer or may not be asked again. Every attempt is stored before anything else happens. */
export async function runSample(context: SampleContext, sample: ClaimedSample, task: Task): Promise<void> {
  const profile = profileOf(context.plan, sample)
  const request = requestFor(profile, task)
  for (let attempt = sample.attempt; ; attempt++) {
    const report = await oneAttempt(context, sample, task, request, attempt)
    if (report === null) return
    await context.journal.attempt(report)
    if (report.then === 'grade' && report.outcome.ok) {
      const { output, refused } = report.outcome
      context.grading.add(
        {
          position: sample.position,
          profileNo: sample.profileNo,
          taskNo: sample.taskNo,
          fence: sample.fence,
          output,
          refused,
          countTokens: report.usage === null,
        },
        task,
      )
    }
    if (report.then !== 'retry' || report.outcome.ok) return
    const pause = pauseBeforeRetry(report.outcome, attempt, context.plan.execution.max_attempts, context.ports.random)
    await context.ports.sleep(pause ?? 0, context.halt)
  }
}

/** Null when the process closes under it: the sample is picked up at the next start. */
async function oneAttempt(
  context: SampleContext,
  sample: ClaimedSample,
  task: Task,
  request: ModelRequest,
  attempt: number,
): Promise<AttemptReport | null> {
  const { ports } = context
  const admitted = await context.limiter.acquire(context.halt)
  const startedAt = ports.now()
  if (!admitted) return context.closing() ? null : ended(context, sample, attempt, startedAt, notCalled)
  const outcome = await ask(context, sample, task, request)
  context.limiter.release(verdictOf(outcome), outcome.ok ? null : outcome.retryAfterMs)
  if (context.closing() && !outcome.ok && outcome.code === 'cancelled') return null
  return ended(context, sample, attempt, startedAt, outcome)
}

function ended(context: SampleContext, sample: ClaimedSample, attempt: number, startedAt: number, outcome: CallOutcome): AttemptReport {
  const { ports, plan } = context
  if (!outcome.ok && failureCodes[outcome.code].fatal) context.stop({ code: outcome.code, message: outcome.message })
  return {
    sample,
    attempt,
    startedAt,
    finishedAt: ports.now(),
    outcome,
    usage: outcome.ok ? outcome.usage : null,
    then: next(context, outcome, attempt, plan.execution.max_attempts),
  }
}

function next(context: SampleContext, outcome: CallOutcome, attempt: number, maxAttempts: number): AttemptReport['then'] {
  if (outcome.ok) return 'grade'
  if (outcome.code === 'cancelled') return context.cancelled() ? 'cancel' : 'miss'
  if (context.halt.aborted || pauseBeforeRetry(outcome, attempt, maxAttempts, () => 0) === null) return 'fail'
  return 'retry'
}

function ask(context: SampleContext, sample: ClaimedSample, task: Task, request: ModelRequest): Promise<CallOutcome> {
  const { model, seed } = context.plan
  if (model.kind === 'endpoint') return model.client.call(request, { signal: context.halt })
  const output = answerAsBaseline(model.routeId, {
    task,
    prompt: request.messages,
    seed,
    epoch: sample.epoch,
    majorityTarget: profileOf(context.plan, sample).majorityTarget,
  })
  return Promise.resolve({ ...notCalled, ok: true as const, output, finishReason: 'stop', refused: false, usage: null })
}

const notCalled = {
  ok: false,
  code: 'cancelled',
  message: 'Not asked: the run was stopped.',
  retryAfterMs: null,
  latencyMs: 0,
  request: null,
  response: null,
  httpStatus: null,
} as const

function verdictOf(outcome: CallOutcome): 'success' | 'throttled' | 'failure' {
  if (outcome.ok) return 'success'
  return outcome.code === 'rate_limited' || outcome.httpStatus === 529 || outcome.httpStatus === 503 ? 'throttled' : 'failure'
}

function requestFor(profile: ProfilePlan, task: Task): ModelRequest {
  const { temperature, max_output_tokens, stop } = profile.generation
  return { messages: renderPrompt(profile.promptRecipe, task), temperature, maxOutputTokens: max_output_tokens, stop }
}

function profileOf(plan: RunPlan, sample: ClaimedSample): ProfilePlan {
  const profile = plan.profiles[sample.profileNo]
  if (!profile) throw new Error(`Run ${plan.runId} has no profile ${sample.profileNo}.`)
  return profile
}
