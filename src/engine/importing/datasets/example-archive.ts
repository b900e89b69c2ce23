import { mostMediaBytes } from '../../../contract/media/media.schemas.ts'
import { isArchiveName } from '../../../lib/file-name.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
import { inspectMedia } from '../../media/inspect-media.ts'
import { MediaFault } from '../../media/media-fault.ts'
import { FileError } from '../files/decode-bytes.ts'
import { RowError } from '../files/row.ts'
import { folderOf } from '../files/unpack-folder.ts'
import { FileCautions } from '../media/file-cautions.ts'
import { type Layout, namesFiles, openMediaFolder } from '../media/open-media-folder.ts'
import type { PendingFile } from '../media/media-intake.ts'
import type { ExampleFile } from './read-examples.ts'

/** How an export lies in its archive: what says which media files it holds, and the rows in parts. */
const layout: Layout = { listing: 'media.json', parts: /(?:^|\/)examples-\d{4,}\.jsonl$/ }

/** Name of a part of an export, from 1. */
export function partName(number: number): string {
  return `examples-${String(number).padStart(4, '0')}.jsonl`
}

/** Digests that are missing and counted. */
const mostMissing = 10_000
const shownMissing = 5

/** A file of examples, with the media files that an archive holds beside it. */
export interface ExampleArchive {
  readonly file: ExampleFile
  /** @param isStored whether the workspace has a file, by its digest */
  takeMedia(isStored: (digest: string) => boolean): MediaTaker
}

/** Takes the media files of an archive as its examples are read, from the first one. */
export interface MediaTaker {
  /** The files that an example names by digest: those not handed out before. @throws RowError where one is too large */
  take(json: string): readonly PendingFile[]
  /** What is unusual about the files, which no example names, and which are missing. */
  warnings(): string[]
}

/** What may be the digest of a media file in JSON, each once. */
export function digestsIn(json: string): ReadonlySet<string> {
  return new Set(json.match(/(?<=")sha256:[0-9a-f]{64}(?=")/g))
}

/** The rows and files of an archive; any other file as it is. @throws OrderFault where an archive has not one file with rows */
export async function openExampleArchive(file: ExampleFile): Promise<ExampleArchive> {
  const { format, name, path } = file
  const media = new Map<string, PendingFile & { readonly path: string }>()
  const others: string[] = []
  if (!isArchiveName(name) || !namesFiles(format)) return { file, takeMedia: isStored => takerOf(media, others, isStored) }
  const folder = await openMediaFolder(format, [{ name, path, role: 'tasks' }], layout)
  const [rows] = folder.files
  const top = folderOf(rows?.name ?? '')
  const listing = top === '' ? layout.listing : `${top}/${layout.listing}`
  for (const found of folder.paths.filter(one => one !== listing)) {
    const bytesOf = (): Uint8Array => folder.find(found)?.bytes ?? new Uint8Array()
    try {
      const inspected = inspectMedia(bytesOf())
      media.set(inspected.digest, { file: inspected, bytes: bytesOf, path: found })
    } catch (error) {
      if (!(error instanceof MediaFault || error instanceof RowError)) throw error
      others.push(found)
    }
  }
  const content = function* (): Generator<Uint8Array> {
    for (const [i, part] of folder.rows.entries()) {
      try {
        const bytes = i === 0 ? rows?.content?.bytes : folder.find(part)?.bytes
        if (bytes) yield bytes
      } catch (error) {
        throw error instanceof RowError ? new FileError(error.message) : error
      }
    }
  }
  return {
    file: rows ? { ...file, name: rows.name, path: rows.path, ...(rows.content && { content }) } : file,
    takeMedia: isStored => takerOf(media, others, isStored),
  }
}

function takerOf(
  media: ReadonlyMap<string, PendingFile & { readonly path: string }>,
  others: readonly string[],
  isStored: (digest: string) => boolean,
): MediaTaker {
  const taken = new Set<string>()
  const missing = new Set<string>()
  const cautions = new FileCautions()
  return {
    take: json =>
      [...digestsIn(json)].flatMap(digest => {
        const pending = media.get(digest)
        if (!pending && missing.size < mostMissing && !isStored(digest)) missing.add(digest)
        if (!pending || taken.has(digest)) return []
        const { file, path } = pending
        if (file.bytes > mostMediaBytes)
          throw new RowError(
            `The file "${path}" has ${file.bytes.toLocaleString('en')} bytes; at most ${formatBytes(mostMediaBytes)} are taken.`,
          )
        taken.add(digest)
        cautions.note(file.cautions, `"${path}"`)
        return [pending]
      }),
    warnings: () => [
      ...cautions.sentences(),
      ...unusedWarning([...others, ...[...media].flatMap(([digest, one]) => (taken.has(digest) ? [] : [one.path]))]),
      ...missingWarning([...missing]),
    ],
  }
}

function unusedWarning(unused: readonly string[]): string[] {
  if (unused.length === 0) return []
  return [`No example names ${unused.length === 1 ? 'one file' : `${unused.length} files`} by digest: ${nameFew(unused, 5)}.`]
}

function missingWarning(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  const count = missing.length === mostMissing ? `${mostMissing.toLocaleString('en')} or more` : missing.length.toLocaleString('en')
  const few = nameFew(missing, shownMissing)
  return [
    `Examples name ${missing.length === 1 ? 'a media file' : `${count} media files`} that neither the import nor the workspace has: ${few}. Upload them, or send an archive with them.`,
  ]
}
