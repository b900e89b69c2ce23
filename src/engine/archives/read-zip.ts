import { crc32, inflateRawSync } from 'node:zlib'
import { formatBytes } from '../../lib/format/bytes.ts'
import { type ByteSource, sourceOfBytes } from './byte-source.ts'
import { unpackZstd } from './unpack-zstd.ts'
import { type Archive, ArchiveError, archiveLimits as limits, checkEntryName, checkUnpackedSize, tooManyFiles } from './archive.ts'

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

/** Whether bytes begin as a zip does; an empty one begins with its end. */
export function isZip(bytes: Uint8Array): boolean {
  return /^PK(?:\x03\x04|\x05\x06)/.test(String.fromCharCode(...bytes.subarray(0, 4)))
}

/**
 * Reads the directory of a zip archive and nothing else yet. Encrypted entries, links, paths that leave the archive and names that occur
 * twice are refused, also when they differ only in case or in how their letters are composed.
 * @param repeated some programs append a changed file to the archive; the last of a name counts
 * @throws ArchiveError
 */
export function openZip(bytes: Buffer | ByteSource, repeated: 'refused' | 'last counts' = 'refused'): Archive {
  const source = Buffer.isBuffer(bytes) ? sourceOfBytes(bytes) : bytes
  const entries = directory(source, repeated)
  refuseOverlaps(entries)
  // A file that is read again counts once: none of it is kept.
  const read = new Set<string>()
  let unpacked = 0
  return {
    names: [...entries.keys()],
    sizeOf: name => entries.get(name)?.size ?? 0,
    read: name => {
      const entry = entries.get(name)
      if (!entry) throw new ArchiveError(`The archive has no file "${name}".`)
      checkEntrySize(name, entry)
      if (!read.has(name)) unpacked += entry.size
      read.add(name)
      checkUnpackedSize(unpacked, source.size)
      return unpack(source, name, entry)
    },
  }
}

function directory(source: ByteSource, repeated: 'refused' | 'last counts'): Map<string, Entry> {
  const { count, from, bytes } = findDirectory(source)
  let at = 0
  const entries = new Map<string, Entry>()
  const seen = new Set<string>()
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryMark)
      throw new ArchiveError('Download or pack the archive again: its directory is damaged.')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const flags = bytes.readUInt16LE(at + 8)
    const mode = bytes.readUInt32LE(at + 38) >>> 16
    if (!name.endsWith('/')) {
      if (repeated === 'refused' || !entries.has(name)) checkEntryName(name, seen)
      if ((flags & 1) !== 0) throw new ArchiveError(`"${name}" is encrypted.`)
      if ((mode & 0o170000) === 0o120000) throw new ArchiveError(`"${name}" is a link.`)
      const entry = {
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        ...placeOf(bytes.subarray(at, at + 46 + nameLength + bytes.readUInt16LE(at + 30)), nameLength),
      }
      if (entry.offset + 30 + entry.packed > from) throw new ArchiveError(`"${name}" is damaged.`)
      entries.set(name, entry)
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  // The count has 16 bits, and programs that write more files write what is left of it.
  if (at + 46 <= bytes.length && bytes.readUInt32LE(at) === entryMark)
    throw new ArchiveError(`The archive says that it holds ${count} files and lists more. Pack it again, in several archives.`)
  return entries
}

/** Sizes and place of an entry: a plain field that is full stands for the next value of the zip64 field, where there is one. */
function placeOf(entry: Buffer, nameLength: number): Pick<Entry, 'size' | 'packed' | 'offset'> {
  let wide: Buffer = Buffer.alloc(0)
  for (let at = 46 + nameLength; at + 4 <= entry.length; at += 4 + entry.readUInt16LE(at + 2))
    if (entry.readUInt16LE(at) === 1) wide = entry.subarray(at + 4, at + 4 + entry.readUInt16LE(at + 2))
  const value = (at: number): number => {
    const plain = entry.readUInt32LE(at)
    if (plain !== 0xffffffff || wide.length < 8) return plain
    const found = Number(wide.readBigUInt64LE(0))
    wide = wide.subarray(8)
    return found
  }
  return { size: value(24), packed: value(20), offset: value(42) }
}

/** Files that share bytes unpack to more than the archive could hold. */
function refuseOverlaps(entries: ReadonlyMap<string, Entry>): void {
  const ordered = [...entries].sort(([, a], [, b]) => a.offset - b.offset)
  for (const [i, [name, { offset, packed }]] of ordered.entries()) {
    const next = ordered[i + 1]
    if (next && offset + 30 + packed > next[1].offset) throw new ArchiveError(`"${name}" and "${next[0]}" overlap in the archive.`)
  }
}

interface Directory {
  readonly count: number
  readonly from: number
  readonly bytes: Buffer
}

/** By the record at the end; a comment of up to 64 KiB may follow it. */
function findDirectory(source: ByteSource): Directory {
  const tailFrom = Math.max(0, source.size - 22 - 65_535)
  const tail = source.read(tailFrom, source.size - tailFrom)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endMark) continue
    const [plainCount, plainFrom] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 16)]
    const isBig = plainCount === 0xffff || plainFrom === 0xffffffff
    const big = isBig ? findBigDirectory(source, tailFrom + at) : null
    const { count, from, to } = big ?? { count: plainCount, from: plainFrom, to: tailFrom + at }
    if (count > limits.entries) throw tooManyFiles()
    const size = to - from
    if (!(size >= 0 && size <= limits.directoryBytes))
      throw new ArchiveError('Download or pack the archive again: its directory is damaged.')
    return { count, from, bytes: source.read(from, size) }
  }
  throw new ArchiveError('Choose another format, or send a whole zip archive: the file is not a zip archive, or is cut off.')
}

/** By the zip64 record, which a locator just before the plain end names; null where the archive has none. */
function findBigDirectory(source: ByteSource, end: number): { readonly count: number; readonly from: number; readonly to: number } | null {
  const locator = source.read(Math.max(0, end - 20), Math.min(end, 20))
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return null
  const to = Number(locator.readBigUInt64LE(8))
  const record = to < end ? source.read(to, 56) : Buffer.alloc(0)
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50)
    throw new ArchiveError('Download or pack the archive again: its directory is damaged.')
  return { count: Number(record.readBigUInt64LE(32)), from: Number(record.readBigUInt64LE(48)), to }
}

function checkEntrySize(name: string, { packed, size }: Entry): void {
  if (size > limits.entryBytes)
    throw new ArchiveError(`"${name}" has ${formatBytes(size)}, and at most ${formatBytes(limits.entryBytes)} are read of one file.`)
  if (size > limits.ratioFrom && size > packed * limits.ratio)
    throw new ArchiveError(`"${name}" unpacks to more than ${limits.ratio} times its size.`)
}

function unpack(source: ByteSource, name: string, { offset, packed, size, method, crc }: Entry): Buffer {
  const head = source.read(offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== localMark) throw new ArchiveError(`"${name}" is damaged.`)
  const raw = source.read(offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed)
  const content = method === 0 ? raw : method === 8 ? inflate(raw, name, size) : method === 93 ? unzstd(raw, name, size) : null
  if (content === null)
    throw new ArchiveError(`Pack the archive with Deflate or Zstandard: "${name}" is packed in a way that is not read (method ${method}).`)
  if (content.length !== size || crc32(content) !== crc) throw new ArchiveError(`"${name}" is damaged: its size or checksum is wrong.`)
  return content
}

function inflate(raw: Buffer, name: string, size: number): Buffer {
  try {
    // In one piece, which need not be copied together.
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) })
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
