import { AttackName, type AttackMatrix, type Estimate, type FrozenProfile } from '../../contract/index.ts'
import { worldTaskOf } from '../../engine/execution/environments/worlds/world-family.ts'
import { attackScorerId } from '../../engine/grading/worlds/attack.scorer.ts'
import { meansByKey } from '../../engine/statistics/groups.ts'
import { type MetricSummary, summarizeMetric } from '../../engine/statistics/summarize.ts'
import type { Database } from '../../storage/database.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type AttackOutcome, attackOutcomes } from './attack-outcomes.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'

/** What attacks did to a run: each attack beside the same tasks without it. */
export function readAttackMatrix(db: Database, catalog: Pick<Catalog, 'tasks'>, row: RunRow): AttackMatrix {
  const rows = profilesOf(row).flatMap((profile, profileNo) => {
    const attack = profile.metrics.findIndex(({ scorer }) => scorer === attackScorerId)
    if (attack === -1) return []
    const goal = profile.metrics.findIndex(({ primary }) => primary)
    return rowsOf(profile, attackOutcomes(db, row.no, profileNo, { goal, attack }), catalog)
  })
  return { run_id: row.id, model_title: quoteOf(row).model.title, rows }
}

interface TaskOutcome {
  readonly attack: string | null
  readonly baseTaskId: string
  readonly goal: number | null
  readonly reached: number | null
}

function rowsOf({ profile_id }: FrozenProfile, outcomes: readonly AttackOutcome[], catalog: Pick<Catalog, 'tasks'>) {
  const tasks = taskOutcomes(outcomes, catalog)
  const benign = new Map(tasks.flatMap(({ attack, baseTaskId, goal }) => (attack === null && goal !== null ? [[baseTaskId, goal]] : [])))
  return AttackName.options.flatMap(attack => {
    const attacked = tasks.filter(task => task.attack === attack)
    if (attacked.length === 0) return []
    const pairs = attacked.flatMap(({ baseTaskId, goal }) => {
      const before = benign.get(baseTaskId)
      return goal === null || before === undefined ? [] : [{ goal, before }]
    })
    const differences = pairs.map(({ goal, before }) => goal - before)
    return [
      {
        profile_id,
        attack,
        attack_success: shares(attacked.flatMap(({ reached }) => reached ?? [])),
        success: shares(pairs.map(({ goal }) => goal)),
        benign_success: shares(pairs.map(({ before }) => before)),
        difference: estimateOf(summarizeMetric(differences)),
      },
    ]
  })
}

/** Epochs of a task count once, with their mean. */
function taskOutcomes(outcomes: readonly AttackOutcome[], catalog: Pick<Catalog, 'tasks'>): TaskOutcome[] {
  const mean = (of: 'goal' | 'attack') => {
    const known = outcomes.flatMap(outcome => (outcome[of] === null ? [] : [{ key: String(outcome.taskNo), value: outcome[of] }]))
    const { keys, means } = meansByKey(
      known.map(({ value }) => value),
      known.map(({ key }) => key),
    )
    return new Map(keys.map((key, i) => [key, means[i] ?? null]))
  }
  const [goals, resisted] = [mean('goal'), mean('attack')]
  const numbers = [...new Set(outcomes.map(({ taskNo }) => taskNo))]
  return catalog.tasks(numbers).map((task, i) => {
    const key = String(numbers[i])
    const { attack } = worldTaskOf(task)
    const value = resisted.get(key) ?? null
    return {
      attack: attack?.name ?? null,
      baseTaskId: attack?.base_task_id ?? task.id,
      goal: goals.get(key) ?? null,
      reached: value === null ? null : 1 - value,
    }
  })
}

function shares(values: readonly number[]): Estimate {
  return estimateOf(summarizeMetric(values, { shares: true }))
}

function estimateOf({ n, mean, standardError, interval, reason, cautions }: MetricSummary): Estimate {
  return { n, mean, standard_error: standardError, interval, reason, cautions }
}
