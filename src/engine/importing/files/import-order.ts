import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FormatsAs } from '../../../contract/catalog/file-formats.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import type { Shot } from '../../tasks/task.ts'
import type { WantedColumns } from './column-mapping.ts'
import type { ImportSource } from './import-source.ts'
import type { ShotsWanted, Tallied } from './import-tally.ts'
import type { ProfileSettings } from './own-profile.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import type { RemoteOrder } from '../media/remote-media.ts'
import type { Survey } from './mapped-table.ts'

/** Formats of files that are not a recipe's. */
export type OwnFormat = FormatsAs<'benchmark'>

export interface OrderedFile {
  /** As the user knows it. */
  readonly name: string
  /** Where its bytes lie. */
  readonly path: string
  readonly role: string
  /** Where it came out of an archive: its bytes, which `path` then does not hold. */
  readonly content?: { readonly bytes: Uint8Array; readonly sha256: string }
}

/** Role of an archive that holds parts of a recipe. */
export const archiveRole = 'archive'

/** How files of a user's own become a benchmark. */
export interface OwnOrder {
  readonly mapping: WantedColumns
  readonly profile?: ProfileSettings | undefined
  /** Whether what cannot be imported is left out. */
  readonly leaveOut?: boolean | undefined
  /** Group, tag or task to take where the files hold several, or what grades them. */
  readonly task?: string | undefined
  readonly title: string
  readonly slug: string
}

/** What takes the files that rows name. */
export interface MediaSetting {
  readonly intake: MediaIntake
  /** Files that rows may name. */
  readonly paths: readonly string[]
}

/** What is to be imported, as plain data that another thread can be given. */
export interface ImportOrder {
  readonly what:
    | {
        readonly kind: 'recipe'
        readonly recipe: string
        /** Number of an earlier version whose parts are kept where the files do not bring them. */
        readonly base?: number | undefined
      }
    | ({ readonly kind: 'own'; readonly format: OwnFormat } & OwnOrder)
  /** Whose stored media rows may name by digest. */
  readonly workspaceId?: string
  /** Files that rows name by an address; absent: without a yes. */
  readonly remote?: RemoteOrder
  readonly files: readonly OrderedFile[]
}

/** Assertions of a type that need a judge, and the preset of an evaluator that grades the same. */
export interface JudgedAssertion {
  readonly assertion: string
  readonly preset: string
  readonly tasks: number
}

/** A part of a file that no task has, such as an assertion that cannot be graded. */
export interface LeftPart {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** An order that can be executed. */
export interface OpenedOrder {
  readonly warnings?: readonly string[]
  /** Takes the files that rows show; absent where the format has none. */
  readonly media?: MediaIntake
  /** What reading the rows brought up. */
  readonly noted?: () => readonly string[]
  /** Few-shot examples from the configuration instead of a data file. */
  readonly givenShots?: readonly Shot[]
  /** Whether the files say what the benchmark is, so that other prompts or metrics make another version of the same tasks. */
  readonly definedByFiles?: boolean
  /** What only a judge can grade, once the rows were read. */
  readonly judged?: () => readonly JudgedAssertion[]
  /** What is not imported of rows that are, once they were read: listed after a yes, and a problem before it. */
  readonly leftParts?: () => { readonly parts: readonly LeftPart[]; readonly isAccepted: boolean }
  readonly sources: readonly ImportSource[]
  readonly shots: ShotsWanted
  /** Reads the rows once before they become tasks, for what only all of them together tell. */
  readonly survey?: () => Promise<Survey>
  /** The benchmark that the rows turned out to be. */
  define(found: Tallied): BenchmarkDefinition
}

export function sourceOf({ name, path, role, content: unpacked }: OrderedFile, content: ImportSource['content']): ImportSource {
  return { name, role, content, open: () => (unpacked ? Readable.from([unpacked.bytes]) : createReadStream(path)) }
}
