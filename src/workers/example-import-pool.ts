import type { ImportedLabel } from '../contract/datasets/dataset-imports.schemas.ts'
import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { PreparedContent } from '../engine/content/datasets/example-content.ts'
import type { ExamplesCheck } from '../engine/importing/datasets/check-examples.ts'
import type { ExampleFile } from '../engine/importing/datasets/read-examples.ts'
import { createBoundedPool, fileBounds } from './bounded-pool.ts'
import { converse } from './converse.ts'

/** An example ready to be written. */
export interface ReadyExample {
  readonly line: number
  readonly id: string | null
  readonly content: PreparedContent
  readonly labels: readonly ImportedLabel[]
}

export type FromExampleImport =
  | { readonly kind: 'checked'; readonly check: ExamplesCheck }
  /** With the media that they are the first to name; those are written already. */
  | { readonly kind: 'examples'; readonly examples: readonly ReadyExample[]; readonly media: readonly MediaFile[] }

export type ToExampleImport = 'continue' | 'stop'

export interface ExampleReceiver {
  /** Called once, unless the file was checked before. @returns whether the examples are wanted */
  checked(check: ExamplesCheck): boolean
  /** The next examples, in order. */
  examples(examples: readonly ReadyExample[], media: readonly MediaFile[]): void
}

/** A file whose media files may be stored in the workspace already. */
interface ExampleSource {
  readonly file: ExampleFile
  readonly workspaceId: string
}

/** @param skip examples that were taken before; null where the file is to be checked first */
export type ReadExampleFile = (source: ExampleSource, skip: number | null, receiver: ExampleReceiver, signal: AbortSignal) => Promise<void>

/** A thread that reads files of examples. A file that is too much for it ends the thread and not the service. */
export function createExampleImportPool(
  filename: string,
  databasePath: string,
): { readonly read: ReadExampleFile; close(): Promise<void> } {
  const pool = createBoundedPool({ ...fileBounds, filename, workerData: { databasePath } })
  return {
    read: (source, skip, receiver, signal) =>
      converse<FromExampleImport, ToExampleImport>(
        pool,
        { ...source, skip },
        message => {
          if (message.kind === 'checked') return receiver.checked(message.check) ? 'continue' : 'stop'
          receiver.examples(message.examples, message.media)
          return 'continue'
        },
        { signal },
      ),
    close: () => pool.close(),
  }
}
