import type { ExecutionSettings, FailureCode, Generation } from '../../contract/index.ts'
import type { CallOutcome, ModelClient } from '../model-clients/model-client.ts'
import type { PromptRecipe } from '../samples/render-prompt.ts'
import type { Score, ScoreInput } from '../scorers/scorer.ts'
import type { Task } from '../tasks/task.ts'

/** A profile as one run needs it. Its place in the run's list is its number. */
export interface ProfilePlan {
  readonly profileId: string
  readonly promptRecipe: PromptRecipe
  readonly generation: Generation
  /** In the profile's order; the place in it is the metric's number. */
  readonly metrics: readonly MetricPlan[]
  /** The commonest target of all its tasks; only looked for where the baseline that says it is run. */
  readonly majorityTarget: string | null
}

export interface MetricPlan {
  readonly id: string
  readonly scorer: string
  readonly options: Readonly<Record<string, unknown>>
  readonly primary: boolean
}

/** Everything frozen that carrying out one run needs. */
export interface RunPlan {
  readonly runNo: number
  readonly runId: string
  readonly seed: number
  readonly profiles: readonly ProfilePlan[]
  readonly execution: ExecutionSettings
  readonly model: RunModel
}

/** Whom the samples are put to. */
export type RunModel =
  | { readonly kind: 'baseline'; readonly routeId: string }
  /** `endpoint` names what is shared by runs that must share limits. */
  | { readonly kind: 'endpoint'; readonly endpoint: string; readonly client: ModelClient; readonly limits: EndpointLimits }

export interface EndpointLimits {
  readonly maxConcurrency: number
  readonly requestsPerMinute: number | null
}

/** A sample that this process holds. What it reports is dropped when its fence is no longer the stored one. */
export interface ClaimedSample {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly epoch: number
  readonly fence: number
  /** Number of the attempt that the claim opened. */
  readonly attempt: number
}

/** One finished attempt, to be stored before it is graded. */
export interface AttemptReport {
  readonly sample: ClaimedSample
  readonly attempt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly outcome: CallOutcome
  /** As the provider counts; null where it does not, and the scoring threads count the output. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** `retry` opens the next attempt in the same transaction. */
  readonly then: 'grade' | 'retry' | 'fail' | 'miss' | 'cancel'
}

/** An answer waiting for its scores. */
export interface AnsweredSample {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly fence: number
  readonly output: string
  readonly refused: boolean
  /** The provider counted no tokens, so they are counted here. */
  readonly countTokens: boolean
}

export interface ScoreReport {
  readonly position: number
  readonly profileNo: number
  readonly fence: number
  readonly finishedAt: number
  /** Counted with the tokenizer; null where the provider counted. */
  readonly outputTokens: number | null
  /** By metric number. */
  readonly scores: readonly Score[]
}

/** One transaction's worth of work: what ended, and how many samples are wanted next. */
export interface Commit {
  readonly attempts: readonly AttemptReport[]
  readonly scores: readonly ScoreReport[]
  readonly claim: number
}

/** The run's samples, durable. Each method is one transaction. */
export interface RunStore {
  /** At start: what was in flight is put back, its attempts marked as possibly billed. */
  recover(runNo: number): void
  commit(runNo: number, commit: Commit): ClaimedSample[]
  /** Answers that were stored but not graded, oldest first. */
  ungraded(runNo: number, limit: number): AnsweredSample[]
  /** Ends up to `limit` samples that were not asked yet; answers how many. */
  endPending(runNo: number, outcome: 'missing' | 'cancelled', limit: number, now: number): number
}

export interface GradedOutput {
  /** By metric number. */
  readonly scores: readonly Score[]
  /** Null where they were not asked for. */
  readonly tokens: number | null
}

/** Grades a batch of outputs by the metrics of one profile, and counts the tokens of those for which it is asked. */
export type ScoreBatch = (
  metrics: readonly MetricPlan[],
  inputs: readonly (ScoreInput & { readonly countTokens: boolean })[],
) => Promise<readonly GradedOutput[]>

export interface StopReason {
  readonly code: FailureCode
  readonly message: string
}

export interface SchedulerPorts {
  readonly store: RunStore
  /** Tasks by number, in the order asked. */
  readonly tasks: (numbers: readonly number[]) => readonly Task[]
  readonly score: ScoreBatch
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Resolves after the time, or at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Something of the run was committed. */
  readonly onCommit: (runNo: number, commit: Commit) => void
}

/** How a run's samples came to an end. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'suspended' }
