import { createHash } from 'node:crypto'
import { type PromptRecipe, renderPrompt } from '../../engine/execution/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Kernel } from '../kernel.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { findPromptTokens, insertPromptTokens } from './prompt-tokens.store.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Part of what counts are kept under: another name makes every prompt be counted again. */
const tokenizer = 'o200k_base'
/** Prompts counted one by one; of more, this many are counted, spread evenly, and scaled. */
const countedAtMost = 2000
const chunk = 100

export interface Measured {
  /** Of all prompts of the selection, each once. */
  readonly tokens: number
  readonly longest: number
  readonly basis: string
}

/** Counts the prompts of a selection with a real tokenizer, in a worker, chunk by chunk, and keeps the counts with the tasks. */
export async function measurePrompts(
  { db, storage }: Pick<Kernel, 'db' | 'storage'>,
  { tasks, promptRecipe }: Pick<FrozenSelection, 'tasks' | 'promptRecipe'>,
  catalog: Pick<Catalog, 'tasks'>,
  workers: Pick<Workers, 'countTokens'>,
): Promise<Measured> {
  const recipe = digestOf(promptRecipe)
  const step = Math.max(1, tasks.length / countedAtMost)
  const picked =
    step === 1 ? tasks : Array.from({ length: countedAtMost }, (_, i) => tasks[Math.floor(i * step)]).filter(task => task !== undefined)
  let counted = 0
  let longest = 0
  const note = (count: number) => {
    counted += count
    longest = Math.max(longest, count)
  }
  const numbers = picked.map(task => task.no)
  const known = findPromptTokens(db, recipe, numbers)
  for (const count of known.values()) note(count)
  const unknown = numbers.filter(no => !known.has(no))
  for (let from = 0; from < unknown.length; from += chunk) {
    const some = unknown.slice(from, from + chunk)
    const counts = await workers.countTokens(catalog.tasks(some).map(task => renderPrompt(promptRecipe, task)))
    for (const count of counts) note(count)
    storage.attempt(() =>
      insertPromptTokens(
        db,
        recipe,
        counts.flatMap((count, i) => (some[i] === undefined ? [] : [[some[i], count]])),
      ),
    )
  }
  const tokens = picked.length === 0 ? 0 : Math.round((counted * tasks.length) / picked.length)
  const basis =
    picked.length === tasks.length
      ? `Counted over ${tasks.length} prompts with the ${tokenizer} tokenizer; other models’ differ by some percent.`
      : `Counted over ${picked.length} of ${tasks.length} prompts with the ${tokenizer} tokenizer and scaled.`
  return { tokens, longest, basis }
}

/** Names everything but the task that a prompt and its count depend on. */
function digestOf(recipe: PromptRecipe): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify([tokenizer, recipe]))
    .digest()
}
