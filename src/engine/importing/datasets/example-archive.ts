import { isArchiveName } from '../../../lib/file-name.ts'
import { nameFew } from '../../../lib/format/name-few.ts'
import { inspectMedia } from '../../media/inspect-media.ts'
import { MediaFault } from '../../media/media-fault.ts'
import { RowError } from '../files/row.ts'
import { namesFiles, openMediaFolder } from '../media/open-media-folder.ts'
import type { PendingFile } from '../media/media-intake.ts'
import type { ExampleFile } from './read-examples.ts'

/** What an export of media says of itself. */
const listing = 'media.json'

/** A file of examples, with the media files that an archive holds beside it. */
export interface ExampleArchive {
  readonly file: ExampleFile
  /** The files that examples name by digest: those not handed out before. */
  take(json: string): readonly PendingFile[]
  /** Files of the archive that no example names. */
  unused(): readonly string[]
}

/** What may be the digest of a media file in JSON, each once. */
export function digestsIn(json: string): ReadonlySet<string> {
  return new Set(json.match(/(?<=")sha256:[0-9a-f]{64}(?=")/g))
}

/** The rows and files of an archive; any other file as it is. @throws OrderFault where an archive has not one file with rows */
export async function openExampleArchive(file: ExampleFile): Promise<ExampleArchive> {
  const { format, name, path } = file
  if (!isArchiveName(name) || !namesFiles(format)) return { file, take: () => [], unused: () => [] }
  const folder = await openMediaFolder(format, [{ name, path, role: 'tasks' }])
  const [rows] = folder.files
  const media = new Map<string, PendingFile & { readonly path: string }>()
  const others: string[] = []
  for (const found of folder.paths.filter(one => !one.endsWith(listing))) {
    const bytesOf = (): Uint8Array => folder.find(found)?.bytes ?? new Uint8Array()
    try {
      const inspected = inspectMedia(bytesOf())
      media.set(inspected.digest, { file: inspected, bytes: bytesOf, path: found })
    } catch (error) {
      if (!(error instanceof MediaFault || error instanceof RowError)) throw error
      others.push(found)
    }
  }
  const taken = new Set<string>()
  return {
    file: rows ? { ...file, name: rows.name, path: rows.path, ...(rows.content && { content: rows.content.bytes }) } : file,
    take: json =>
      [...digestsIn(json)].flatMap(digest => {
        const pending = taken.has(digest) ? undefined : media.get(digest)
        if (!pending) return []
        taken.add(digest)
        return [pending]
      }),
    unused: () => [...others, ...[...media].flatMap(([digest, one]) => (taken.has(digest) ? [] : [one.path]))],
  }
}

/** A warning where some of an archive is not imported. */
export function unusedWarning(unused: readonly string[]): string[] {
  if (unused.length === 0) return []
  return [`No example names ${unused.length === 1 ? 'one file' : `${unused.length} files`} by digest: ${nameFew(unused, 5)}.`]
}
