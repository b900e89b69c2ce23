import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { TuneExport } from '../../contract/tuning/export.schemas.ts'
import type { NewTuneQuote, TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import { type NewTuneApproval, TuneApproval, type TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { Principal } from '../auth/index.ts'
import type { CatalogService } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { type Jobs, jobOwner } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { isEntitled } from '../spending/index.ts'
import { approveSession, sessionStatus } from './approve.ts'
import { exportSession } from './export.ts'
import { createTuneQuotes } from './quotes.ts'
import { registerRace } from './race.ts'
import type { TuneSessions } from './sessions.service.ts'
import { type SessionRow, touchSession } from './sessions.store.ts'
import { createPromptSearch, type SearchDependencies } from './search-job.ts'
import { startQuote } from './start-group.ts'

export interface TuneGroupsDependencies {
  readonly sessions: TuneSessions
  readonly catalog: CatalogService
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'records' | 'writers' | 'pause'>
  readonly quotes: Quotes
  readonly runs: Runs
  readonly jobs: Jobs
  readonly quotedHeldOut: SearchDependencies['quotedHeldOut']
}

export type TuneGroups = ReturnType<typeof createTuneGroups>

const AutoInput = z.strictObject({ session_id: z.string() })

/** Sessions from approval on: quotes, run groups, export. */
export function createTuneGroups(kernel: Kernel, dependencies: TuneGroupsDependencies) {
  const { db, clock } = kernel
  const { sessions, jobs, runs, quotes: plans, evaluators, quotedHeldOut } = dependencies
  const quotes = createTuneQuotes(kernel, dependencies)
  registerRace(kernel, dependencies)
  const search = createPromptSearch(kernel, { sessions, quotes, plans, evaluators, runs, jobs, quotedHeldOut })

  const start = (
    workspaceId: string,
    sessionId: string,
    payer: { readonly principalId: string; readonly owner: JobOwner },
    quoteId: string,
    operationKey: string,
  ) => startQuote(kernel, { sessions, quotes, plans, runs, jobs, search }, { workspaceId, sessionId, quoteId, operationKey, ...payer })

  /** Before each step: the key may be revoked while the quote is made. */
  const requireAuthorized = (row: SessionRow): void => {
    if (isEntitled(db, row.workspace_id, row.owner_id, timestamp(clock))) return
    throw new ApiError(
      row.owner_kind === 'api_key' ? 'unauthenticated' : 'workspace_forbidden',
      row.owner_kind === 'api_key'
        ? 'The API key that created this session is revoked or expired, so nothing was started on its behalf. Quote and start the session yourself.'
        : 'The person who created this session is no longer a member, so nothing was started on their behalf. Quote and start the session yourself.',
    )
  }

  // One that fails leaves what was quoted; the session shows why it was not started.
  jobs.register({
    kind: 'tune_auto',
    input: AutoInput,
    lane: 'tuning',
    concurrency: 16,
    run: async ({ input: { session_id: id }, workspaceId, owner, commit }) => {
      if (workspaceId === null) throw new Error('Automatic tuning belongs to a workspace.')
      const row = sessions.rowOf(workspaceId, id)
      const { auto } = TuneApproval.parse(JSON.parse(row.approval ?? 'null'))
      // After a kill it may have been quoted, or even started, already.
      if (!auto || row.status === 'running' || sessions.groups(row).length > 0) return
      requireAuthorized(row)
      const quote = await quotes.create(workspaceId, id, auto)
      commit(() => {
        requireAuthorized(row)
        start(workspaceId, id, { principalId: row.principal_id, owner }, quote.id, `auto ${id}`)
      })
    },
  })

  return {
    approve: async (
      workspaceId: string,
      id: string,
      principal: Principal,
      body: NewTuneApproval,
      signal: AbortSignal,
    ): Promise<TuneSession> => {
      await approveSession(kernel, dependencies, workspaceId, id, principal, body, signal)
      return sessions.read(workspaceId, id)
    },
    quote: (workspaceId: string, id: string, body: NewTuneQuote): Promise<TuneQuote> => quotes.create(workspaceId, id, body),
    readQuote: quotes.read,
    start: (workspaceId: string, id: string, principal: Principal, quoteId: string, operationKey: string) => {
      const isNew = start(workspaceId, id, { principalId: principal.id, owner: jobOwner(principal) }, quoteId, operationKey)
      return { session: sessions.read(workspaceId, id), isNew }
    },
    /** At once; runs of arms that are under way end as soon as their calls have. */
    cancel: (workspaceId: string, id: string): TuneSession =>
      db.transaction(() => {
        const row = sessions.rowOf(workspaceId, id)
        const job = jobs.of({ type: 'tune_session', id: row.id }, ['tune_auto', 'tune_race', 'tune_search'])
        const isOpen = job?.state === 'queued' || job?.state === 'running'
        if (job && isOpen) jobs.cancel(workspaceId, job.id)
        // A race or a search that is cancelled has cancelled its session.
        if (!(job && isOpen && job.kind !== 'tune_auto')) {
          transition(db, tuneSessionMachine, sessionStatus, row.id, 'cancel', timestamp(clock))
          touchSession(db, row.no, timestamp(clock))
        }
        return sessions.read(workspaceId, id)
      }),
    export: (workspaceId: string, id: string): Promise<TuneExport> => exportSession(db, sessions, workspaceId, id),
  }
}
