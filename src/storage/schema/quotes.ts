import type { GeneratedAlways } from 'kysely'
import type { JsonText } from './column.ts'

export interface QuotesTable {
  id: string
  workspace_id: string
  created_at: string
  expires_at: string
  /** The contract's Quote without its status. */
  record: JsonText
  /** Of the record: its model, see `lib/model-identity.ts`. */
  model: GeneratedAlways<string>
  /** Frozen task numbers by profile, as JSON number[][], zstd. */
  task_numbers: Uint8Array
}

/** Tokens of the prompt that a recipe makes of a task. */
export interface PromptTokensTable {
  task_no: number
  /** SHA-256 of the recipe and the tokenizer's name. */
  recipe: Uint8Array
  tokens: number
}
