import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { partialOf } from '../workers/export-file.ts'
import type { FileReply } from './http/handler.ts'

const json = 'application/json; charset=utf-8'

/** Content type and ending of each format; what is JSON in another tool's form says so before its ending. */
const kinds = {
  json: { type: json, ending: 'json' },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
  junit: { type: 'application/xml; charset=utf-8', ending: 'junit.xml' },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  inspect: { type: 'application/zip', ending: 'eval' },
  lm_eval: { type: json, ending: 'lm_eval.json' },
  promptfoo: { type: json, ending: 'promptfoo.json' },
  parquet: { type: 'application/vnd.apache.parquet', ending: 'parquet' },
  croissant: { type: 'application/ld+json; charset=utf-8', ending: 'croissant.json' },
} as const
type FileFormat = keyof typeof kinds
/** Assay's own formats. */
export type ExportFormat = 'json' | 'csv' | 'html'

export interface ExportRequest {
  /** Names what is exported, version and all: what it names never changes. */
  readonly key: string
  /** What the download is called; `suffix` is inserted before the extension. */
  readonly title: string
  readonly suffix?: string
  readonly format: FileFormat
  /** Writes the whole file to the path. */
  readonly write: (path: string) => Promise<unknown>
}

type FileToWrite = Pick<ExportRequest, 'key' | 'format' | 'write'>

async function write(file: FileToWrite, path: string): Promise<void> {
  try {
    await file.write(path)
  } catch (error) {
    // A thread that was ended could not remove it.
    rmSync(partialOf(path), { force: true })
    throw error
  }
}

/** At start: what a process that was killed had begun to write is of no use, and may be large. */
export function removePartialExports(dataDir: string): void {
  const folder = exportFolder(dataDir)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(partialOf(''))) rmSync(join(folder, name), { force: true })
}

const exportFolder = (dataDir: string) => join(dataDir, 'exports')

/** Exports under the data folder, each written once and kept: the same bytes for ever, whatever a later version of Assay would write. */
export function createExportFiles(dataDir: string) {
  const folder = exportFolder(dataDir)
  /** Resolves in any case, when the file is no longer being written. */
  const writing = new Map<string, Promise<unknown>>()
  const pathOf = ({ key, format }: Pick<ExportRequest, 'key' | 'format'>) => join(folder, `${key}.${kinds[format].ending}`)
  const ensure = async (file: FileToWrite): Promise<string> => {
    const path = pathOf(file)
    // Another's writing may be cancelled; then this one writes.
    for (let other = writing.get(path); other; other = writing.get(path)) await other
    if (existsSync(path)) return path
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const work = write(file, path).finally(() => writing.delete(path))
    writing.set(
      path,
      work.catch(() => undefined),
    )
    await work
    return path
  }
  return {
    /** Writes the file unless it is there. One that could not be finished leaves nothing. */
    prepare: async (file: FileToWrite): Promise<void> => void (await ensure(file)),
    file: async ({ title, suffix = '', ...wanted }: ExportRequest): Promise<FileReply> => {
      const { key, format } = wanted
      const { type, ending } = kinds[format]
      const path = await ensure(wanted)
      return {
        kind: 'whole',
        contentType: type,
        fileName: `${slug(title)}${suffix}.${ending}`,
        bytes: statSync(path).size,
        etag: `"${key}.${ending}"`,
        open: (start, end) => (end < start ? Readable.from([]) : createReadStream(path, { start, end })),
      }
    },
  }
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replaceAll(/^-|-$/g, '').slice(0, 60) || 'export'
}
