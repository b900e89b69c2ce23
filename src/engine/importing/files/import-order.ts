import { createReadStream } from 'node:fs'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import type { Shot } from '../../tasks/task.ts'
import type { Columns } from './column-mapping.ts'
import type { ImportSource } from './import-source.ts'
import type { ShotsWanted, Tallied } from './import-tally.ts'

/** Formats of files that are no recipe's. */
export type OwnFormat =
  | 'jsonl'
  | 'json'
  | 'csv'
  | 'parquet'
  | 'inspect_jsonl'
  | 'openai_evals_jsonl'
  | 'promptfoo_csv'
  | 'promptfoo_yaml'
  | 'lm_eval_yaml'

export interface OrderedFile {
  /** As the user knows it. */
  readonly name: string
  /** Where its bytes lie. */
  readonly path: string
  readonly role: string
}

/** What is to be imported, as plain data that another thread can be given. */
export interface ImportOrder {
  readonly what:
    | { readonly kind: 'recipe'; readonly recipe: string }
    | {
        readonly kind: 'own'
        readonly format: OwnFormat
        readonly mapping: { readonly [Part in keyof Columns]?: string | undefined }
        readonly title: string
        readonly slug: string
      }
  readonly files: readonly OrderedFile[]
}

/** An order that can be carried out. */
export interface OpenedOrder {
  readonly warnings?: readonly string[]
  /** Worked examples that stand in the settings and not in a file of data. */
  readonly givenShots?: readonly Shot[]
  /** Whether the files say what the benchmark is, so that other prompts or metrics make another version of the same tasks. */
  readonly definedByFiles?: boolean
  readonly sources: readonly ImportSource[]
  readonly shots: ShotsWanted
  /** The benchmark that the rows turned out to be. */
  define(found: Tallied): BenchmarkDefinition
}

export function sourceOf({ name, path }: OrderedFile, content: ImportSource['content']): ImportSource {
  return { name, content, open: () => createReadStream(path) }
}
