import type { Message } from '../contract/messages/messages.schemas.ts'
import { countPromptTokens, countTokens } from '../engine/clients/tokens/count-tokens.ts'

export type CountTask =
  | { readonly kind: 'prompts'; readonly prompts: readonly (readonly Message[])[] }
  | { readonly kind: 'outputs'; readonly outputs: readonly string[] }

/** Longer outputs are counted up to here and scaled: counting hostile text takes seconds a megabyte. */
const countedCharacters = 100_000

/** Counts tokens of prompts and outputs in a worker, so that the vocabulary is in memory once and only while needed. */
export default function count(task: CountTask): number[] {
  return task.kind === 'prompts' ? task.prompts.map(countPromptTokens) : task.outputs.map(countOutputTokens)
}

function countOutputTokens(output: string): number {
  if (output.length <= countedCharacters) return countTokens(output)
  return Math.round((countTokens(output.slice(0, countedCharacters)) * output.length) / countedCharacters)
}
