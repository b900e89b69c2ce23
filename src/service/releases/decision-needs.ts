import type { ReleasePlan } from '../../contract/releases/decisions.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import type { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import { nameOf } from '../../engine/reporting/releases/collect-columns.ts'
import { stageOf } from '../../engine/reporting/releases/stages.ts'
import type { EvaluationOfDecision, Purpose } from './decision-evaluations.store.ts'
import type { DecisionRow } from './decisions.store.ts'
import { modelChoiceOf } from './ports.ts'

/** Sides that are evaluated or adopted; one that only evidence speaks for is not. */
export function sidesOf({ candidate, baseline }: ReleasePlan): Purpose['side'][] {
  return (['candidate', 'baseline'] as const).filter(name => {
    const side = name === 'candidate' ? candidate : baseline
    return side !== null && side.model !== null
  })
}

/** Evaluations that the decision needs up to its present look, whether they exist or not. */
export function neededEvaluations({ plan, look, suspects }: DecisionRow, suite: ReleaseSuite): Purpose[] {
  const sides = sidesOf(plan)
  const main = suite.groups.flatMap(({ key: group }) =>
    sides.flatMap(side => {
      const isAdopted = plan[side]?.evaluation_ids[group] !== undefined
      const looks = isAdopted ? [1] : Array.from({ length: look }, (_, i) => i + 1)
      return looks.map((at): Purpose => ({ purpose: 'main', side, group, look: at }))
    }),
  )
  // A side with imported answers cannot be run again, so nothing can be confirmed.
  const canAsk = sides.every(side => plan[side] !== null && modelChoiceOf(plan[side], plan.models[side]) !== null)
  const groups = !canAsk ? [] : [...new Set((suspects ?? []).map(({ group }) => group))]
  const confirm = groups.flatMap(group => sides.map((side): Purpose => ({ purpose: 'confirm', side, group, look: plan.looks })))
  // Earlier looks first, so that the money goes to what is analyzed next.
  return [...main, ...confirm].sort((a, b) => a.look - b.look)
}

export function isSame(a: Purpose, b: Purpose): boolean {
  return a.purpose === b.purpose && a.side === b.side && a.group === b.group && a.look === b.look
}

/** The exact tasks of one evaluation. */
export function tasksOf({ plan, suspects }: DecisionRow, suite: ReleaseSuite, { purpose, group, look }: Purpose): ResolvedSelection[] {
  const selections = suite.groups.find(({ key }) => key === group)?.task_selections ?? []
  if (purpose === 'main') return stageOf(selections, plan, look, look)
  const names = new Set((suspects ?? []).filter(suspect => suspect.group === group).map(({ task }) => task))
  return selections.flatMap(selection => {
    const ids = selection.task_ids.filter(id => names.has(nameOf(selection.source_ref, id)))
    return ids.length === 0 ? [] : [{ ...selection, task_ids: ids }]
  })
}

/** Names an evaluation of a decision permanently: repeating its creation finds the same one. */
export function operationKey(decisionId: string, { purpose, side, group, look }: Purpose): string {
  return `release:${decisionId}:${purpose}:${side}:${group}:${look}`
}

export type Existing = EvaluationOfDecision & { readonly evaluationId: string }

export function isCreated(evaluation: EvaluationOfDecision): evaluation is Existing {
  return evaluation.evaluationId !== null
}
