import type { PackageManifest } from '../../../contract/creator/manifest.schemas.ts'
import type { NewWorld } from '../../../contract/worlds/worlds.schemas.ts'
import { ArchiveError } from '../../archives/archive.ts'
import { checkNames, checkZipStrictly } from '../../archives/check-zip.ts'
import { openZip } from '../../archives/read-zip.ts'
import type { CroissantLayout } from './croissant/read-croissant.ts'
import { jsonContents } from './json-package.ts'
import { PackageFault } from './package-fault.ts'
import { manifestPath, readManifest } from './read-manifest.ts'
import { sha256 } from './sha256.ts'

export const signaturePath = 'signature.dsse.json'

export interface PackageFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A package in memory. Nothing of it is ever written to disk. */
export interface OpenedPackage {
  /** With the splits and fields of its Croissant description or world where it has one. */
  readonly manifest: PackageManifest
  /** Null where the manifest itself says how files are read. */
  readonly croissant: CroissantLayout | null
  /** Null where the package asks questions. */
  readonly world: NewWorld | null
  /** Of the bytes as uploaded. */
  readonly sha256: string
  readonly bytes: number
  readonly files: readonly PackageFile[]
  /** Whether it was sent as JSON. */
  readonly isJson: boolean
  read(path: string): Buffer
}

/**
 * Opens a package: a zip archive, or the JSON that it was sent as.
 * @throws PackageFault
 */
export function openPackage(bytes: Buffer): OpenedPackage {
  const isJson = bytes[0] === 0x7b
  const contents = sound(() => (isJson ? jsonFiles(bytes) : zipFiles(bytes)))
  return {
    ...readManifest(contents),
    sha256: sha256(bytes),
    bytes: bytes.length,
    files: [...contents].map(([path, content]) => ({ path, bytes: content.length, sha256: sha256(content) })),
    isJson,
    read: path => {
      const content = contents.get(path)
      if (!content) throw new RangeError(`The package has no file "${path}".`)
      return content
    },
  }
}

function sound<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof ArchiveError) throw new PackageFault('archive', error.message)
    throw error
  }
}

function zipFiles(bytes: Buffer): Map<string, Buffer> {
  checkZipStrictly(bytes)
  const archive = openZip(bytes)
  return new Map(archive.names.map(name => [name, inert(name, archive.read(name))]))
}

/** Held to the same names as an archive, since it is exported and read like one. */
function jsonFiles(bytes: Buffer): Map<string, Buffer> {
  const files = jsonContents(bytes)
  checkNames(files.map(([path]) => path))
  return new Map(files.map(([path, content]) => [path, path === manifestPath ? content : inert(path, content)]))
}

/** Refuses what begins like an archive, whatever it is called. */
function inert(name: string, content: Buffer): Buffer {
  const head = content.toString('latin1', 0, 6)
  const isArchive = ['PK\u0003\u0004', 'PK\u0005\u0006', '\u001f\u008b', '7z\u00bc\u00af', 'Rar!', 'BZh', '\u00fd7zXZ'].some(mark =>
    head.startsWith(mark),
  )
  if (isArchive || content.toString('latin1', 257, 262) === 'ustar')
    throw new ArchiveError(`"${name}" is an archive inside the archive. Unpack it first.`)
  return content
}
