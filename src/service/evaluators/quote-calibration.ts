import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { CalibrationQuote } from '../../contract/evaluators/calibrations.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { Connections } from '../connections/index.ts'
import { exampleItem } from './evaluated-item.ts'
import type { EvaluatorTree } from './evaluator-tree.ts'
import { priceJudges } from './price-judges.ts'

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
      const characters = item.input.length + lengthOf(item.output)
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
  const sum = (of: (judge: (typeof judges)[number]) => bigint | null): string | null =>
    judges.some(judge => of(judge) === null) ? null : String(judges.reduce((all, judge) => all + (of(judge) ?? 0n), 0n))
  return {
    examples: outputs,
    judge_calls: judges.reduce((all, { calls }) => all + calls, 0),
    estimated_microusd: sum(({ estimated }) => estimated),
    upper_bound_microusd: sum(({ upperBound }) => upperBound),
  }
}

function lengthOf(output: FrozenExample['output']): number {
  return typeof output === 'string' ? output.length : (JSON.stringify(output) ?? '').length
}
