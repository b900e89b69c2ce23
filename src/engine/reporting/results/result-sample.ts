import type { NoticeCode } from '../../../contract/runs/call-notes.ts'

/** One sample as the statistics need it. Sorted by position, so that the epochs of a task are adjacent. */
export interface ResultSample {
  readonly position: number
  readonly profileNo: number
  readonly taskId: string
  readonly epoch: number
  readonly status: string
  readonly attempts: number
  /** Answered from the cache; no model call was made. */
  readonly cached: boolean
  /** By metric number; empty where there are none. */
  readonly scores: readonly {
    readonly value: number | null
    readonly class: string
    /** Why there is no value, in one word. */
    readonly code?: string | null
    /** What it adds to a figure that is not a mean of values. */
    readonly counts?: Readonly<Record<string, number>> | null
    /** What the scorer took for the answer; read where a task was asked several times. */
    readonly answer?: string | null
    /** The verdict in words. */
    readonly label?: string | null
  }[]
  readonly latencyMs: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly tokensSource: 'provider' | 'tokenizer' | null
  /** What a reader must know of its answer; empty without one. */
  readonly notices: readonly NoticeCode[]
  /** Provider's name of the model that answered, where it is not the requested one. */
  readonly servedModel: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Values by which results are broken down. */
  readonly facets: Readonly<Record<string, string>>
}
