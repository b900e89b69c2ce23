import type { Generation } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { Message } from '../../../contract/messages/messages.schemas.ts'
import type { ExecutionSettings } from '../../../contract/quotes/quotes.schemas.ts'
import type { StopCode } from '../../../contract/runs/failure-codes.ts'
import type { UserModel } from '../../../contract/worlds/worlds.schemas.ts'
import type { Answer, CallOutcome, EarlierAnswer, ModelClient } from '../../clients/model-client.ts'
import type { TokenRates } from '../../clients/pricing/pricing.ts'
import type { Usage } from '../../clients/usage/usage.ts'
import type { EnvironmentSetting } from '../../tasks/definition.ts'
import type { Outage } from './circuit-breaker.ts'
import type { PromptRecipe } from '../samples/render-prompt.ts'
import type { CallWorldFunction } from '../../grading/sandbox/world-functions.ts'
import type { MatchCall } from '../environments/worlds/match-call.ts'
import type { JudgeMessage } from '../../grading/judges/judge-prompt.ts'
import type { UserReply } from '../environments/worlds/simulated-user.ts'
import type { Score, ScoreInput } from '../../grading/scorers/scorer.ts'
import type { Task } from '../../tasks/task.ts'
import type { SpendCap } from './spend-cap.ts'

/** A profile as one run needs it. Its place in the run's list is its number. */
export interface ProfilePlan {
  readonly profileId: string
  readonly promptRecipe: PromptRecipe
  readonly generation: Generation
  /** In the profile's order; the place in it is the metric's number. */
  readonly metrics: readonly MetricPlan[]
  /** The commonest target of all its tasks; only looked for where the baseline that says it is run. */
  readonly majorityTarget: string | null
  /** How a sample is played turn after turn; null where it is one question. */
  readonly environment: EnvironmentSetting | null
  /** Whether the choices of a task are measured instead of the model being asked for an answer. */
  readonly byLoglikelihood: {
    readonly of: 'choices' | 'letters'
    readonly delimiter: string
    /** Without the prompt as well. */
    readonly isUnconditional: boolean
  } | null
}

export interface MetricPlan {
  readonly id: string
  readonly scorer: string
  readonly options: Readonly<Record<string, unknown>>
  readonly primary: boolean
}

/** Everything frozen that executing one run needs. */
export interface RunPlan {
  readonly runNo: number
  readonly runId: string
  readonly seed: number
  readonly profiles: readonly ProfilePlan[]
  readonly execution: ExecutionSettings
  readonly model: RunModel
  /** Null: calls cost nothing that is known. */
  readonly money: MoneyPlan | null
  /** Names the endpoint in cache keys; null: no cache. */
  readonly cacheScope: CacheScope | null
  /** Milliseconds for which it was executed before. */
  readonly ranMs: number
  /** Only samples at positions below it are run, until it is raised; null: all. */
  readonly gate: number | null
}

export interface MoneyPlan {
  /** The wallet is charged, or the endpoint's provider bills by itself. */
  readonly payer: 'wallet' | 'provider'
  /** Null where they are unknown: then only what the provider states is known. */
  readonly rates: TokenRates | null
  /** Micro-USD that may be spent in all; null: no cap. */
  readonly cap: bigint | null
  /** What calls with an unknown bill may cost at most included. */
  readonly spent: bigint
}

export interface CacheScope {
  readonly endpoint: string
  readonly model: string
  /** False to bypass the cache on reads; answers are still stored for later runs. */
  readonly read: boolean
}

/** What answers the samples. */
export type RunModel =
  | { readonly kind: 'baseline'; readonly routeId: string }
  /** All answers are there already; nothing is called. */
  | { readonly kind: 'imported' }
  /** `endpoint` names what is shared by runs that must share limits. */
  | {
      readonly kind: 'endpoint'
      readonly endpoint: string
      readonly client: ModelClient
      readonly limits: EndpointLimits
      readonly isBatched?: boolean
    }

export interface EndpointLimits {
  readonly maxConcurrency: number
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly onThrottle: 'adapt' | 'fail_fast'
  /** As many calls at a time as allowed, from the start: nothing is found out by their number. */
  readonly isFixed?: boolean
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
  /** Attempts before it at which the endpoint took no calls. */
  readonly refusals: number
}

/** One finished attempt, to be stored before it is graded. */
export interface AttemptReport {
  readonly sample: ClaimedSample
  readonly attempt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly outcome: CallOutcome
  /** As the provider counts; null where it does not, and the scoring threads count the output. */
  readonly usage: Usage | null
  /** Micro-USD that the payer pays for it, as far as known. */
  readonly cost: bigint
  /** The provider may bill more than that. */
  readonly isBillUnknown: boolean
  /** Micro-USD that it may bill beyond the cost at most. */
  readonly uncertain: bigint
  /** The answer is an earlier one, with its times and cost. */
  readonly cached: boolean
  /** Key by which a later run finds the answer; null where it must not find it. */
  readonly cacheKey: Uint8Array | null
  /** Its scores follow at once, and the sample is written together with them. */
  readonly isScoredNext: boolean
  /** `retry` opens the next attempt in the same transaction. */
  readonly then: 'grade' | 'retry' | 'fail' | 'miss' | 'cancel'
}

/** An answer that was given before, as it was given. */
export interface CachedAnswer {
  readonly startedAt: number
  readonly finishedAt: number
  readonly outcome: Answer
  readonly cost: bigint
}

/** What a sample shows of its answer. */
export interface AnswerFacts {
  readonly latencyMs: number
  readonly usage: Usage | null
  readonly cached: boolean
}

/** An answer waiting for its scores. */
export interface AnsweredSample {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly fence: number
  readonly output: string
  /** What the model thought before it; null where it told nothing. */
  readonly reasoning: string | null
  /** To the scripted turns before it; absent where there was one question. */
  readonly earlierAnswers?: readonly EarlierAnswer[]
  readonly refused: boolean
  /** It has images or recordings beside its text. */
  readonly holdsFiles: boolean
  /** The provider counted no tokens, so they are counted here. */
  readonly countTokens: boolean
  /** Scores that were imported with it, by their names. */
  readonly recorded?: ScoreInput['recorded'] | undefined
  readonly measured?: ScoreInput['measured'] | undefined
  /** To be written with the scores; null if the sample already has it. */
  readonly unwritten: AnswerFacts | null
}

export interface ScoreReport {
  readonly position: number
  readonly profileNo: number
  readonly fence: number
  readonly finishedAt: number
  /** Counted with the tokenizer; null where the provider counted. */
  readonly outputTokens: number | null
  /** Written with the scores; null if the sample already has it. */
  readonly answer: AnswerFacts | null
  /** By metric number. */
  readonly scores: readonly Score[]
}

/** One transaction's worth of work: what ended, and how many samples are wanted next. */
export interface Commit {
  readonly attempts: readonly AttemptReport[]
  readonly scores: readonly ScoreReport[]
  readonly claim: number
  /** Only samples at positions below it are claimed; null: any. */
  readonly claimBelow: number | null
}

/** The run's samples, durable. What is written is written in the order of the calls, each as one transaction; a promise resolves when it is durable. */
export interface RunStore {
  /** At start: answers whose sample was to be written with the scores are told apart; claimed samples are put back, and calls that were made for them are marked as possibly billed. */
  recover(runNo: number): Promise<void>
  /** Before a call is made for an attempt: survives a kill, without a transaction. @throws Error when it cannot be noted */
  begin(runNo: number, sample: ClaimedSample, attempt: number): void
  /** Makes up to `limit` of the run's frozen samples; answers how many. 0: all are there. */
  fill(runNo: number, limit: number): Promise<number>
  commit(runNo: number, commit: Commit): Promise<ClaimedSample[]>
  /** Answers after a position that were stored but not graded, by position. */
  ungraded(runNo: number, after: number, limit: number): AnsweredSample[]
  /** Ends up to `limit` samples that were not asked yet; answers how many. */
  endPending(runNo: number, outcome: 'missing' | 'cancelled', limit: number, now: number): Promise<number>
  /** Null if there is no earlier identical call. */
  cached(key: Uint8Array): CachedAnswer | null
  /** Milliseconds for which the run has been executed. */
  saveRunningTime(runNo: number, ms: number): Promise<void>
  /** Whether an error passes by itself or by a person's doing, such as a full disk: then the same is tried again. */
  passes(error: unknown): boolean
}

export interface GradedOutput {
  /** By metric number. */
  readonly scores: readonly Score[]
  /** Null where they were not asked for. */
  readonly tokens: number | null
}

/** An answer with what its scorers are told about it. */
export interface GradedInput extends ScoreInput {
  readonly countTokens: boolean
  /** Reasoning in the output is part of it. */
  readonly isWhole?: boolean
  /** Of its sample. */
  readonly position?: number
  /** What was asked; only if a workspace evaluator grades the sample. */
  readonly question?: { readonly taskId: string; readonly messages: readonly Message[]; readonly maxImagePixels?: number | undefined }
}

/** The run that answers are graded for: evaluators with judges make calls of their own for it. */
export interface GradedRun {
  readonly runNo: number
  /** Caps the model's cost; null for free models. */
  readonly spending: SpendCap | null
  readonly payer: MoneyPlan['payer'] | null
  /** Milliseconds without a single answer for which a judge's endpoint is waited for while it takes no calls. */
  readonly patienceMs: number
  /** No further call may be made. */
  readonly stopSignal: AbortSignal
  /** The process is closing: what is not graded is graded at the next start. */
  readonly closing: () => boolean
}

/** What a simulated user is asked. */
export interface UserTurn {
  readonly model: UserModel
  /** Of the sample. */
  readonly position: number
  readonly messages: readonly JudgeMessage[]
}

/** Grades a batch of outputs by the metrics of one profile, and counts tokens where requested. */
export type ScoreBatch = (
  metrics: readonly MetricPlan[],
  inputs: readonly GradedInput[],
  run?: GradedRun,
) => Promise<readonly GradedOutput[]>

/** The scorer of every metric that an evaluator of the workspace gives. */
export const evaluatorScorer = 'assay/evaluator'

export interface StopReason {
  readonly code: StopCode
  readonly message: string
}

export interface OutageStore {
  find(endpoint: string): Outage | null
  /** @param outage null: it is over */
  save(endpoint: string, outage: Outage | null): void
}

export interface SchedulerPorts {
  readonly store: RunStore
  /** Tasks by number, in the order asked. */
  readonly tasks: (numbers: readonly number[]) => readonly Task[]
  readonly score: ScoreBatch
  /** Calls the function of a world's tool. */
  readonly callFunction: CallWorldFunction
  /** Checks the arguments of such a call. */
  readonly matchCall: MatchCall
  /** Asks the model that plays the user of a sample. */
  readonly askUser: (run: GradedRun, turn: UserTurn) => Promise<UserReply>
  /** Tokens of a prompt by a real tokenizer, in a thread. */
  readonly countPrompt: (messages: readonly Message[]) => Promise<number>
  /** Batches that are graded at once: threads, and machines that have joined. */
  readonly graders: () => number
  /** Milliseconds since 1970, for what is stored and shown. */
  readonly now: () => number
  /** Milliseconds that only grow, for pauses and limits: a clock that is set, or set back, changes none of them. */
  readonly monotonic: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Resolves after the time, or at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Why nothing new may be begun at the moment, such as a disk that is nearly full; null when all is well. */
  readonly storageFault: () => string | null
  /** Outages of endpoints, durable, so that a start during one begins with a probe instead of with calls. */
  readonly outages: OutageStore
  /** Something of the run's endpoint has changed that no commit tells. */
  readonly onEndpointChange: (runNo: number) => void
  /** Something of the run was committed. */
  readonly onCommit: (runNo: number, commit: Commit) => void
}

/** How a run's samples came to an end. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'suspended' }

/** What a run is doing at the moment. */
export interface RunView {
  /** Calls at a time that it may make; null: as many as the endpoint allows. */
  readonly concurrency: number | null
  /** Samples in flight or queued for the endpoint. */
  readonly requesting: number
  /** Samples claimed before there is a place for them. */
  readonly ahead: number
  /** Samples waiting before a retry. */
  readonly backingOff: number
  /** Answers waiting to be graded. */
  readonly grading: number
  /** Total milliseconds that its calls have waited for the endpoint. */
  readonly waitedMs: number
  /** Why storage is unavailable and calls are paused; null otherwise. */
  readonly blocked: string | null
}
