import { isArchiveName, unpackedName } from '../../../lib/file-name.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileFormats } from '../../../contract/catalog/file-formats.ts'
import { type Archive, ArchiveError } from '../../archives/archive.ts'
import { FileError } from '../files/decode-bytes.ts'
import type { OrderedFile, OwnFormat } from '../files/import-order.ts'
import { orderFault } from '../files/order-fault.ts'
import { folderOf, openArchiveFile } from '../files/unpack-folder.ts'
import { RowError } from '../files/row.ts'
import type { FindFile } from './media-intake.ts'

/** The file with the rows, and how the files that they name are found. */
export interface MediaFolder {
  readonly files: readonly OrderedFile[]
  readonly find: FindFile
  readonly similar: (path: string) => string | null
  /** Paths of the files with the rows; of parts that continue each other `files` has the first alone. */
  readonly rows: readonly string[]
  /** Every file that a row can name. */
  readonly paths: readonly string[]
}

/** How an export that Assay wrote is laid out. */
export interface Layout {
  /** Name of a file that is never the rows where there are others. */
  readonly listing: string
  /** Names of files whose rows continue each other. */
  readonly parts: RegExp
}

const settings = /\.ya?ml$/i

/** Formats whose rows may name files beside them. */
export function namesFiles(format: OwnFormat): boolean {
  return fileFormats[format].namesMedia
}

/** Finds the rows in a folder or archive; the other files are what rows may name. @throws OrderFault */
export async function openMediaFolder(format: OwnFormat, files: readonly OrderedFile[], layout?: Layout): Promise<MediaFolder> {
  const [only] = files
  if (files.length === 1 && only && !isArchiveName(only.name)) return { files, find: () => null, similar: () => null, rows: [], paths: [] }
  const entries = new Map<string, OrderedFile | { readonly archive: Archive; readonly entry: string }>()
  for (const file of files) {
    if (!isArchiveName(file.name)) entries.set(file.name, file)
    else {
      const archive = await openArchive(file)
      for (const entry of archive.names) if (!entry.split('/').some(isOfSystem)) entries.set(entry, { archive, entry })
    }
  }
  const readable = [...entries.keys()].filter(path => fileFormats[format].files.test(unpackedName(path)))
  const listed = readable.filter(path => path.split('/').at(-1) !== layout?.listing)
  const tables = listed.length > 0 ? listed : readable
  const [table, other] = tables
  const first = only?.name ?? ''
  if (table === undefined)
    throw orderFault(first, null, `None of the ${entries.size} files has the rows: no name ends as those of "${format}" do.`)
  // A registry says which of its files are the rows.
  const isRegistry = fileFormats[format].choosesTask && [...entries.keys()].some(path => settings.test(path))
  const isDivided = layout !== undefined && new Set(tables.map(folderOf)).size === 1 && tables.every(path => layout.parts.test(path))
  if (other !== undefined && !isRegistry && !isDivided)
    throw orderFault(
      first,
      null,
      `Several files could have the rows: ${tables.slice(0, 5).join(', ')}. Send only one of them, with the files that it names.`,
    )
  const folder = folderOf(table)
  let bySpelling: ReadonlyMap<string, string> | null = null
  const bytesOf = (path: string): Uint8Array | null => {
    const found = entries.get(path)
    if (!found) return null
    try {
      return 'archive' in found ? found.archive.read(found.entry) : readFileSync(found.path)
    } catch (error) {
      if (error instanceof ArchiveError) throw new RowError(error.message)
      throw error
    }
  }
  const fileOf = (name: string, role: 'tasks' | 'settings'): OrderedFile => {
    const found = entries.get(name)
    if (!found || !('archive' in found)) return { ...(found ?? { path: '', name }), role }
    try {
      return unpacked(name, only?.path ?? '', found.archive.read(found.entry), role)
    } catch (error) {
      if (error instanceof ArchiveError) throw orderFault(first, null, error.message)
      throw error
    }
  }
  const settingsFiles = isRegistry ? [...entries.keys()].filter(path => settings.test(path)) : []
  const rows = isDivided ? tables.toSorted() : isRegistry ? tables : [table]
  const opened = isDivided ? rows.slice(0, 1) : rows
  return {
    files: [...settingsFiles.map(path => fileOf(path, 'settings')), ...opened.map(path => fileOf(path, 'tasks'))],
    rows,
    paths: [...entries.keys()].filter(path => !rows.includes(path) && !settingsFiles.includes(path)),
    find: path => {
      for (const candidate of candidates(path, folder)) {
        const bytes = bytesOf(candidate)
        if (bytes) return { path: candidate, bytes }
      }
      return null
    },
    similar: path => {
      bySpelling ??= new Map(Array.from(entries.keys(), name => [spelling(name), name]))
      for (const candidate of candidates(path, folder)) {
        const other = bySpelling.get(spelling(candidate))
        if (other !== undefined) return other
      }
      return null
    },
  }
}

/** Where a path that a row names may lie: from the folder of the rows, or from the root. */
function candidates(path: string, folder: string): readonly string[] {
  const clean = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  if (clean.startsWith('/') || clean.split('/').includes('..')) return []
  return folder === '' ? [clean] : [`${folder}/${clean}`, clean]
}

function unpacked(name: string, path: string, bytes: Buffer, role: 'tasks' | 'settings'): OrderedFile {
  return { name, path, role, content: { bytes, sha256: createHash('sha256').update(bytes).digest('hex') } }
}

async function openArchive({ name, path }: OrderedFile): Promise<Archive> {
  try {
    return await openArchiveFile(path)
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof FileError) throw orderFault(name, null, error.message)
    throw error
  }
}

/** The same for names that some systems take for one file, and others for two. */
const spelling = (name: string): string => name.normalize('NFC').toLowerCase()

/** `__MACOSX` and names that begin with a dot are what the system keeps. */
function isOfSystem(part: string): boolean {
  return part.startsWith('.') || part === '__MACOSX'
}
