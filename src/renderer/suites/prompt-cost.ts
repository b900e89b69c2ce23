import type { Rates } from '../../contract/catalog/models.schemas.ts'
import type { Selection } from './selection.ts'

/** English prose has about four characters to a token in the tokenizers of today; other languages and code have fewer. */
const charactersPerToken = 4

/** Tokens that the tasks' own texts take, as a rule of thumb; a profile's instructions and examples come on top. */
export function promptTokens(selection: Selection): number {
  return [...selection.values()].reduce((sum, task) => sum + Math.ceil(task.input_characters / charactersPerToken), 0)
}

/** Micro-USD for asking so many tokens, rounded up. What is answered is not in it. */
export function promptCost(tokens: number, rates: Rates): string {
  return String(Math.ceil((tokens * Number(rates.input_microusd_per_million)) / 1_000_000))
}
