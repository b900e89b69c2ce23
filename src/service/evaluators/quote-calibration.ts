import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { CalibrationQuote } from '../../contract/evaluators/calibrations.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { Connections } from '../connections/index.ts'
import { type EvaluatedItem, exampleItem } from './evaluated-item.ts'
import type { EvaluatorTree } from './evaluator-tree.ts'
import { type JudgeCost, priceJudges } from './price-judges.ts'

/** Judge calls and their price over a frozen version, by the prices of every quote. */
export async function quoteCalibration(
  connections: Connections,
  workspaceId: string,
  tree: EvaluatorTree,
  batches: Iterable<readonly FrozenExample[]>,
): Promise<CalibrationQuote> {
  let [outputs, longest, total] = [0, 0, 0]
  let files: readonly MediaPart['type'][] = []
  for (const examples of batches) {
    for (const example of examples) {
      const item = exampleItem(example)
      const characters = charactersOf(item)
      outputs++
      total += characters
      longest = Math.max(longest, characters)
      const shown = item.files ?? []
      if (shown.length > files.length) files = shown.map(({ type }) => type)
    }
    await nextTurn()
  }
  const judges = priceJudges(connections, workspaceId, tree, {
    outputs,
    longest,
    usual: outputs === 0 ? 0 : Math.round(total / outputs),
    files,
  })
  return { examples: outputs, judge_calls: judges.reduce((all, { calls }) => all + calls, 0), ...priceOf(judges) }
}

/** Of one output that an evaluator is tried on. */
export function priceOne(connections: Connections, workspaceId: string, tree: EvaluatorTree, item: EvaluatedItem) {
  const characters = charactersOf(item)
  return priceOf(priceJudges(connections, workspaceId, tree, { outputs: 1, longest: characters, usual: characters }))
}

function priceOf(judges: readonly JudgeCost[]) {
  const sum = (of: (judge: JudgeCost) => bigint | null): string | null =>
    judges.some(judge => of(judge) === null) ? null : String(judges.reduce((all, judge) => all + (of(judge) ?? 0n), 0n))
  return { estimated_microusd: sum(({ estimated }) => estimated), upper_bound_microusd: sum(({ upperBound }) => upperBound) }
}

/** What a judge may be shown. */
function charactersOf({ input, output, targets }: EvaluatedItem): number {
  return input.length + (typeof output === 'string' ? output : (JSON.stringify(output) ?? '')).length + targets.join('\n').length
}
