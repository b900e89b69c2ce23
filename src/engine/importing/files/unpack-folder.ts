import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Archive, ArchiveError, archiveLimits, checkUnpackedSize } from '../../archives/archive.ts'
import { type ByteSource, sourceOfBytes, sourceOfFile } from '../../archives/byte-source.ts'
import { isZip, openZip } from '../../archives/read-zip.ts'
import { decodeBytes } from './decode-bytes.ts'
import { importLimits } from './limits.ts'
import { isTar, openTar } from './read-tar.ts'

/** As many as tell what a file is: the header of a tar archive. */
const headBytes = 512

/** Files of an archive, as a folder that was packed. */
export interface UnpackedFolder {
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[]
  /** Files that are none of the wanted ones. What systems add on their own does not count. */
  readonly passedOver: readonly string[]
}

/** The archive that the bytes are, by their first ones; null for any other file. @throws ArchiveError where it is damaged */
export function archiveIn(bytes: Buffer): Archive | null {
  return archiveFrom(sourceOfBytes(bytes))
}

/**
 * The archive in a file, which is read where it lies. One that is packed as a whole (`.tar.gz`) is unpacked into a file beside it
 * (`unpackedPath`), which whoever opens it removes.
 * @throws ArchiveError where it is damaged or no archive
 * @throws FileError where it cannot be unpacked
 */
export async function openArchiveFile(path: string): Promise<Archive> {
  const found = archiveAt(path) ?? archiveAt(await unpackedBeside(path))
  if (found) return found
  throw new ArchiveError('The file is neither a zip nor a tar archive.')
}

/** Where an archive that is packed as a whole is unpacked to, by its own path. */
export function unpackedPath(path: string): string {
  return `${path}.unpacked`
}

async function unpackedBeside(path: string): Promise<string> {
  const beside = unpackedPath(path)
  await pipeline(decodeBytes(createReadStream(path), importLimits), createWriteStream(beside, { mode: 0o600 }))
  return beside
}

/** What it unpacks to is looked at before anything is read. */
function archiveAt(path: string): Archive | null {
  const source = sourceOfFile(path)
  const archive = archiveFrom(source)
  if (archive)
    checkUnpackedSize(
      archive.names.reduce((sum, name) => sum + archive.sizeOf(name), 0),
      source.size,
    )
  return archive
}

function archiveFrom(source: ByteSource): Archive | null {
  const head = source.read(0, headBytes)
  if (isTar(head)) return openTar(source)
  return isZip(head) ? openZip(source) : null
}

/**
 * @param most bytes of one file
 * @throws ArchiveError where it is damaged or unpacks to more than it may, before anything is unpacked
 */
export function unpackFolder(
  archive: Archive,
  isWanted: (path: string) => boolean,
  most: number = archiveLimits.entryBytes,
): UnpackedFolder {
  const names = archive.names.filter(name => !name.split('/').some(isOfSystem)).sort()
  const wanted = names.filter(isWanted)
  const large = wanted.find(name => archive.sizeOf(name) > most)
  if (large !== undefined) throw new ArchiveError(`"${large}" is larger than ${most} bytes.`)
  if (wanted.reduce((sum, name) => sum + archive.sizeOf(name), 0) > archiveLimits.heldBytes)
    throw new ArchiveError(`The files of the archive unpack to more than ${archiveLimits.heldBytes} bytes together.`)
  return {
    files: wanted.map(path => ({ path, bytes: archive.read(path) })),
    passedOver: names.filter(name => !isWanted(name)),
  }
}

/** `__pycache__` holds compiled copies, `__MACOSX` and names that begin with a dot what the system keeps. */
function isOfSystem(part: string): boolean {
  return part.startsWith('.') || part === '__MACOSX' || part === '__pycache__'
}

/** The path without its last part; empty at the top. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}
