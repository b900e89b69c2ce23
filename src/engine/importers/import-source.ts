import type { Shot, Task } from '../tasks/task.ts'
import type { ZipArchive } from './read-zip.ts'
import type { Row, RowOrProblem } from './row.ts'

export type RowFormat =
  | {
      readonly kind: 'jsonl'
      /** Reads a line where JSON alone does not do; throws RowError. */
      readonly parse?: (text: string) => unknown
    }
  | { readonly kind: 'csv' }
  | {
      readonly kind: 'json'
      /** The list is the value of this key; the top level when absent. */
      readonly key?: string
    }
  /** A zip archive of several files that belong together. */
  | { readonly kind: 'zip'; readonly rows: (archive: ZipArchive) => Iterable<RowOrProblem> }

/** How the rows of a file become tasks or worked examples. `read` throws RowError for a row that cannot. */
export type FileContent = TaskContent | { readonly format: RowFormat; readonly holds: 'shots'; readonly read: (row: Row) => Shot }

export interface TaskContent {
  readonly format: RowFormat
  readonly holds: 'tasks'
  readonly read: (row: Row) => Task
}

/** One file of an import. */
export interface ImportSource {
  /** As the user knows it, for messages. */
  readonly name: string
  readonly content: FileContent
  /** The bytes from the start; called again for each pass. */
  open(): AsyncIterable<Uint8Array>
}
