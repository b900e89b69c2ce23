import { crc32, inflateRawSync } from 'node:zlib'
import { unpackZstd } from './unpack-zstd.ts'
import { type Archive, ArchiveError, archiveLimits as limits, checkEntryName } from './archive.ts'

interface Entry {
  readonly offset: number
  readonly packed: number
  readonly size: number
  readonly method: number
  readonly crc: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50

/**
 * Reads the directory of a zip archive and nothing else yet. Encrypted entries, links, paths that leave the archive and names that occur
 * twice are refused, also when they differ only in case or in how their letters are composed.
 * @param repeated some programs append a changed file to the archive; the last of a name counts
 * @throws ArchiveError
 */
export function openZip(bytes: Buffer, repeated: 'refused' | 'last counts' = 'refused'): Archive {
  const entries = directory(bytes, repeated)
  refuseOverlaps(entries)
  let unpacked = 0
  return {
    names: [...entries.keys()],
    sizeOf: name => entries.get(name)?.size ?? 0,
    read: name => {
      const entry = entries.get(name)
      if (!entry) throw new ArchiveError(`The archive has no file "${name}".`)
      const content = unpack(bytes, name, entry)
      unpacked += content.length
      if (unpacked > limits.totalBytes) throw new ArchiveError(`The archive unpacks to more than ${limits.totalBytes} bytes.`)
      return content
    },
  }
}

function directory(bytes: Buffer, repeated: 'refused' | 'last counts'): Map<string, Entry> {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count > limits.entries || count === 0xffff) throw new ArchiveError(`The archive holds more than ${limits.entries} files.`)
  const entries = new Map<string, Entry>()
  const seen = new Set<string>()
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryMark) throw new ArchiveError('The directory of the archive is damaged.')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const flags = bytes.readUInt16LE(at + 8)
    const mode = bytes.readUInt32LE(at + 38) >>> 16
    if (!name.endsWith('/')) {
      if (repeated === 'refused' || !entries.has(name)) checkEntryName(name, seen)
      if ((flags & 1) !== 0) throw new ArchiveError(`"${name}" is encrypted.`)
      if ((mode & 0o170000) === 0o120000) throw new ArchiveError(`"${name}" is a link.`)
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

/** Files that share bytes unpack to more than the archive could hold. */
function refuseOverlaps(entries: ReadonlyMap<string, Entry>): void {
  const ordered = [...entries].sort(([, a], [, b]) => a.offset - b.offset)
  for (const [i, [name, { offset, packed }]] of ordered.entries()) {
    const next = ordered[i + 1]
    if (next && offset + 30 + packed > next[1].offset) throw new ArchiveError(`"${name}" and "${next[0]}" overlap in the archive.`)
  }
}

/** The record at the end; a comment of up to 64 KiB may follow it. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at--) if (bytes.readUInt32LE(at) === endMark) return at
  throw new ArchiveError('The file is not a zip archive.')
}

function unpack(bytes: Buffer, name: string, { offset, packed, size, method, crc }: Entry): Buffer {
  if (size > limits.entryBytes) throw new ArchiveError(`"${name}" is larger than ${limits.entryBytes} bytes.`)
  if (size > limits.ratioFrom && size > packed * limits.ratio)
    throw new ArchiveError(`"${name}" unpacks to more than ${limits.ratio} times its size.`)
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localMark) throw new ArchiveError(`"${name}" is damaged.`)
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const raw = bytes.subarray(from, from + packed)
  const content = method === 0 ? raw : method === 8 ? inflate(raw, name, size) : method === 93 ? unzstd(raw, name, size) : null
  if (content === null) throw new ArchiveError(`"${name}" is packed in a way that is not read (method ${method}).`)
  if (content.length !== size || crc32(content) !== crc) throw new ArchiveError(`"${name}" is damaged: its size or checksum is wrong.`)
  return content
}

function inflate(raw: Buffer, name: string, size: number): Buffer {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw new ArchiveError(`"${name}" is damaged and cannot be unpacked.`)
  }
}

function unzstd(raw: Buffer, name: string, size: number): Buffer {
  try {
    return unpackZstd(raw, size)
  } catch {
    throw new ArchiveError(`"${name}" is damaged and cannot be unpacked.`)
  }
}
