import type { FrozenSamples } from './fill-samples.store.ts'
import type { ScoreRow } from './score-rows.store.ts'

/** Result version at the end of a run. */
export const firstVersion = 1

/** A run that is about to be executed. */
export interface WrittenRun {
  readonly runNo: number
  readonly runId: string
  readonly workspaceId: string
  /** Who pays for its calls; null where they cost nothing that is known. */
  readonly payer: 'wallet' | 'provider' | null
  /** Micro-USD that one of its calls costs at most; 0 where that is unknown. */
  readonly callBound: bigint
  readonly frozen: FrozenSamples
}

/** A sample and the claim by which a report of it holds. */
export interface HeldSample {
  readonly position: number
  /** A report under an older fence than the stored one is ignored. */
  readonly fence: number
}

/** A sample that was claimed. */
export interface ClaimedRow extends HeldSample {
  readonly profileNo: number
  readonly taskNo: number
  readonly epoch: number
  /** Number of the attempt that the claim opened. */
  readonly attempt: number
  /** Attempts before it at which the endpoint took no calls. */
  readonly refusals: number
}

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Parts of them that the provider states; absent where it states none. */
  readonly parts?: object
}

/** One attempt that ended. Times are milliseconds since 1970. */
export interface AttemptWrite extends HeldSample {
  readonly attempt: number
  /** False where nothing was sent: the sample ends or waits, and there is no attempt. */
  readonly wasMade: boolean
  readonly startedAt: number
  readonly finishedAt: number
  readonly latencyMs: number
  /** Null where it was answered. */
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly httpStatus: number | null
  readonly finishReason: string | null
  readonly refused: boolean
  readonly usage: TokenUsage | null
  /** Micro-USD that the payer pays for it, as far as known. */
  readonly cost: bigint
  readonly isBillUnknown: boolean
  /** Micro-USD that it may bill beyond the cost at most. */
  readonly uncertain: bigint
  /** The answer is an earlier one. */
  readonly cached: boolean
  /** Key by which a later run finds the answer. */
  readonly cacheKey: Uint8Array | null
  /** Beginning of the answer; null where it has none. */
  readonly preview: string | null
  /** Codes of notices, separated by spaces. */
  readonly notices: string
  /** Provider's name of the model that answered, where it is not the requested one. */
  readonly servedModel: string | null
  /** Its scores follow at once, and the sample is written together with them. */
  readonly isScoredNext: boolean
  readonly then: 'grade' | 'retry' | 'fail' | 'miss' | 'cancel'
}

/** The scores of one answer. */
export interface ScoreWrite extends HeldSample {
  readonly finishedAt: number
  /** Of the primary metric; null where it has no verdict. */
  readonly value: number | null
  readonly passed: 0 | 1 | null
  /** Counted with the tokenizer; null where the provider counted. */
  readonly outputTokens: number | null
  /** Written with the scores; null where the sample has it already. */
  readonly answer: { readonly latencyMs: number; readonly usage: TokenUsage | null; readonly cached: boolean } | null
  /** By metric number. */
  readonly scores: readonly ScoreRow[]
}

/** One transaction of a run: what ended, and how many samples are wanted next. */
export interface RunWrites {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly attempts: readonly AttemptWrite[]
  /** Transcripts of the attempts, one behind the other: as one they cross to another thread without being copied. */
  readonly transcripts: Uint8Array<ArrayBuffer>
  /** Length of each attempt's transcript in bytes; 0 where there is none. */
  readonly transcriptBytes: readonly number[]
  readonly scores: readonly ScoreWrite[]
  readonly claim: number
  /** Only samples at positions below it are claimed; null: any. */
  readonly claimBelow: number | null
}

/** When the calls of a run's claimed samples were begun, by position; `'unknown'` where nothing tells. */
export type BegunCalls = 'unknown' | ReadonlyMap<number, { readonly fence: number; readonly attempt: number; readonly at: number }>
