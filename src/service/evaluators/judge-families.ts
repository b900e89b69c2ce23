import { modelFamily } from '../../engine/grading/judges/model-family.ts'
import type { Connections } from '../connections/index.ts'
import { type EvaluatorTree, evaluatorsIn } from './evaluator-tree.ts'

/** Families of the models that judge in an evaluator; those whose names say nothing, or whose connection is gone, are left out. */
export function judgeFamilies(connections: Connections, workspaceId: string, tree: EvaluatorTree): string[] {
  const models = evaluatorsIn(tree).flatMap(({ definition }) =>
    definition.kind !== 'model_graded'
      ? []
      : definition.judges.flatMap(({ model }) =>
          model.kind === 'managed' ? model.route_id : (connections.find(workspaceId, model.connection_id)?.model ?? []),
        ),
  )
  return [...new Set(models.flatMap(model => modelFamily(model) ?? []))]
}

/** What to keep in mind where a judge grades a model of its own family; null otherwise. */
export function sameFamilyCaution(families: readonly string[], judgedModel: string): string | null {
  const family = modelFamily(judgedModel)
  if (family === null || !families.includes(family)) return null
  return `A judge and the judged model are both of the family ${family}; judges tend to prefer their own family's answers`
}
