import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { BenchmarkDefinition } from '../engine/tasks/definition.ts'
import type { ImportCheck } from '../engine/importing/files/check-import.ts'
import type { ImportOrder } from '../engine/importing/files/import-order.ts'
import { createBoundedPool, fileBounds } from './bounded-pool.ts'
import { converse } from './converse.ts'
import type { TaskRow } from './task-row.ts'

export interface UnpackedFile {
  readonly role: string
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export type FromImport =
  | {
      readonly kind: 'checked'
      readonly check: ImportCheck
      /** Files extracted from archives, which replace them. */
      readonly unpacked: readonly UnpackedFile[]
      /** Of the first rows, written already, so that a preview can show them. */
      readonly media: readonly MediaFile[]
      /** Addresses of media that a yes covers and that were not fetched. */
      readonly wanted: readonly string[]
      /** Null where nothing can be imported. */
      readonly definition: BenchmarkDefinition | null
    }
  /** The next tasks, with the media that they are the first to show; those are written already. */
  | { readonly kind: 'rows'; readonly rows: readonly TaskRow[]; readonly media: readonly MediaFile[] }

export type ToImport = 'go on' | 'enough'

/** What becomes of the files of an import; what these throw ends it. */
export interface ImportReceiver {
  /** Called once. @returns whether the tasks are wanted */
  checked(
    check: ImportCheck,
    definition: BenchmarkDefinition | null,
    unpacked: readonly UnpackedFile[],
    media: readonly MediaFile[],
    wanted: readonly string[],
  ): boolean
  /** The next tasks, in order, and the media that they are the first to show. */
  rows(rows: readonly TaskRow[], media: readonly MediaFile[]): void
}

export type ReadImport = (order: ImportOrder, receiver: ImportReceiver, signal: AbortSignal) => Promise<void>

/** A thread that unpacks and reads imports. A file that is too much for it ends the thread and not the service. */
export function createImportPool(filename: string, databasePath: string): { readonly read: ReadImport; close(): Promise<void> } {
  const pool = createBoundedPool({ ...fileBounds, filename, workerData: { databasePath } })
  return {
    read: (order, receiver, signal) => converse<FromImport, ToImport>(pool, { order }, message => answer(receiver, message), { signal }),
    close: () => pool.close(),
  }
}

function answer(receiver: ImportReceiver, message: FromImport): ToImport {
  if (message.kind === 'checked')
    return receiver.checked(message.check, message.definition, message.unpacked, message.media, message.wanted) ? 'go on' : 'enough'
  receiver.rows(message.rows, message.media)
  return 'go on'
}
