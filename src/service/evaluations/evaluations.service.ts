import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import type {
  Evaluation,
  EvaluationListItem,
  EvaluationQuoteRequest,
  NewEvaluation,
} from '../../contract/evaluations/evaluations.schemas.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { ResolvedSelection, TaskSelection } from '../../contract/suites/suites.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import type { Catalog } from '../catalog/index.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { PreparedQuote, Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { type Spend, startWork } from '../spending/index.ts'
import { resolveSelections, type SelectedTasks, type Suites, unpackSelections } from '../suites/index.ts'
import { chooseProfiles } from './choose-profiles.ts'
import {
  evaluationOfRun,
  type EvaluationRow,
  type EvaluationsQuery,
  findByOperation,
  findEvaluation,
  insertEvaluation,
  type ListedEvaluation,
  listEvaluations,
} from './evaluations.store.ts'

export type Evaluations = ReturnType<typeof createEvaluations>

interface EvaluationsDependencies {
  readonly catalog: Catalog
  readonly quotes: Quotes
  readonly runs: Runs
  readonly suites: Suites
}

export interface EvaluationSubmission {
  readonly workspaceId: string
  readonly principalId: string
  /** Of the area that starts it. */
  readonly scope: Scope
  readonly operationKey: string | null
  readonly body: NewEvaluation
  /** What its caller stores with it, in its transaction. */
  readonly stored?: (evaluationId: string) => void
}

/** How the tasks of one selection are asked. */
export interface PlannedProfile {
  readonly source_ref: string
  readonly profile_id: string
  readonly prompt_digest: string
  /** Whether tasks of the selections depend on each other. */
  readonly chained: boolean
}

/** An evaluation, and whether this request made it or repeats one that did. */
interface Created {
  readonly evaluation: Evaluation
  readonly isNew: boolean
}

/** An evaluation is a run of exact tasks: its plan is a quote of them, and everything that happens to it happens to its run. */
export function createEvaluations(kernel: Kernel, { catalog, quotes, runs, suites }: EvaluationsDependencies) {
  const { db, clock, ids } = kernel

  const rowOf = (workspaceId: string, id: string): EvaluationRow => requireFound(findEvaluation(db, workspaceId, id), 'evaluation', id)
  const listed = (workspaceId: string, row: ListedEvaluation): EvaluationListItem => {
    const { name, status, model, profiles, execution, progress, accounting, result_version, stop_reason, started_at, finished_at } =
      runs.read(workspaceId, row.run_id)
    return {
      id: row.id,
      name,
      status,
      run_id: row.run_id,
      suite_version_id: row.suite_version_id,
      model,
      sources: profiles.map(profile => ({
        source_ref: profile.source_ref,
        split: profile.split,
        profile_id: profile.profile_id,
        title: profileName(profile),
        tasks: profile.tasks_selected,
      })),
      execution,
      progress,
      accounting,
      result_version,
      stop_reason,
      created_at: row.created_at,
      started_at,
      finished_at,
    }
  }
  const read = (workspaceId: string, row: EvaluationRow): Evaluation => ({
    ...listed(workspaceId, row),
    task_selections: unpackSelections(row.selections),
  })

  const earlier = ({ workspaceId, operationKey, body }: EvaluationSubmission): Evaluation | null => {
    const row = operationKey === null ? undefined : findByOperation(db, workspaceId, operationKey)
    if (!row) return null
    if (row.body_digest !== bodyDigest(body)) {
      throw new ApiError(
        'idempotency_mismatch',
        `The Idempotency-Key was used before for the evaluation "${row.id}" of another request. Use a new key.`,
      )
    }
    return read(workspaceId, row)
  }
  const start = (submission: EvaluationSubmission, { quote, store }: PreparedQuote, selections: readonly ResolvedSelection[]): Created =>
    db.transaction(() => {
      // Two requests with one key may both have come this far.
      const known = earlier(submission)
      if (known) return { evaluation: known, isNew: false }
      const { workspaceId, principalId, scope, operationKey, body } = submission
      const id = ids.next()
      store()
      const { run } = runs.submit({ workspaceId, principalId, scope, operationKey: null, quoteId: quote.id, name: body.name })
      insertEvaluation(db, {
        id,
        workspaceId,
        runId: run.id,
        suiteVersionId: body.suite_version_id?.toLowerCase() ?? null,
        selections,
        operationKey,
        bodyDigest: bodyDigest(body),
        createdAt: timestamp(clock),
      })
      submission.stored?.(id)
      return { evaluation: read(workspaceId, rowOf(workspaceId, id)), isNew: true }
    })

  /** Freezes exactly the tasks of the request. @throws ApiError task_unavailable */
  const quoteTasks = async (workspaceId: string, body: EvaluationQuoteRequest, authorize: (spend: Spend) => void = () => {}) => {
    const asked = askedTasks(body, id => suites.read(workspaceId, id).task_selections)
    const selected = resolveSelections(db, workspaceId, asked)
    requireUnchanged(selected, asked)
    await catalog.ready(
      workspaceId,
      selected.flatMap(({ source }) => source.profileIds),
    )
    const { model, execution, max_charge_microusd } = body
    const selections = chooseProfiles(catalog, workspaceId, selected, body)
    const profileIds = selections.map(({ entry }) => entry.profile.id)
    authorize(quotes.least(workspaceId, { models: [model], profileIds, evaluators: execution.evaluators }))
    return { selected, prepared: await quotes.prepareExact(workspaceId, { model, execution, max_charge_microusd, selections }) }
  }

  return {
    /** What an evaluation costs at least: enough to refuse who may spend nothing. What it can cost at most is for its run. */
    least: quotes.least,
    /** What the evaluation would take and cost; starts nothing. */
    quote: async (workspaceId: string, body: EvaluationQuoteRequest): Promise<Quote> => {
      const { prepared } = await quoteTasks(workspaceId, body)
      prepared.store()
      return prepared.quote
    },
    create: async (submission: EvaluationSubmission): Promise<Created> => {
      const known = earlier(submission)
      if (known) return { evaluation: known, isNew: false }
      const { workspaceId, principalId, scope, body } = submission
      const { selected, prepared } = await quoteTasks(workspaceId, body, spend => {
        startWork(db, principalId, { workspaceId, scope, spend }, timestamp(clock), () => {})
        quotes.requireAvailable(workspaceId, body)
      })
      requireCompatible(prepared.quote)
      return start(
        submission,
        prepared,
        selected.map(({ selection }) => selection),
      )
    },
    /** How the tasks would be asked: the profile and prompt of each selection. Starts nothing. @throws ApiError task_unavailable */
    plan: async (
      workspaceId: string,
      asked: readonly (TaskSelection | ResolvedSelection)[],
      profileIds: readonly string[],
    ): Promise<PlannedProfile[]> => {
      const selected = resolveSelections(db, workspaceId, asked)
      requireUnchanged(selected, asked)
      await catalog.ready(
        workspaceId,
        selected.flatMap(({ source }) => source.profileIds),
      )
      return chooseProfiles(catalog, workspaceId, selected, { profile_ids: [...profileIds] }).map(({ entry, version }) => ({
        source_ref: version.sourceRef,
        profile_id: entry.profile.id,
        prompt_digest: entry.profile.prompt_digest,
        chained: selected.some(({ tasks }) => tasks.some(({ dependsOn }) => dependsOn.length > 0)),
      }))
    },
    list: (workspaceId: string, query: EvaluationsQuery) => listEvaluations(db, workspaceId, query, row => listed(workspaceId, row)),
    read: (workspaceId: string, id: string): Evaluation => read(workspaceId, rowOf(workspaceId, id)),
    cancel: (workspaceId: string, id: string): Evaluation => {
      const row = rowOf(workspaceId, id)
      runs.cancel(workspaceId, row.run_id)
      return read(workspaceId, row)
    },
    /** The evaluation that a run is; null for any other run. */
    ofRun: (workspaceId: string, runId: string): string | null => evaluationOfRun(db, workspaceId, runId),
    /**
     * The evaluation that a finished run of one profile is: of the tasks that it froze, made of it where it does not exist yet.
     * @throws ApiError not_found; null for a run that is not finished, or of several profiles
     */
    ofFinishedRun: (workspaceId: string, runId: string): string | null => {
      const { id: known, created_at: createdAt } = runs.read(workspaceId, runId)
      const earlierOne = evaluationOfRun(db, workspaceId, known)
      const frozen = earlierOne === null ? runs.gated.frozenSelection(workspaceId, known) : null
      if (earlierOne !== null || frozen === null) return earlierOne
      const id = ids.next()
      const row = { id, workspaceId, runId: known, suiteVersionId: null, operationKey: null, bodyDigest: '', createdAt }
      insertEvaluation(db, { ...row, selections: [frozen.selection] })
      return id
    },
    /** The run behind an evaluation; null when the workspace has no such evaluation. */
    runOf: (workspaceId: string, id: string): string | null => findEvaluation(db, workspaceId, id)?.run_id ?? null,
  }
}

/** A suite names versions by their content too: another version that took over the name is not what it holds. */
function requireUnchanged(selected: readonly SelectedTasks[], asked: readonly (TaskSelection | ResolvedSelection)[]): void {
  const changed = selected.flatMap(({ source }, i) => {
    const selection = asked[i]
    return selection && 'version_digest' in selection && selection.version_digest !== source.digest ? [source.sourceRef] : []
  })
  if (changed.length === 0) return
  const problems = changed.map(ref => `${ref} has changed since the suite was created`)
  throw new ApiError('task_unavailable', `The suite cannot be run: ${problems.join('; ')}.`, {
    detail: problems.map(msg => ({ loc: ['body', 'suite_version_id'], msg, type: 'source_changed' })),
  })
}

/** Every check that the model or the tasks failed is named, not only the first. */
function requireCompatible({ compatibility }: Quote): void {
  if (compatibility.status === 'compatible') return
  const failed = compatibility.checks.filter(({ status }) => status === 'fail')
  const named = failed.map(({ profile_id: profile, detail }) => (profile === null ? detail : `${profile}: ${detail}`))
  throw new ApiError('quote_incompatible', `The evaluation cannot be run. ${named.join(' ')}`)
}

/** The tasks that a request is about: a suite's or its own, never both and never a share of either. */
function askedTasks(
  { suite_version_id, task_selections, coverage }: EvaluationQuoteRequest,
  suiteTasks: (id: string) => readonly ResolvedSelection[],
): readonly (TaskSelection | ResolvedSelection)[] {
  if (coverage)
    throw invalidField(
      ['body', 'coverage'],
      `an evaluation runs exactly the tasks selected and cannot ask for ${coverage.mode} coverage as well`,
      'mixed_selection',
    )
  if (suite_version_id && task_selections)
    throw invalidField(['body', 'task_selections'], 'cannot be combined with suite_version_id; send one of them', 'mixed_selection')
  if (suite_version_id) return suiteTasks(suite_version_id)
  if (!task_selections) throw invalidField(['body', 'task_selections'], 'is required, unless suite_version_id is given', 'missing')
  return task_selections
}
