import { renderPrompt } from '../../engine/execution/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Prompts counted one by one; of more, this many are counted, spread evenly, and scaled. */
const countedAtMost = 2000
const chunk = 100

export interface Measured {
  /** Of all prompts of the selection, each once. */
  readonly tokens: number
  readonly longest: number
  readonly basis: string
}

/** Counts the prompts of a selection with a real tokenizer, in a worker, chunk by chunk. */
export async function measurePrompts(selection: FrozenSelection, catalog: Catalog, workers: Workers): Promise<Measured> {
  const { tasks } = selection
  const step = Math.max(1, tasks.length / countedAtMost)
  const picked =
    step === 1 ? tasks : Array.from({ length: countedAtMost }, (_, i) => tasks[Math.floor(i * step)]).filter(task => task !== undefined)
  let counted = 0
  let longest = 0
  for (let from = 0; from < picked.length; from += chunk) {
    const contents = catalog.tasks(picked.slice(from, from + chunk).map(task => task.no))
    const counts = await workers.countTokens(contents.map(task => renderPrompt(selection.promptRecipe, task)))
    for (const count of counts) {
      counted += count
      longest = Math.max(longest, count)
    }
  }
  const tokens = picked.length === 0 ? 0 : Math.round((counted * tasks.length) / picked.length)
  const basis =
    picked.length === tasks.length
      ? `Counted over ${tasks.length} prompts with the o200k_base tokenizer; other models’ differ by some percent.`
      : `Counted over ${picked.length} of ${tasks.length} prompts with the o200k_base tokenizer and scaled.`
  return { tokens, longest, basis }
}
