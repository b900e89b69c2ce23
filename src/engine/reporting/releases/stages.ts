import { createHash } from 'node:crypto'
import type { ResolvedSelection } from '../../../contract/suites/suites.schemas.ts'

/**
 * The tasks of a group that a look adds to those before it. Stages are nested: tasks are ordered by SHA-256 of `seed:task_id` and look k
 * of K has seen the first ⌈nk/K⌉ of each selection. @param from first look of the range, @param to last one, both from 1
 */
export function stageOf(
  selections: readonly ResolvedSelection[],
  { seed, looks }: { readonly seed: number; readonly looks: number },
  from: number,
  to: number,
): ResolvedSelection[] {
  if (looks === 1) return [...selections]
  return selections.flatMap(selection => {
    const { task_ids: ids } = selection
    const share = (look: number) => Math.ceil((ids.length * look) / looks)
    const ranked = ids
      .map((id, i) => ({ i, id, rank: createHash('sha256').update(`${seed}:${id}`).digest('hex') }))
      .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
      .slice(share(from - 1), share(to))
      .sort((a, b) => a.i - b.i)
    return ranked.length === 0 ? [] : [{ ...selection, task_ids: ranked.map(({ id }) => id) }]
  })
}
