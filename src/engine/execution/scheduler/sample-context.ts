import type { CommonFailure } from './common-failure.ts'
import type { EndpointLimiter } from './endpoint-limiter.ts'
import type { Grading } from './grading.ts'
import type { Journal } from './journal.ts'
import type { GradedRun, RunPlan, SchedulerPorts, StopReason } from './ports.ts'
import type { SpendCap } from './spend-cap.ts'

/** What the samples of one run share. */
export interface SampleContext {
  readonly plan: RunPlan
  readonly ports: SchedulerPorts
  readonly journal: Journal
  readonly grading: Grading
  /** For judges and simulated users, which make calls of their own. */
  readonly graded: GradedRun
  readonly limiter: EndpointLimiter
  /** Null where calls cost nothing. */
  readonly spending: SpendCap | null
  readonly commonFailure: CommonFailure
  /** Micro-USD to book for an exact cost in 1e-12 USD. */
  readonly booked: (picoUsd: bigint) => bigint
  /** Why no further call may be made: cancelled by a person, or stopped by an endpoint that refuses for good. */
  readonly stopSignal: AbortSignal
  /** Ends the calls in flight as well; fires with or after `stopSignal`. */
  readonly callSignal: AbortSignal
  readonly cancelled: () => boolean
  /** Nothing more is to be asked. Calls in flight are ended, or finish where they are worth what they cost. */
  readonly stop: (reason: StopReason, calls?: 'end' | 'finish') => void
  /** An error unrelated to any sample: the run is left as stored and the executor receives the error. */
  readonly crash: (error: unknown) => void
  /** The process is closing, or executing the run failed: what is in flight is left for the next start. */
  readonly closing: () => boolean
  /** The process is about to close: calls in flight are awaited, and no others begun. */
  readonly draining: () => boolean
  /** A call waited so long for the endpoint. */
  readonly waited: (ms: number) => void
  /** A sample took (1) a place among the calls in flight, or gave it back (-1): as soon as its answer is there. */
  readonly asking: (change: 1 | -1) => void
  /** A sample began (1) or ended (-1) a pause between two attempts. */
  readonly backingOff: (change: 1 | -1) => void
}
