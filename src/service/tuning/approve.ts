import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { mostCases } from '../../contract/tuning/draft.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import type { NewTuneApproval } from '../../contract/tuning/sessions.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { Principal } from '../auth/index.ts'
import { createPrivateBenchmark } from '../catalog/index.ts'
import { markBenchmarkArchived } from '../items/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import { requireComplete } from './check-draft.ts'
import type { TuneSessions } from './sessions.service.ts'
import { findDraft, type SessionRow, storeApproval } from './sessions.store.ts'
import { resolveGrader, tuneBenchmark, tuneTask } from './tune-benchmark.ts'

export const sessionStatus = { table: 'tune_sessions', column: 'status' } as const

export interface ApprovalDependencies {
  readonly sessions: TuneSessions
  readonly evaluators: Pick<Evaluators, 'records'>
  readonly jobs: Jobs
}

/** Who a session's background work is charged to: its creator. */
export function sessionOwner({ owner_kind, owner_id }: Pick<SessionRow, 'owner_kind' | 'owner_id'>): JobOwner {
  return { kind: owner_kind, id: owner_id }
}

/**
 * The one human step: the reviewed draft becomes a private benchmark, and with `auto` a job quotes and starts. Benchmark, state and job
 * are written in one transaction.
 * @throws ApiError human_approval_required, conflict, illegal_transition, validation_error
 */
export async function approveSession(
  kernel: Kernel,
  { sessions, evaluators, jobs }: ApprovalDependencies,
  workspaceId: string,
  id: string,
  principal: Principal,
  { revision, comment, auto }: NewTuneApproval,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = kernel
  const row = sessions.rowOf(workspaceId, id)
  if (principal.kind !== 'session')
    throw new ApiError(
      'human_approval_required',
      'Only a signed-in person may approve a draft. Ask one to review it and approve it in Assay.',
    )
  const requireCurrent = ({ status, revision: current }: SessionRow) => {
    if (status !== 'draft') throw illegalTransition('tune session', id, status, 'approve')
    if (current !== revision)
      throw new ApiError('conflict', `Revision ${revision} was reviewed and the draft is at revision ${current} now. Review it again.`)
  }
  requireCurrent(row)
  const draft = findDraft(db, row.no, revision)
  if (!draft) throw new Error(`The tune session ${id} has no revision ${revision}.`)
  requireComplete(draft)
  const { call, grader } = draft
  if (!call || !grader) throw new Error(`The draft of the tune session ${id} is incomplete.`)
  if ('scorer' in grader) await evaluators.records.requireScorer(grader, ['body'], signal, 'Correct the grader of the draft: ')
  const evaluator = 'scorer' in grader ? null : evaluators.records.read(workspaceId, grader.evaluator_version_id)
  const definition = tuneBenchmark({ id: row.id, name: row.name }, call, resolveGrader(grader, evaluator), [])
  const tasks = readCases(db, row.no, revision, mostCases).map(tuneTask)
  await createPrivateBenchmark(kernel, workspaceId, { definition, tasks, shots: [] }, made => {
    requireCurrent(sessions.rowOf(workspaceId, id))
    const at = timestamp(clock)
    storeApproval(
      db,
      row.no,
      { revision, by: principal.name, at, comment: comment ?? null, auto: auto ?? null },
      { slug: made.slug, source_ref: made.sourceRef, profile_id: made.profileIds[0] ?? '' },
    )
    if (made.created) markBenchmarkArchived(db, workspaceId, made.slug, at)
    transition(db, tuneSessionMachine, sessionStatus, row.id, 'approve', at, comment ?? null)
    if (auto)
      jobs.enqueue('tune_auto', {
        workspaceId,
        owner: sessionOwner(row),
        input: { session_id: row.id },
        subject: { type: 'tune_session', id: row.id },
      })
  })
}
