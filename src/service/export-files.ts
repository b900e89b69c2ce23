import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileReply } from './http/handler.ts'

const types = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8', html: 'text/html; charset=utf-8' } as const
export type ExportFormat = keyof typeof types

export interface ExportRequest {
  /** Names what is exported, version and all: what it names never changes. */
  readonly key: string
  /** What the download is called; `suffix` stands between that and its ending. */
  readonly title: string
  readonly suffix?: string
  readonly format: ExportFormat
  /** Writes the whole file to the path. */
  readonly write: (path: string) => Promise<unknown>
}

/** Exports under the data folder, each written once and kept: the same bytes for ever, whatever a later version of Assay would write. */
export function createExportFiles(dataDir: string) {
  const folder = join(dataDir, 'exports')
  const writing = new Map<string, Promise<unknown>>()
  return {
    file: async ({ key, title, suffix = '', format, write }: ExportRequest): Promise<FileReply> => {
      const path = join(folder, `${key}.${format}`)
      if (!existsSync(path)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const work = writing.get(path) ?? write(path).finally(() => writing.delete(path))
        writing.set(path, work)
        await work
      }
      return {
        kind: 'whole',
        contentType: types[format],
        fileName: `${slug(title)}${suffix}.${format}`,
        bytes: statSync(path).size,
        etag: `"${key}.${format}"`,
        open: (start, end) => (end < start ? Readable.from([]) : createReadStream(path, { start, end })),
      }
    },
  }
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replaceAll(/^-|-$/g, '').slice(0, 60) || 'export'
}
