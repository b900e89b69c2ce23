import { LRUCache } from 'lru-cache'
import { ApiError } from '../../contract/errors.ts'
import {
  type DecisionSelection,
  type DecisionTaskChange,
  type DecisionTaskPage,
  decisionTaskPreview,
} from '../../contract/releases/decision-tasks.schemas.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { readMatrixAnswers } from '../../storage/reads/matrix-cells.ts'
import { taskHeads } from '../../storage/reads/task-heads.ts'
import { sampleId } from '../../storage/sample-id.ts'
import type { ChangedTask, DecisionTasks, GroupRuns, SideOfTask, SideRun } from '../../workers/decision-tasks.worker.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Evaluations } from '../evaluations/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { storeInformedSelection } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import { type EvaluationOfDecision, evaluationsOf } from './decision-evaluations.store.ts'
import { isCreated } from './decision-needs.ts'
import type { DecisionRow } from './decisions.store.ts'

interface TasksDependencies {
  readonly evaluations: Pick<Evaluations, 'runOf'>
  readonly runs: Pick<Runs, 'read' | 'results'>
  readonly workers: Pick<Workers, 'decisionTasks'>
  readonly read: (workspaceId: string, id: string) => DecisionRow
}

export interface TaskFilters {
  readonly change?: DecisionTaskChange | undefined
  readonly group?: string | undefined
}

/** Decisions whose changed tasks are kept: a reader pages through one, and few are read at a time. */
const kept = 4

/** The tasks that make the difference between a decision's sides. Frozen results decide, so each state of a decision is paired once. */
export function createDecisionTasks({ db, clock }: Pick<Kernel, 'db' | 'clock'>, dependencies: TasksDependencies) {
  const { runs, workers, read } = dependencies
  const known = new LRUCache<string, DecisionTasks>({ max: kept })

  const tasksOf = async (decision: DecisionRow, signal: AbortSignal): Promise<DecisionTasks> => {
    const groups = pairedGroups(db, dependencies, decision)
    if (groups.length === 0) return { changed: [], compared: {} }
    const versions = groups.map(({ candidate, baseline }) => [...candidate, ...baseline].map(run => `${run.runId} ${run.resultVersion}`))
    const key = JSON.stringify([decision.id, versions])
    const found = known.get(key) ?? (await workers.decisionTasks(groups, signal))
    known.set(key, found)
    return found
  }

  return {
    list: async (workspaceId: string, id: string, query: TaskFilters & PageQuery, signal: AbortSignal): Promise<DecisionTaskPage> => {
      const decision = read(workspaceId, id)
      const { changed, compared } = await tasksOf(decision, signal)
      const { cursor, limit, ...filters } = query
      const listing: Listing = { endpoint: 'listDecisionTasks', filters: { decision: decision.id, ...filters } }
      const from = cursor === undefined ? 0 : Number(decodeCursor(listing, cursor, 1)[0]) + 1
      const ofGroup = isWanted({ group: query.group })
      const wanted = isWanted(filters)
      const shown = [...changed.entries()].filter(([position, task]) => position >= from && wanted(task)).slice(0, limit + 1)
      const versions = new Map(
        pairedGroups(db, dependencies, decision).flatMap(({ candidate, baseline }) =>
          [...candidate, ...baseline].map(run => [run.runId, run]),
        ),
      )
      const count = (change: DecisionTaskChange) => changed.filter(task => ofGroup(task) && task.change === change).length
      return {
        ...toPage(
          describeTasks(db, shown, versions),
          limit,
          listing,
          ({ position }) => [position],
          task => task,
        ),
        counts: {
          compared: Object.entries(compared).reduce(
            (sum, [group, n]) => (query.group === undefined || group === query.group ? sum + n : sum),
            0,
          ),
          gained: count('gained'),
          lost: count('lost'),
        },
      }
    },

    /** Exact tasks, remembered as chosen by the results of both sides' models: neither gets a score on them. */
    select: async (workspaceId: string, id: string, filters: TaskFilters, signal: AbortSignal): Promise<DecisionSelection> => {
      const decision = read(workspaceId, id)
      const chosen = (await tasksOf(decision, signal)).changed.filter(isWanted(filters))
      if (chosen.length === 0)
        throw new ApiError(
          'conflict',
          `No task of "${decision.name}" ${describeFilters(filters)}. Choose others, or continue the decision first.`,
        )
      const models = new Set(chosen.flatMap(({ candidate, baseline }) => [candidate.runId, baseline.runId]))
      storeInformedSelection(db, {
        workspaceId,
        informedBy: [...new Set([...models].map(run => modelIdentity(runs.read(workspaceId, run).model)))],
        leftOut: [],
        taskNumbers: chosen.map(({ taskNo }) => taskNo),
        at: timestamp(clock),
      })
      const sources = Map.groupBy(chosen, ({ sourceRef, split }) => `${sourceRef} ${split}`)
      return {
        tasks: chosen.length,
        task_selections: [...sources.values()].flatMap(of => {
          const [first] = of
          return first ? [{ source_ref: first.sourceRef, split: first.split, task_ids: [...new Set(of.map(({ taskId }) => taskId))] }] : []
        }),
      }
    },
  }
}

function isWanted({ change, group }: TaskFilters): (task: ChangedTask) => boolean {
  return task => (change === undefined || task.change === change) && (group === undefined || task.group === group)
}

function describeFilters({ change, group }: TaskFilters): string {
  return `${change === undefined ? 'changed' : `is ${change}`}${group === undefined ? '' : ` in the group "${group}"`}`
}

/** The analyzed runs of both sides, of the groups that have both. */
function pairedGroups(db: Database, { evaluations, runs }: TasksDependencies, { no, workspaceId }: DecisionRow): GroupRuns[] {
  const measured = evaluationsOf(db, no).filter(isCreated)
  const runsOf = (of: readonly EvaluationOfDecision[], side: EvaluationOfDecision['side']): SideRun[] =>
    of.flatMap(({ side: own, purpose, evaluationId, resultVersion }) => {
      const runId = evaluationId === null || own !== side || purpose !== 'main' ? null : evaluations.runOf(workspaceId, evaluationId)
      if (runId === null || resultVersion === null) return []
      return [{ runId, resultVersion, profiles: runs.results(workspaceId, runId, resultVersion).reproducibility.profiles }]
    })
  return [...Map.groupBy(measured, ({ group }) => group)]
    .map(([key, of]) => ({ key, candidate: runsOf(of, 'candidate'), baseline: runsOf(of, 'baseline') }))
    .filter(({ candidate, baseline }) => candidate.length > 0 && baseline.length > 0)
}

function describeTasks(
  db: Database,
  shown: readonly (readonly [number, ChangedTask])[],
  runs: ReadonlyMap<string, SideRun>,
): DecisionTaskPage['items'] {
  const heads = taskHeads(
    db,
    shown.map(([, { taskNo }]) => taskNo),
  )
  const sides = shown.flatMap(([, { candidate, baseline }]) => [candidate, baseline])
  const answers = new Map(
    [...Map.groupBy(sides, ({ runId }) => runId)].map(([runId, of]) => {
      const { resultVersion = 1, profiles = [] } = runs.get(runId) ?? {}
      const primary = profiles.map(({ metrics }) => metrics.findIndex(metric => metric.primary))
      const positions = of.map(({ position }) => position)
      const read = readMatrixAnswers(db, { runId, version: resultVersion }, positions, (_, profileNo) => primary[profileNo] ?? -1)
      return [runId, read] as const
    }),
  )
  const side = ({ runId, position, value }: SideOfTask) => {
    const answer = answers.get(runId)?.get(position)
    const text = answer?.answer ?? answer?.outputPreview ?? null
    return { run_id: runId, sample_id: sampleId(runId, position), value, answer: text?.slice(0, decisionTaskPreview) ?? null }
  }
  return shown.map(([position, { group, taskNo, taskId, sourceRef, split, change, candidate, baseline }]) => ({
    position,
    group,
    source_ref: sourceRef,
    split,
    task_id: taskId,
    preview: heads.get(taskNo)?.preview.slice(0, decisionTaskPreview) ?? '',
    target: heads.get(taskNo)?.target?.slice(0, decisionTaskPreview) ?? null,
    target_choice: heads.get(taskNo)?.choice?.slice(0, decisionTaskPreview) ?? null,
    change,
    candidate: side(candidate),
    baseline: side(baseline),
  }))
}
