import type { z } from 'zod'
import { ApiError, type ErrorCode } from '../../contract/errors.ts'
import type { Job, JobKind, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { RunPause } from '../../contract/runs/runs.schemas.ts'
import type { Kernel } from '../kernel.ts'

/** What the mechanism needs of the kernel. */
export interface JobsKernel extends Pick<Kernel, 'db' | 'ids' | 'clock' | 'log'> {
  readonly storage: Pick<Kernel['storage'], 'note' | 'attempt'>
}

/** What survives a kill: plain JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** What a feature provides for one kind of job; everything else is the mechanism's. */
export interface JobHandler<Input> {
  readonly kind: JobKind
  /** Stored as JSON when the job is enqueued, parsed again at each start. */
  readonly input: z.ZodType<Input>
  /** Jobs of one lane share `concurrency`, fairly across workspaces. */
  readonly lane: string
  /** Jobs of the lane that run at the same time; the same in every handler of the lane. */
  readonly concurrency: number
  /**
   * Does the work. Throws to fail; an ApiError keeps its code and message. After a kill or a stop it runs again with the last checkpoint,
   * so what it does must be safe to repeat from there. Once the signal is aborted it should end soon; nothing that it commits is stored
   * then. It may answer a last write, which is stored in the same transaction as the job's success.
   */
  run(job: JobContext<Input>): Promise<void | (() => void)>
  /** In the transaction that ends the job as failed or cancelled: ends the record it works on, if any, which would stay running otherwise. */
  ended?(job: JobFacts<Input>, end: JobEnd): void
  /**
   * How much of its work is stored that no checkpoint and no progress counts, such as answers: more than at the last death of the service
   * is getting further.
   */
  stored?(job: JobFacts<Input>): number
  /** Version of the evaluator that it grades by. */
  evaluator?(input: Input): string | null
  /** What the job waits for at the moment, while it runs. */
  pause?(job: JobFacts<Input>): RunPause | null
  /**
   * In the transaction that queues the job again: reopens the record it works on. Jobs of a kind without it can't be retried.
   * @param starterId session or key that asked for it, whose limits what it costs must keep
   */
  retried?(job: JobFacts<Input>, starterId: string): void
}

export interface JobFacts<Input> {
  readonly id: string
  /** Null: of the whole machine. */
  readonly workspaceId: string | null
  readonly owner: JobOwner
  readonly subject: Job['subject']
  readonly input: Input
  /** 1 for the first start since it was created or retried. */
  readonly attempt: number
}

export interface JobEnd {
  readonly state: 'failed' | 'cancelled'
  readonly code: string
  readonly message: string
}

export interface JobContext<Input> extends JobFacts<Input> {
  /** Aborted when the job is cancelled or the service stops. */
  readonly signal: AbortSignal
  /** As last committed, by an earlier attempt or this one; null at first. */
  readonly checkpoint: unknown
  /** Costs nothing: told to readers at once, stored now and then. */
  progress(progress: { readonly done: number; readonly total: number | null; readonly message?: string }): void
  /**
   * One transaction, and the checkpoint with it.
   * @throws JobStoppedError when the job was cancelled or is being stopped: then nothing is written
   */
  commit<T>(write: () => T, checkpoint?: JsonValue): T
}

/** The job is no longer this attempt's to work on. */
export class JobStoppedError extends Error {
  override readonly name = 'JobStoppedError'
}

/** Fails the job with a last write of its own, which is stored in the transaction that ends it, before `ended` is told. */
export class JobFailure extends ApiError {
  readonly last: () => void

  constructor(code: ErrorCode, message: string, last: () => void) {
    super(code, message)
    this.last = last
  }
}

export interface NewJob {
  readonly workspaceId: string | null
  readonly owner: JobOwner
  /** JSON that the handler's schema accepts. */
  readonly input: unknown
  /** The record that it works on. */
  readonly subject: { readonly type: string; readonly id: string } | null
}
