import { ApiError, notFound, requireFound } from '../../contract/errors.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { casesShown, type TuneCall, type TuneDraftPatch, type TuneGrader } from '../../contract/tuning/draft.schemas.ts'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneArm, TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { type NewTuneSession, TuneApproval, TuneBenchmark, type TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import type { Principal } from '../auth/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { Runs } from '../runs/index.ts'
import { keepCaseMedia } from './case-media.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import { listCases } from './cases.store.ts'
import { checkEvaluator, missingFrom, requireComplete } from './check-draft.ts'
import { describeGroup } from './describe-group.ts'
import { detectableMargin } from './describe-quote.ts'
import { type DraftOfRunDependencies, draftOfRun } from './draft-of-run.ts'
import { editCases, prepareEdits, type PreparedEdits } from './edit-cases.ts'
import { type GroupRow, findGroup, findTuneQuote, groupsOf, latestTuneQuote } from './groups.store.ts'
import { groupAlpha } from './race-data.ts'
import { searchesOf, toSearch } from './searches.store.ts'
import {
  commonFields,
  type DraftContent,
  findDraft,
  findSession,
  findSessionByNo,
  insertRevision,
  insertSession,
  listSessions,
  type SessionRow,
  toListItem,
  type SessionsQuery,
} from './sessions.store.ts'

export interface TuneSessionsDependencies {
  readonly evaluators: Pick<Evaluators, 'records' | 'writers'>
  readonly jobs: Jobs
  readonly runs: Pick<Runs, 'gated'> & DraftOfRunDependencies['runs']
  readonly catalog: DraftOfRunDependencies['catalog']
  readonly media: Pick<Media, 'find' | 'keep'>
}

interface SessionQuery {
  /** The current one unless given. */
  readonly revision?: number | undefined
  /** Most cases of the draft to read. */
  readonly cases?: number
}

/** A draft that was approved: complete, and bound to its benchmark. */
export interface ApprovedDraft extends DraftContent {
  readonly revision: number
  readonly call: TuneCall
  readonly grader: TuneGrader
  readonly benchmark: TuneBenchmark
}

export type TuneSessions = ReturnType<typeof createTuneSessions>

export function createTuneSessions({ db, ids, clock }: Kernel, { evaluators, jobs, runs, catalog, media }: TuneSessionsDependencies) {
  const rowOf = (workspaceId: string, id: string): SessionRow => requireFound(findSession(db, workspaceId, id), 'tune session', id)
  const groups = (row: SessionRow): TuneGroup[] =>
    groupsOf(db, row.no).map(group => describeGroup(runs, row.workspace_id, group, quoteOf(row, group)))
  const quoteOf = (row: SessionRow, group: Pick<GroupRow, 'quoteId'>): TuneQuote => {
    const quote = findTuneQuote(db, row.no, group.quoteId, timestamp(clock))
    if (!quote) throw new Error(`The quote ${group.quoteId} of the tune session ${row.id} is gone.`)
    return quote
  }
  const searchOf = (row: SessionRow): TuneSession['search'] => {
    const [newest] = searchesOf(db, row.no)
    if (!newest) return null
    const { charged } = evaluators.writers.spent({
      kind: 'search',
      id: newest.id,
      workspaceId: row.workspace_id,
      principalId: newest.principal_id,
    })
    return toSearch(newest, quoteOf(row, { quoteId: newest.quote_id }), charged)
  }
  const view = (row: SessionRow, { revision = row.revision, cases: mostCases = casesShown }: SessionQuery = {}): TuneSession => {
    const draft = requireFound(findDraft(db, row.no, revision), `revision ${revision} of tune session`, row.id)
    const cases = readCases(db, row.no, revision, mostCases)
    const job = jobs.of({ type: 'tune_session', id: row.id }, ['tune_auto', 'tune_race', 'tune_search'])
    return {
      ...commonFields(row),
      conclusion: toListItem(row).conclusion,
      draft: {
        ...draft,
        cases,
        detectable_margin: draft.case_count === 0 ? null : detectableMargin(draft.case_count, groupAlpha(draft.objective)),
        missing: missingFrom(draft),
      },
      approval: row.approval === null ? null : TuneApproval.parse(JSON.parse(row.approval)),
      benchmark: row.benchmark === null ? null : TuneBenchmark.parse(JSON.parse(row.benchmark)),
      quote_id: latestTuneQuote(db, row.no),
      search: searchOf(row),
      groups: groups(row),
      job_id: job?.id ?? null,
      problem: job?.state === 'failed' ? job.error : null,
    }
  }
  const read = (workspaceId: string, id: string, query?: SessionQuery): TuneSession => view(rowOf(workspaceId, id), query)
  const check = (workspaceId: string, { grader }: DraftContent) =>
    checkEvaluator(grader, id => evaluators.records.find(workspaceId, id) !== null)
  const requireScorer = async (grader: DraftContent['grader'] | undefined, signal: AbortSignal, isOfRun = false): Promise<void> => {
    if (!grader || !('scorer' in grader)) return
    if (isOfRun) await evaluators.records.requireScorer(grader, ['body', 'from_run'], signal, 'has a grader that cannot be used: ')
    else await evaluators.records.requireScorer(grader, ['body', 'grader', 'scorer'], signal)
  }
  /** The next revision, in the caller's transaction. */
  const revise = (row: SessionRow, principal: Principal, content: DraftContent, cases: PreparedEdits): void => {
    const at = timestamp(clock)
    keepCaseMedia(media, row, cases)
    const totals = { count: row.case_count, bytes: row.case_bytes, nextPosition: row.next_position }
    const edited = editCases(db, ids.next, { no: row.no, revision: row.revision, totals }, cases, { by: principal.name, at })
    insertRevision(db, row.no, row.revision + 1, content, edited, at)
  }

  return {
    rowOf,
    read,
    groups,
    quoteOf,
    /** An arm of a run group and the profile that it was run on; null when the workspace has no such arm. */
    armOf: (workspaceId: string, groupId: string, label: string): { readonly arm: TuneArm; readonly profileId: string | null } | null => {
      const group = findGroup(db, groupId)
      const row = group && findSessionByNo(db, group.sessionNo)
      if (!group || row?.workspace_id !== workspaceId) return null
      const arm = describeGroup(runs, workspaceId, group, quoteOf(row, group)).arms.find(one => one.label === label)
      if (!arm || arm.run_status === 'deleted') return null
      return { arm, profileId: runs.read(workspaceId, arm.run_id).profiles[0]?.profile_id ?? null }
    },
    /** What approval fixed. @throws ApiError illegal_transition before it */
    approved: (row: SessionRow, what: string): ApprovedDraft => {
      if (row.approval === null || row.benchmark === null) throw illegalTransition('tune session', row.id, row.status, what)
      const { revision } = TuneApproval.parse(JSON.parse(row.approval))
      const draft = findDraft(db, row.no, revision)
      if (!draft?.call || !draft.grader) throw new Error(`The approved draft of the tune session ${row.id} is incomplete.`)
      return { ...draft, call: draft.call, grader: draft.grader, benchmark: TuneBenchmark.parse(JSON.parse(row.benchmark)) }
    },
    list: (workspaceId: string, query: SessionsQuery) => listSessions(db, workspaceId, query),
    cases: (workspaceId: string, id: string, { revision, ...query }: PageQuery & { readonly revision?: number | undefined }) => {
      const row = rowOf(workspaceId, id)
      const wanted = revision ?? row.revision
      if (wanted > row.revision) throw notFound(`revision ${wanted} of tune session`, id)
      return listCases(db, row, wanted, query)
    },
    create: async (
      workspaceId: string,
      principal: Principal,
      { from_run: run, ...stated }: NewTuneSession,
      automation: boolean,
      signal: AbortSignal,
    ): Promise<TuneSession> => {
      const body = run === undefined ? stated : { ...(await draftOfRun({ runs, catalog }, workspaceId, run)), ...stated }
      const content: DraftContent = { name: body.name, call: body.call ?? null, grader: body.grader ?? null, objective: body.objective }
      check(workspaceId, content)
      await requireScorer(content.grader, signal, run !== undefined && stated.grader === undefined)
      if (automation) requireComplete({ ...content, case_count: body.cases?.length ?? 0 })
      const id = ids.next()
      const cases = await prepareEdits({ upsert: body.cases, loc: ['body', 'cases'] })
      return db.transaction(() => {
        // An evaluator may have been deleted while the cases were read.
        check(workspaceId, content)
        insertSession(db, {
          id,
          workspaceId,
          name: body.name,
          automation,
          owner: principal.kind === 'session' ? { kind: 'person', id: principal.personId } : { kind: 'api_key', id: principal.id },
          principalId: principal.id,
          createdAt: timestamp(clock),
        })
        revise(rowOf(workspaceId, id), principal, content, cases)
        return read(workspaceId, id)
      })
    },
    patch: async (
      workspaceId: string,
      id: string,
      principal: Principal,
      { revision, cases, ...changes }: TuneDraftPatch,
      signal: AbortSignal,
    ): Promise<TuneSession> => {
      rowOf(workspaceId, id)
      await requireScorer(changes.grader, signal)
      const edits = await prepareEdits({ ...cases, loc: ['body', 'cases', 'upsert'] })
      return db.transaction(() => {
        const row = rowOf(workspaceId, id)
        if (row.status !== 'draft') throw illegalTransition('tune session', row.id, row.status, 'edit')
        if (row.revision !== revision)
          throw new ApiError(
            'conflict',
            `Revision ${revision} of this draft is not the current one, which is ${row.revision}. Read the session and apply your changes again.`,
          )
        const draft = findDraft(db, row.no, row.revision)
        if (!draft) throw new Error(`The tune session ${row.id} has no revision ${row.revision}.`)
        const { name = draft.name, call = draft.call, grader = draft.grader, objective = draft.objective } = changes
        const content: DraftContent = { name, call, grader, objective }
        check(workspaceId, content)
        revise(row, principal, content, edits)
        return read(workspaceId, id)
      })
    },
  }
}
