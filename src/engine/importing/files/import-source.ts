import { nameFew } from '../../../lib/format/name-few.ts'
import type { Shot, Task } from '../../tasks/task.ts'
import type { Archive } from '../../archives/archive.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import type { Row, RowOrProblem } from './row.ts'

/** Where the name of the key is unknown. */
export const anyKey = Symbol('any key')

/** A table as text. */
export type TextFormat =
  | {
      readonly kind: 'jsonl'
      /** Reads a line where JSON alone does not do; throws RowError. */
      readonly parse?: (text: string) => unknown
    }
  | {
      readonly kind: 'csv'
      /** Names of the columns where the first line does not give them. */
      readonly columns?: readonly string[]
    }
  | {
      readonly kind: 'json'
      /** The list is the value of this key; the top level when absent. `anyKey`: either, the first list of objects that a key has. */
      readonly key?: string | typeof anyKey
      /** Told which list was read, and the other keys of the object around it. */
      readonly leave?: (list: string, others: readonly string[]) => void
    }

/** JSON as a list, or as an object that has one. @param said told what of the object around the list is not read */
export function anyJson(said: (warning: string) => void): TextFormat {
  return {
    kind: 'json',
    key: anyKey,
    leave: (list, others) =>
      said(
        `Only the list "${list}" is imported. Other fields of the file are not: ${nameFew(
          others.map(name => `"${name.slice(0, 60)}"`),
          20,
        )}.`,
      ),
  }
}

/** A zip or tar archive of several files that belong together. */
export interface ArchiveFormat {
  readonly kind: 'archive'
  readonly rows: (archive: Archive) => Iterable<RowOrProblem> | AsyncIterable<RowOrProblem>
}

export type RowFormat =
  | TextFormat
  | { readonly kind: 'parquet' }
  | ArchiveFormat
  /** Rows that were read already, out of settings. */
  | { readonly kind: 'given'; readonly rows: readonly RowOrProblem[] }
  /** In whichever form it comes: as upstream publishes it, or as JSON Lines, a JSON list, CSV or Parquet with the same fields. The bytes tell. */
  | { readonly kind: 'any'; readonly upstream: TextFormat | ArchiveFormat }

interface Content {
  readonly format: RowFormat
  /** The rows in one row of the file, where upstream nests them; throws RowError. */
  readonly expand?: (row: Row) => Iterable<Row['value']>
  /** Whether a row that cannot be read is left out instead of making the whole import fail. */
  readonly leaveOut?: boolean
}

/** What a row of a file has become. */
export type TaskOrShot = { readonly task: Task } | { readonly shot: Shot }

/** How the rows of a file become tasks or worked examples. `read` throws RowError for a row that cannot. */
export type FileContent =
  | TaskContent
  | (Content & { readonly holds: 'shots'; readonly read: (row: Row) => Shot })
  | (Content & { readonly holds: 'both'; readonly read: (row: Row) => TaskOrShot })

export interface TaskContent extends Content {
  readonly holds: 'tasks'
  /** @param intake takes the files that the row shows */
  readonly read: (row: Row, intake?: MediaIntake) => Task
}

/** One file of an import. */
export interface ImportSource {
  /** As the user knows it, for messages. */
  readonly name: string
  /** Which of the files it is; absent for what was read before. */
  readonly role?: string | undefined
  readonly content: FileContent
  /** The bytes from the start; called again for each pass. */
  open(): AsyncIterable<Uint8Array>
  /** Asked once after each row: why it cannot be used although it was read; null: it can. */
  takeFault?(): string | null
}
