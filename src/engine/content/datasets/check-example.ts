import type { DatasetTask } from '../../../contract/datasets/datasets.schemas.ts'
import { type LabelValue, mostExampleCharacters } from '../../../contract/datasets/examples.schemas.ts'
import type { ExampleContent } from './example-content.ts'

/** What a dataset asks of its examples and labels. */
export interface DatasetRules {
  readonly task: DatasetTask
  readonly menu: readonly string[] | null
  readonly scoreRange: readonly [number, number] | null
}

export interface Misfit {
  /** The field of the example that is wrong. */
  readonly field: 'input' | 'output' | 'label' | 'metadata'
  readonly message: string
}

/** Why an example cannot be in the dataset; null when it can. */
export function checkExample({ task }: Pick<DatasetRules, 'task'>, content: ExampleContent): Misfit | null {
  const isPair = typeof content.output === 'object' && content.output !== null
  if (task === 'pairwise' && !isPair) return { field: 'output', message: 'must be {a, b}: a pairwise dataset compares two outputs' }
  if (task !== 'pairwise' && isPair)
    return { field: 'output', message: `must be text or null: only pairwise datasets compare two outputs, and this one is "${task}"` }
  const characters = JSON.stringify(content).length
  if (characters > mostExampleCharacters)
    return { field: 'input', message: `the example has ${characters} characters as JSON; at most ${mostExampleCharacters} are possible` }
  return null
}

/** Why a value cannot be a label of the dataset; null when it can. */
export function checkLabel({ menu, scoreRange }: DatasetRules, value: LabelValue): string | null {
  if (scoreRange) {
    const [low, high] = scoreRange
    if (typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high) return null
    return `must be a number from ${low} to ${high}, not ${shown(value)}`
  }
  if (typeof value === 'string' && menu?.includes(value)) return null
  const offered = (menu ?? []).slice(0, 20).map(shown).join(', ')
  return `must be one of ${offered}${menu && menu.length > 20 ? ` and ${menu.length - 20} more` : ''}, not ${shown(value)}`
}

function shown(value: LabelValue): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value.slice(0, 60))
}
