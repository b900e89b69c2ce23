import type { EvaluatorDefinition, EvaluatorSnapshot } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'
import { findEvaluator } from './evaluators.store.ts'

/** An evaluator version with the versions that it is made of. */
export interface EvaluatorTree {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly definition: EvaluatorDefinition
  /** Of a composite, in its order. */
  readonly parts: readonly EvaluatorTree[]
}

/** @throws Error when a part is gone, which nothing may do */
export function evaluatorTree(db: Database, workspaceId: string, snapshot: EvaluatorSnapshot): EvaluatorTree {
  const { id, name, version, definition } = snapshot
  const parts =
    definition.kind === 'composite'
      ? definition.parts.map(part => {
          const found = findEvaluator(db, workspaceId, part.evaluator_version_id)
          if (!found) throw new Error(`The evaluator version ${part.evaluator_version_id} is gone.`)
          return evaluatorTree(db, workspaceId, found.snapshot)
        })
      : []
  return { id, name, version, definition, parts }
}

/** The tree and everything in it. */
export function evaluatorsIn(tree: EvaluatorTree): EvaluatorTree[] {
  return [tree, ...tree.parts.flatMap(evaluatorsIn)]
}

/** Whether its score rests on a model's judgment. */
export function isJudged(tree: EvaluatorTree): boolean {
  return evaluatorsIn(tree).some(({ definition }) => definition.kind === 'model_graded')
}
