import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { partialOf, partialsOf } from '../workers/export-file.ts'
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
  zip: { type: 'application/zip', ending: 'zip' },
  croissant: { type: 'application/ld+json; charset=utf-8', ending: 'croissant.json' },
} as const
type FileFormat = keyof typeof kinds
/** Assay's own formats. */
export type ExportFormat = 'json' | 'csv' | 'html'

export interface ExportRequest {
  /** Names what is exported, version and all: together with `state`, what it names never changes. */
  readonly key: string
  /** A digest of what people may still change in it, such as notes; null while there is none of that. Only the newest file is kept. */
  readonly state?: string | null
  /** What the download is called; `suffix` is inserted before the extension. */
  readonly title: string
  readonly suffix?: string
  readonly format: FileFormat
  /** Writes the whole file to the path. */
  readonly write: (path: string) => Promise<unknown>
}

type FileName = Pick<ExportRequest, 'key' | 'state' | 'format'>
type FileToWrite = FileName & Pick<ExportRequest, 'write'>

async function write(file: FileToWrite, path: string): Promise<void> {
  try {
    await file.write(path)
  } catch (error) {
    // A thread that was ended could not remove them.
    for (const partial of partialsOf(path)) rmSync(partial, { force: true })
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

const nameOf = ({ key, state, format }: FileName) => `${key}${state ? `-${state}` : ''}.${kinds[format].ending}`

/**
 * Exports under the data folder, each written once and kept: always the same bytes, whatever a later version of Assay would write. Of
 * one that people can change, a newer file replaces the older ones, which are removed when their last download ends.
 */
export function createExportFiles(dataDir: string) {
  const folder = exportFolder(dataDir)
  /** Resolves in any case, when the file is no longer being written. */
  const writing = new Map<string, Promise<unknown>>()
  /** How many downloads read a file. */
  const readers = new Map<string, number>()
  /** By key and format, the file that was asked for last, while the others wait to be removed. */
  const newest = new Map<string, string>()
  /** Files of earlier states that are removed when their last download ends. */
  const outdated = new Set<string>()

  const remove = (path: string) => {
    if (readers.has(path) || writing.has(path)) outdated.add(path)
    else {
      outdated.delete(path)
      rmSync(path, { force: true })
    }
  }
  const removeOlder = (file: FileName): void => {
    const [start, end] = [`${file.key}-`, `.${kinds[file.format].ending}`]
    const family = start + end
    const isScheduled = newest.has(family)
    newest.set(family, nameOf(file))
    if (isScheduled) return
    // In a later turn: a download that was just answered begins to read in this one.
    setImmediate(() => {
      const kept = newest.get(family)
      newest.delete(family)
      const isState = (name: string) =>
        name.startsWith(start) && name.endsWith(end) && /^[0-9a-f]+$/.test(name.slice(start.length, -end.length))
      try {
        for (const name of readdirSync(folder)) if (name !== kept && isState(name)) remove(join(folder, name))
      } catch {
        // The folder is gone, or another program has a file open; the next export tries again.
      }
    })
  }
  const read = (path: string, start: number, end: number): Readable => {
    readers.set(path, (readers.get(path) ?? 0) + 1)
    const stream = createReadStream(path, { start, end })
    stream.once('close', () => {
      const left = (readers.get(path) ?? 1) - 1
      if (left > 0) readers.set(path, left)
      else readers.delete(path)
      if (outdated.has(path)) remove(path)
    })
    return stream
  }
  const begin = (file: FileToWrite, path: string): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const work = write(file, path).finally(() => writing.delete(path))
    writing.set(
      path,
      work.catch(() => undefined),
    )
    return work
  }
  const ensure = async (file: FileToWrite): Promise<string> => {
    const path = join(folder, nameOf(file))
    // Another's writing may be cancelled; then this one writes.
    for (let other = writing.get(path); other; other = writing.get(path)) await other
    outdated.delete(path)
    if (!existsSync(path)) await begin(file, path)
    if (file.state !== undefined) removeOlder(file)
    return path
  }
  return {
    /** Writes the file unless it is there. One that could not be finished leaves nothing. */
    prepare: async (file: FileToWrite): Promise<void> => void (await ensure(file)),
    file: async ({ title, suffix = '', ...wanted }: ExportRequest): Promise<FileReply> => {
      const { type, ending } = kinds[wanted.format]
      const path = await ensure(wanted)
      return {
        kind: 'whole',
        contentType: type,
        fileName: `${slug(title)}${suffix}.${ending}`,
        bytes: statSync(path).size,
        etag: `"${nameOf(wanted)}"`,
        open: (start, end) => (end < start ? Readable.from([]) : read(path, start, end)),
      }
    },
  }
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replaceAll(/^-|-$/g, '').slice(0, 60) || 'export'
}
