import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { findEvaluator } from './evaluators.store.ts'

/** An evaluator version with the versions that it is made of. A version that is part of several is one and the same object in all. */
export interface EvaluatorTree {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly definition: EvaluatorDefinition
  /** Of a composite, in its order. */
  readonly parts: readonly EvaluatorTree[]
}

/** @param known versions that were read before, by id @throws Error when a part is gone, which nothing may do */
export function evaluatorTree(
  db: Database,
  workspaceId: string,
  { id, name, version, definition }: Pick<EvaluatorSnapshot, 'id' | 'name' | 'version' | 'definition'>,
  known = new Map<string, EvaluatorTree>(),
): EvaluatorTree {
  const partOf = (partId: string): EvaluatorTree => {
    const seen = known.get(partId)
    if (seen) return seen
    const found = findEvaluator(db, workspaceId, partId)
    if (!found) throw new Error(`The evaluator version ${partId} is gone.`)
    const tree = evaluatorTree(db, workspaceId, found.snapshot, known)
    known.set(partId, tree)
    return tree
  }
  const parts = definition.kind === 'composite' ? definition.parts.map(part => partOf(part.evaluator_version_id)) : []
  return { id, name, version, definition, parts }
}

/** The evaluator and everything in it, each version once. */
export function evaluatorsIn(tree: EvaluatorTree): EvaluatorTree[] {
  const found = new Set<EvaluatorTree>()
  const visit = (node: EvaluatorTree) => {
    if (found.has(node)) return
    found.add(node)
    for (const part of node.parts) visit(part)
  }
  visit(tree)
  return [...found]
}

/** Whether it asks models, which may cost something. */
export function asksModels(tree: EvaluatorTree): boolean {
  return evaluatorsIn(tree).some(({ definition: { kind } }) => kind === 'model_graded' || kind === 'embedding')
}

/** Whether its score rests on a model's judgment. */
export function isJudged(tree: EvaluatorTree): boolean {
  return evaluatorsIn(tree).some(({ definition }) => definition.kind === 'model_graded')
}
