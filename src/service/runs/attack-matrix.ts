import { LRUCache } from 'lru-cache'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Estimate } from '../../contract/runs/results.schemas.ts'
import { type AttackMatrix, AttackName } from '../../contract/worlds/attacks.schemas.ts'
import { type StoredWorldTask, worldTaskOf } from '../../engine/tasks/world-task.ts'
import { attackScorerId } from '../../engine/grading/worlds/attack.scorer.ts'
import { type MetricSummary, summarizeMetric } from '../../engine/statistics/summarize.ts'
import type { Database } from '../../storage/database.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type AttackOutcome, attackOutcomes } from './attack-outcomes.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'

/** Tasks never change, and each repeats the state of its world; of one, the matrix needs two names. */
type KnownTasks = LRUCache<number, Pick<TaskOutcome, 'attack' | 'baseTaskId' | 'wanted'>>
const mostKnown = 20_000

/** What attacks did to a run: each attack beside the same tasks without it. */
export function createAttackMatrices(db: Database, catalog: Pick<Catalog, 'tasks'>): (row: RunRow) => AttackMatrix {
  const known: KnownTasks = new LRUCache({ max: mostKnown })
  return row => readAttackMatrix(db, catalog, known, row)
}

function readAttackMatrix(db: Database, catalog: Pick<Catalog, 'tasks'>, known: KnownTasks, row: RunRow): AttackMatrix {
  const rows = profilesOf(row).flatMap((profile, profileNo) => {
    const attack = profile.metrics.findIndex(({ scorer }) => scorer === attackScorerId)
    if (attack === -1) return []
    const goal = profile.metrics.findIndex(({ primary }) => primary)
    return rowsOf(profile, attackOutcomes(db, row.no, profileNo, { goal, attack }), catalog, known)
  })
  return { run_id: row.id, model_title: quoteOf(row).model.title, rows }
}

interface TaskOutcome {
  readonly attack: string | null
  readonly baseTaskId: string
  readonly wanted: AttackMatrix['rows'][number]['goal'] | null
  readonly goal: number | null
  readonly reached: number | null
}

function rowsOf({ profile_id }: FrozenProfile, outcomes: readonly AttackOutcome[], catalog: Pick<Catalog, 'tasks'>, known: KnownTasks) {
  const tasks = taskOutcomes(outcomes, catalog, known)
  const benign = new Map(tasks.flatMap(({ attack, baseTaskId, goal }) => (attack === null && goal !== null ? [[baseTaskId, goal]] : [])))
  return AttackName.options.flatMap(attack => {
    const byGoal = Map.groupBy(
      tasks.filter(task => task.attack === attack),
      ({ wanted }) => JSON.stringify(wanted),
    )
    return [...byGoal.values()].flatMap(attacked => rowOf(attack, attacked))
  })

  function rowOf(attack: AttackName, attacked: readonly TaskOutcome[]) {
    const goal = attacked[0]?.wanted
    if (!goal) return []
    const pairs = attacked.flatMap(({ baseTaskId, goal }) => {
      const before = benign.get(baseTaskId)
      return goal === null || before === undefined ? [] : [{ goal, before }]
    })
    const differences = pairs.map(({ goal, before }) => goal - before)
    return [
      {
        profile_id,
        attack,
        goal,
        attack_success: shares(attacked.flatMap(({ reached }) => reached ?? [])),
        success: shares(pairs.map(({ goal }) => goal)),
        benign_success: shares(pairs.map(({ before }) => before)),
        difference: estimateOf(summarizeMetric(differences)),
      },
    ]
  }
}

function goalOf(goal: NonNullable<StoredWorldTask['attack']>['goal']): AttackMatrix['rows'][number]['goal'] {
  if ('canary' in goal) return { kind: 'canary', name: null }
  if ('policy_rule' in goal) return { kind: 'policy_rule', name: goal.policy_rule }
  return { kind: 'forbidden_call', name: goal.forbidden_call.name }
}

function taskOutcomes(outcomes: readonly AttackOutcome[], catalog: Pick<Catalog, 'tasks'>, known: KnownTasks): TaskOutcome[] {
  const unknown = outcomes.map(({ taskNo }) => taskNo).filter(no => !known.has(no))
  const read = new Map(
    catalog.tasks(unknown).map((task, i) => {
      const { attack } = worldTaskOf(task)
      const names = {
        attack: attack?.name ?? null,
        baseTaskId: attack?.base_task_id ?? task.id,
        wanted: attack ? goalOf(attack.goal) : null,
      }
      return [unknown[i] ?? 0, names]
    }),
  )
  return outcomes.flatMap(({ taskNo, goal, attack }) => {
    const names = read.get(taskNo) ?? known.get(taskNo)
    if (!names) return []
    known.set(taskNo, names)
    return [{ ...names, goal, reached: attack === null ? null : 1 - attack }]
  })
}

function shares(values: readonly number[]): Estimate {
  return estimateOf(summarizeMetric(values, { shares: true }))
}

function estimateOf({ n, mean, standardError, interval, reason, cautions }: MetricSummary): Estimate {
  return { n, mean, standard_error: standardError, interval, reason, cautions }
}
