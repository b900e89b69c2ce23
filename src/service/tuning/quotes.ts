import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { allows, illegalTransition } from '../../contract/machine.ts'
import { ExecutionSettings, type Quote } from '../../contract/quotes/quotes.schemas.ts'
import { mostCases, type TuneCall } from '../../contract/tuning/draft.schemas.ts'
import { mostGroups, type NewTuneQuote, type TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneOptimize } from '../../contract/tuning/search.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { transition } from '../../storage/transition.ts'
import { type CatalogService, createPrivateBenchmark } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluators, JudgeFacts } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { PreparedQuote, Quotes } from '../quotes/index.ts'
import { sessionStatus } from './approve.ts'
import { readCases } from '../../storage/reads/tune-cases.ts'
import { describeTuneQuote } from './describe-quote.ts'
import { findTuneQuote, groupsOf, insertTuneQuote, type StoredTuneQuote } from './groups.store.ts'
import { type PlannedArm, planArms } from './plan-arms.ts'
import { raceFrame } from './race-data.ts'
import { shownFailures } from './search-limits.ts'
import { splitCases } from '../../engine/reporting/tuning/split-cases.ts'
import type { ApprovedDraft, TuneSessions } from './sessions.service.ts'
import { type SessionRow, touchSession } from './sessions.store.ts'
import { promptKey, resolveGrader, tuneBenchmark, tuneTask } from './tune-benchmark.ts'

export interface TuneQuotesDependencies {
  readonly sessions: TuneSessions
  readonly catalog: CatalogService
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'records' | 'writers'>
  readonly quotes: Quotes
}

interface PlannedQuote {
  readonly quote: StoredTuneQuote
  /** In the transaction of what it is for. */
  store(): void
}

/** Where a route has no connection to say it. */
const usualTimeoutMs = 120_000
const fewestTraining = 5
const fewestHeldOut = 10

export type TuneQuotes = ReturnType<typeof createTuneQuotes>

/** Quotes of run groups: an exact quote for each arm, over the cases in race order, and what the race can tell. */
export function createTuneQuotes(kernel: Kernel, { sessions, catalog, connections, evaluators, quotes }: TuneQuotesDependencies) {
  const { db, clock, ids } = kernel

  const gradedBy = (workspaceId: string, { grader }: ApprovedDraft) =>
    resolveGrader(grader, 'scorer' in grader ? null : evaluators.records.read(workspaceId, grader.evaluator_version_id))
  /** Id of the profile for each arm; other prompts become further profiles of the session's benchmark. */
  const profilesFor = async (row: SessionRow, draft: ApprovedDraft, arms: readonly PlannedArm[]): Promise<string[]> => {
    const prompts = [...new Map(arms.flatMap(({ prompt }) => (prompt ? [[promptKey(prompt), prompt] as const] : []))).values()]
    if (prompts.length === 0) return arms.map(() => draft.benchmark.profile_id)
    const definition = tuneBenchmark({ id: row.id, name: row.name }, draft.call, gradedBy(row.workspace_id, draft), prompts)
    const tasks = readCases(db, row.no, draft.revision, mostCases).map(tuneTask)
    const { profileIds } = await createPrivateBenchmark(kernel, row.workspace_id, { definition, tasks, shots: [] }, () => {})
    const keys = definition.profiles.map(({ key }) => key)
    return arms.map(({ prompt }) => profileIds[keys.indexOf(promptKey(prompt))] ?? draft.benchmark.profile_id)
  }
  /** Of earlier groups of the session: the largest share of cases on which a candidate differed from the current call. */
  const knownDiscordance = (sessionNo: number): number | null => {
    const seen = groupsOf(db, sessionNo).flatMap(({ arms }) =>
      arms.flatMap(({ looks }) => {
        const last = looks.at(-1)
        const { mean, standard_error: error } = last?.difference ?? {}
        return last && mean != null && error ? [error ** 2 * last.n + mean ** 2] : []
      }),
    )
    return seen.length === 0 ? null : Math.max(...seen)
  }
  const callsOf = (workspaceId: string, { model }: PlannedArm, { counts, execution }: Quote) => {
    const connection = model.kind === 'connection' ? connections.find(workspaceId, model.connection_id) : null
    const { max_concurrency: atOnce = 1, attempt_timeout_ms: timeoutMs = usualTimeoutMs } = connection?.limits ?? {}
    return {
      isAgent: connection?.kind === 'agent_to_agent',
      timeBoundMs: Math.ceil(counts.tasks / atOnce) * timeoutMs * execution.max_attempts,
    }
  }

  /** A quote and those of its arms, of which nothing is stored yet. Cases that a search may use are left out of it. */
  const plan = async (row: SessionRow, draft: ApprovedDraft, request: NewTuneQuote): Promise<PlannedQuote> => {
    const workspaceId = row.workspace_id
    const groups = groupsOf(db, row.no)
    if (groups.length >= mostGroups)
      throw new ApiError('conflict', `The session has ${groups.length} run groups, as many as a session may have. Create a new session.`)
    const planned = planArms(draft, request)
    const cases = readCases(db, row.no, draft.revision, mostCases)
    const { training, heldOut } = splitCases(cases, draft.objective.seed, request.optimize?.train_share ?? null)
    const reflection = request.optimize ? requireSearchable(workspaceId, request.optimize, training.length, heldOut.length) : null
    const frame = raceFrame(heldOut, draft.objective.seed, request.mode)
    const place = new Map(frame.ordered.map((item, at) => [item.id, at]))
    const profiles = await profilesFor(row, draft, planned)
    const { evaluatorVersionId } = gradedBy(workspaceId, draft)
    await catalog.ready(workspaceId, profiles)
    const arms = []
    const made: PreparedQuote[] = []
    for (const [i, arm] of planned.entries()) {
      const entry = catalog.profile(workspaceId, profiles[i] ?? '')
      if (!entry?.version) throw new Error(`The profile ${profiles[i]} of the tune session ${row.id} is gone.`)
      const tasks = catalog
        .taskIds(entry.version.no, { split: 'test' })
        .filter(({ taskId }) => place.has(taskId))
        .toSorted((a, b) => (place.get(a.taskId) ?? 0) - (place.get(b.taskId) ?? 0))
      const prepared = await quotes.prepareExact(workspaceId, {
        model: arm.model,
        execution: executionOf(arm, draft.call.parameters, evaluatorVersionId, request.max_provider_billed_microusd ?? null),
        max_charge_microusd: request.max_charge_microusd,
        selections: [{ entry, version: entry.version, tasks }],
      })
      made.push(prepared)
      arms.push({ ...arm, quote: prepared.quote, ...callsOf(workspaceId, arm, prepared.quote) })
    }
    const quote = describeTuneQuote({
      id: ids.next(),
      sessionId: row.id,
      createdAt: timestamp(clock),
      request,
      objective: draft.objective,
      frame,
      arms,
      trainingCases: training.length,
      reflection,
      knownDiscordant: knownDiscordance(row.no),
      exploratory: groups.length >= draft.objective.planned_groups,
    })
    return {
      quote,
      store: () => {
        for (const one of made) one.store()
        insertTuneQuote(db, row.no, quote)
      },
    }
  }
  const requireSearchable = (
    workspaceId: string,
    { reflection_model: model, reflection_effort: effort, max_calls: most }: TuneOptimize,
    training: number,
    heldOut: number,
  ): JudgeFacts => {
    const loc = ['body', 'optimize']
    const facts = evaluators.writers.facts(workspaceId, { model, effort, temperature: null }, [...loc, 'reflection_model'])
    if (facts.unavailable !== null) throw invalidField([...loc, 'reflection_model'], facts.unavailable)
    if (training < fewestTraining || heldOut < fewestHeldOut)
      throw invalidField(
        [...loc, 'train_share'],
        `splits the cases into ${training} for the search and ${heldOut} for the race; at least ${fewestTraining} and ${fewestHeldOut} are needed`,
      )
    const fewest = training + 1 + shownFailures
    if (most < fewest)
      throw invalidField(
        [...loc, 'max_calls'],
        `is ${most}; scoring the first prompt on ${training} cases and trying one proposal takes ${fewest}`,
      )
    return facts
  }

  return {
    plan,
    /** Evaluator whose metric decides; null: the primary metric. */
    evaluatorOf: (workspaceId: string, draft: ApprovedDraft): string | null => gradedBy(workspaceId, draft).evaluatorVersionId,
    /** An exact quote of one prompt on some cases, in their order. */
    quoteCases: async (row: SessionRow, draft: ApprovedDraft, arm: PlannedArm, caseIds: readonly string[]): Promise<Quote> => {
      const workspaceId = row.workspace_id
      const [profile = ''] = await profilesFor(row, draft, [arm])
      await catalog.ready(workspaceId, [profile])
      const entry = catalog.profile(workspaceId, profile)
      if (!entry?.version) throw new Error(`The profile ${profile} of the tune session ${row.id} is gone.`)
      const place = new Map(caseIds.map((id, at) => [id, at]))
      const tasks = catalog
        .taskIds(entry.version.no, { split: 'test' })
        .filter(({ taskId }) => place.has(taskId))
        .toSorted((a, b) => (place.get(a.taskId) ?? 0) - (place.get(b.taskId) ?? 0))
      const execution = executionOf(arm, draft.call.parameters, gradedBy(workspaceId, draft).evaluatorVersionId, null)
      const selections = [{ entry, version: entry.version, tasks }]
      return quotes.createExact(workspaceId, { model: arm.model, execution, max_charge_microusd: '0', selections })
    },
    create: async (workspaceId: string, id: string, request: NewTuneQuote): Promise<TuneQuote> => {
      const row = sessions.rowOf(workspaceId, id)
      requireQuotable(row)
      const { quote, store } = await plan(row, sessions.approved(row, 'quote'), request)
      return db.transaction(() => {
        transition(db, tuneSessionMachine, sessionStatus, row.id, 'quote', quote.created_at)
        touchSession(db, row.no, quote.created_at)
        store()
        return { ...quote, status: 'open' }
      })
    },
    read: (workspaceId: string, id: string, quoteId: string): TuneQuote =>
      requireFound(findTuneQuote(db, sessions.rowOf(workspaceId, id).no, quoteId, timestamp(clock)), 'tune quote', quoteId),
  }
}

function requireQuotable({ id, status }: SessionRow): void {
  if (!allows(tuneSessionMachine, status, 'quote')) throw illegalTransition('tune session', id, status, 'quote')
}

function executionOf(
  { effort }: PlannedArm,
  { top_p, seed }: TuneCall['parameters'],
  evaluatorVersionId: string | null,
  billed: string | null,
): ExecutionSettings {
  return ExecutionSettings.parse({
    effort,
    ...definedOf({ top_p, model_seed: seed }),
    evaluators: evaluatorVersionId === null ? [] : [evaluatorVersionId],
    max_provider_billed_microusd: billed,
  })
}
