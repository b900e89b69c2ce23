import type { Generated } from 'kysely'
import type { JsonText } from './column.ts'

/** A GGUF file as it was when it was read; another size or time makes it another file. */
export interface LocalModelFilesTable {
  path: string
  size_bytes: number
  modified_ms: number
  header: JsonText
  /** Of the file; null until somebody wanted to run it. */
  sha256: string | null
  /** It lies outside the folders that are looked through. */
  is_added: Generated<0 | 1>
  read_at: string
}

export interface LocalModelFoldersTable {
  id: string
  path: string
  added_at: string
}

/** One row, once a setting was changed. */
export interface LocalModelSettingsTable {
  no: 1
  settings: JsonText
}

/** Measured when a model was loaded for the first time with these settings. */
export interface LocalModelSpeedsTable {
  /** Digest, settings and backend. */
  loaded_with: string
  prompt_tokens_per_second: number
  generated_tokens_per_second: number
  measured_at: string
}
