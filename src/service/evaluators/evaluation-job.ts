import type { JobKind, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import { JudgeUnavailableError } from '../../engine/execution/judging/judge-caller.ts'
import type { JudgeOwnerKind } from '../../storage/schema/evaluators.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { storeFailure } from './failures.store.ts'
import { closeBudget, judgeOwner, openBudget } from './judge-budgets.store.ts'
import { forgetOpenCalls, storedAnswers } from './judge-calls.store.ts'
import type { JudgeHold } from './judge-cap.ts'
import { type EvaluationDependencies, evaluationPause } from './open-evaluation.ts'

/** A job over one record, such as a calibration, that may spend money on judges. */
export interface EvaluationWork<Input, Row> extends Pick<JobHandler<Input>, 'input'> {
  readonly kind: JobKind
  readonly payer: JudgeOwnerKind
  readonly table: Parameters<typeof storeFailure>[1]
  idOf(input: Input): string
  find(id: string): Row | null
  isQueued(row: Row): boolean
  step(id: string, event: 'begin' | 'fail' | 'retry', now: string, note?: string): void
  /** @returns stores the result, in the transaction that ends the job */
  execute(job: JobContext<Input>, row: Row): Promise<(now: string) => void>
  /** What its calls may cost. @throws ApiError where they cannot be made */
  hold(row: Row): JudgeHold
}

/** Its record begins, fails and is reopened with the job, and its budget is closed when the job ends. */
export function evaluationJob<Input, Row extends { readonly id: string; readonly workspace_id: string }>(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  dependencies: Pick<EvaluationDependencies, 'connections' | 'limiters'>,
  { kind, input, payer, table, idOf, find, isQueued, step, execute, hold }: EvaluationWork<Input, Row>,
): JobHandler<Input> {
  const { db, clock } = kernel
  const present = (of: Input): Row => {
    const row = find(idOf(of))
    if (!row) throw new Error(`The ${payer} ${idOf(of)} is gone.`)
    return row
  }
  const ownerOf = (job: { readonly input: Input; readonly owner: JobOwner }) => judgeOwner(payer, present(job.input), job.owner)
  return {
    kind,
    input,
    lane: 'evaluation',
    concurrency: 2,
    run: async job => {
      const row = present(job.input)
      job.commit(() => {
        forgetOpenCalls(db, { kind: payer, id: row.id })
        if (isQueued(row)) step(row.id, 'begin', timestamp(clock))
      })
      const store = await execute(job, row).catch(asApiError)
      return () => {
        const now = timestamp(clock)
        store(now)
        closeBudget(db, ownerOf(job), now)
      }
    },
    ended: (job, { code, message }) => {
      const { id } = present(job.input)
      const now = timestamp(clock)
      step(id, 'fail', now, code)
      storeFailure(db, table, id, { code, message }, now)
      forgetOpenCalls(db, { kind: payer, id })
      closeBudget(db, ownerOf(job), now)
    },
    pause: job => evaluationPause(kernel, dependencies, ownerOf(job)),
    stored: job => storedAnswers(db, ownerOf(job)),
    retried: (job, starterId) => {
      const row = present(job.input)
      const reserved = hold(row)
      step(row.id, 'retry', timestamp(clock))
      storeFailure(db, table, row.id, null, null)
      openBudget(db, ownerOf(job), reserved, timestamp(clock), starterId)
    },
  }
}

/** Judges that can't be asked are not a failure of Assay's: the record says why, and its job can be retried. */
export function asApiError(error: unknown): never {
  if (!(error instanceof JudgeUnavailableError)) throw error
  throw new ApiError(error.code === 'cap_reached' ? 'spending_limit_reached' : 'provider_error', error.message)
}
