import { createHash } from 'node:crypto'
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { ModelLocation } from '../../contract/local-models/local-models.schemas.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import type { GgufRead } from '../../workers/gguf-header.ts'
import type { Workers } from '../../workers/pool.ts'
import { wellKnownFolders, whyUnread } from './find-files.ts'
import { type FileModel, mostParts } from './group-files.ts'

/**
 * A header that takes too much to be read makes its file unreadable, and no other. Too much time may be the machine's, so that another
 * look may read it: `lasts` is false.
 */
export async function headerOf(
  { readGguf }: Pick<Workers, 'readGguf'>,
  path: string,
): Promise<{ readonly header: GgufRead; readonly lasts: boolean }> {
  try {
    return { header: await readGguf({ path }), lasts: true }
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    const reason = `Its header is too much to be read: ${error.message}`
    return { header: { ok: false, reason }, lasts: error.limit !== 'time' }
  }
}

export function memory(): { readonly freeBytes: number; readonly totalBytes: number } {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return { freeBytes: Math.min(freemem(), process.availableMemory()), totalBytes: Math.min(totalmem(), limit) }
}

/** A locked process follows no links of folders; the name of the file stays, since parts of a model are found by it. */
export function realFolder(path: string): string {
  return join(realpathSync(dirname(path)), basename(path))
}

/** Of one file its SHA-256; of several the SHA-256 over theirs, a line each. Null until all are known. */
export function digestOf({ files }: Pick<FileModel, 'files'>): string | null {
  const digests = files.map(({ sha256 }) => sha256)
  if (digests.some(digest => digest === null)) return null
  if (digests.length === 1) return digests[0] ?? null
  return createHash('sha256').update(digests.join('\n')).digest('hex')
}

/** Why files are no longer what was read; null where they are. */
export function changeOf({ files }: Pick<FileModel, 'files'>): string | null {
  for (const { path, bytes, modifiedMs } of files) {
    try {
      const { size, mtimeMs } = statSync(path)
      if (size !== bytes || mtimeMs !== modifiedMs)
        return `${path} was changed, so it is another model. Put the former file back and retry the missing samples, or start a run with the new one.`
    } catch (error) {
      return `${path}: ${whyUnread(error)} Put the file back and retry the missing samples.`
    }
  }
  return null
}

export async function sha256Of(path: string, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 4 << 20, signal })) {
    hash.update(chunk as Buffer) // a stream without an encoding gives buffers
    onBytes((bytes += (chunk as Buffer).length))
  }
  return hash.digest('hex')
}

/** Of a part of a split model all its parts, else the file alone. */
export async function withParts(path: string, work: (part: string) => Promise<void>): Promise<void> {
  const [, prefix, count] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/i.exec(path) ?? []
  const parts = Array.from(
    { length: Number(count ?? 0) <= mostParts ? Number(count ?? 0) : 0 },
    (_, i) => `${prefix}-${String(i + 1).padStart(5, '0')}-of-${count}.gguf`,
  )
  for (const part of parts.length > 0 ? parts : [path]) await work(part)
}

/** Jobs name what they work on by an id of bounded length. */
export function subjectOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}

export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter(Boolean)
    .join('-')
  return slug.slice(0, 80) || 'model'
}

export function locationOf(path: string): ModelLocation {
  return wellKnownFolders().find(folder => path.startsWith(folder.path))?.location ?? 'added'
}

export function describeKind(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    projector: 'it is the part of a model that reads pictures. Choose the model beside it.',
    adapter: 'it is a LoRA adapter. Merge it into its model first.',
    vocabulary: 'it holds a vocabulary and no weights.',
    embedding: 'it turns text into vectors and writes none.',
    model: 'its first part is missing. Choose the part that ends in -00001.',
  }
  return words[kind] ?? 'it is of an unknown kind.'
}
