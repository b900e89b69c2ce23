import { crc32, inflateRawSync } from 'node:zlib'

/** An archive of files, read from memory. Nothing of it is ever written to disk. */
export interface ZipArchive {
  /** Paths of its files in the order of the directory, with slashes. */
  readonly names: readonly string[]
  /** @throws ZipError when it is damaged or unpacks to more than it may */
  read(name: string): Buffer
}

/** The archive cannot be read, and why. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
}

interface Entry {
  readonly offset: number
  readonly packed: number
  readonly size: number
  readonly method: number
  readonly crc: number
}

const mebi = 1024 * 1024
const limits = { entries: 20_000, entryBytes: 64 * mebi, totalBytes: 1024 * mebi, ratio: 200, ratioFrom: mebi, nameLength: 255 }

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50

/**
 * Reads the directory of a zip archive and nothing else yet. Encrypted entries, links, paths that leave the archive and names that occur
 * twice are refused, also when they differ only in case or in how their letters are composed.
 * @throws ZipError
 */
export function openZip(bytes: Buffer): ZipArchive {
  const entries = directory(bytes)
  let unpacked = 0
  return {
    names: [...entries.keys()],
    read: name => {
      const entry = entries.get(name)
      if (!entry) throw new ZipError(`The archive has no file "${name}".`)
      const content = unpack(bytes, name, entry)
      unpacked += content.length
      if (unpacked > limits.totalBytes) throw new ZipError(`The archive unpacks to more than ${limits.totalBytes} bytes.`)
      return content
    },
  }
}

function directory(bytes: Buffer): Map<string, Entry> {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count > limits.entries || count === 0xffff) throw new ZipError(`The archive holds more than ${limits.entries} files.`)
  const entries = new Map<string, Entry>()
  const seen = new Set<string>()
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryMark) throw new ZipError('The directory of the archive is damaged.')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const flags = bytes.readUInt16LE(at + 8)
    const mode = bytes.readUInt32LE(at + 38) >>> 16
    if (!name.endsWith('/')) {
      checkName(name, seen)
      if ((flags & 1) !== 0) throw new ZipError(`"${name}" is encrypted.`)
      if ((mode & 0o170000) === 0o120000) throw new ZipError(`"${name}" is a link.`)
      entries.set(name, {
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        packed: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      })
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function checkName(name: string, seen: Set<string>): void {
  const parts = name.split('/')
  if (
    name.length > limits.nameLength ||
    name.includes('\0') ||
    name.includes('\\') ||
    /^[A-Za-z]:/.test(name) ||
    name.startsWith('/') ||
    parts.includes('..')
  )
    throw new ZipError(`The archive has a file with a name that is refused: ${JSON.stringify(name.slice(0, 80))}.`)
  const key = name.normalize('NFC').toLowerCase()
  if (seen.has(key)) throw new ZipError(`The archive has "${name}" twice.`)
  seen.add(key)
}

/** The record at the end; a comment of up to 64 KiB may follow it. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at--) if (bytes.readUInt32LE(at) === endMark) return at
  throw new ZipError('The file is no zip archive.')
}

function unpack(bytes: Buffer, name: string, { offset, packed, size, method, crc }: Entry): Buffer {
  if (size > limits.entryBytes) throw new ZipError(`"${name}" is larger than ${limits.entryBytes} bytes.`)
  if (size > limits.ratioFrom && size > packed * limits.ratio)
    throw new ZipError(`"${name}" unpacks to more than ${limits.ratio} times its size.`)
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localMark) throw new ZipError(`"${name}" is damaged.`)
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const raw = bytes.subarray(from, from + packed)
  const content = method === 0 ? raw : method === 8 ? inflate(raw, name, size) : null
  if (content === null) throw new ZipError(`"${name}" is packed in a way that is not read (method ${method}).`)
  if (content.length !== size || crc32(content) !== crc) throw new ZipError(`"${name}" is damaged: its size or checksum is wrong.`)
  return content
}

function inflate(raw: Buffer, name: string, size: number): Buffer {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw new ZipError(`"${name}" is damaged and cannot be unpacked.`)
  }
}
