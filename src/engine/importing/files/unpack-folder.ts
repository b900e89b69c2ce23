import { type Archive, ArchiveError, archiveLimits } from '../../archives/archive.ts'
import { openZip } from '../../archives/read-zip.ts'
import { isTar, openTar } from './read-tar.ts'

/** Files of an archive, as a folder that was packed. */
export interface UnpackedFolder {
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[]
  /** Files that are none of the wanted ones. What systems add on their own does not count. */
  readonly passedOver: readonly string[]
}

/** The archive that the bytes are, by their first ones; null for any other file. @throws ArchiveError where it is damaged */
export function archiveIn(bytes: Buffer): Archive | null {
  if (isTar(bytes)) return openTar(bytes)
  return bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004' ? openZip(bytes) : null
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
