import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** In another thread: what adds to an archive answers others meanwhile. */
const deflate = promisify(deflateRaw)

/** Unpacked bytes for each packed one, beyond which readers suspect a bomb: silence or rows that are alike are packed less, at most 8 : 1. */
const mostRatio = 100

async function pack(raw: Uint8Array): Promise<Buffer> {
  const packed = await deflate(raw, {})
  return raw.length > packed.length * mostRatio ? deflate(raw, { strategy: constants.Z_HUFFMAN_ONLY }) : packed
}

/** Takes the next piece of the archive. */
type Write = (chunk: Uint8Array) => Promise<void> | void

const version = 45
const utf8Names = 0x0800
const deflated = 8
/** 1 January 1980, the first day that the format knows: the same content gives the same bytes. */
const noDate = 0x0021
const most16 = 0xffff
const most32 = 0xffffffff

interface Entry {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

export interface ZipWriter {
  add(name: string, content: string | Uint8Array): Promise<void>
  /** Writes the directory. Nothing can be added afterwards. */
  end(): Promise<void>
}

/** Writes a zip archive entry by entry; with the zip64 form where there are more entries or bytes than the plain one can count. */
export function createZip(write: Write): ZipWriter {
  const entries: Entry[] = []
  let offset = 0
  const put = async (chunk: Uint8Array) => {
    offset += chunk.length
    await write(chunk)
  }
  return {
    add: async (path, content) => {
      const raw = typeof content === 'string' ? Buffer.from(content) : content
      const packed = await pack(raw)
      const entry = { name: Buffer.from(path), crc: crc32(raw), packed: packed.length, size: raw.length, offset }
      entries.push(entry)
      await put(localHeader(entry))
      await put(packed)
    },
    end: async () => {
      const start = offset
      for (const entry of entries) await put(directoryEntry(entry))
      await put(directoryEnd(entries.length, start, offset - start))
    },
  }
}

function localHeader({ name, crc, packed, size }: Entry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeFacts(header, 4, { crc, packed, size, nameLength: name.length })
  return Buffer.concat([header, name])
}

function directoryEntry({ name, crc, packed, size, offset }: Entry): Buffer {
  const far = offset >= most32
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  writeFacts(header, 6, { crc, packed, size, nameLength: name.length })
  header.writeUInt16LE(far ? 12 : 0, 30)
  header.writeUInt32LE(far ? most32 : offset, 42)
  const extra = Buffer.alloc(far ? 12 : 0)
  if (far) {
    extra.writeUInt16LE(0x0001, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  return Buffer.concat([header, name, extra])
}

/** The fields that an entry's own header and the directory share, in their order. */
function writeFacts(header: Buffer, at: number, facts: { crc: number; packed: number; size: number; nameLength: number }): void {
  header.writeUInt16LE(version, at)
  header.writeUInt16LE(utf8Names, at + 2)
  header.writeUInt16LE(deflated, at + 4)
  header.writeUInt16LE(0, at + 6)
  header.writeUInt16LE(noDate, at + 8)
  header.writeUInt32LE(facts.crc, at + 10)
  header.writeUInt32LE(facts.packed, at + 14)
  header.writeUInt32LE(facts.size, at + 18)
  header.writeUInt16LE(facts.nameLength, at + 22)
}

function directoryEnd(count: number, start: number, size: number): Buffer {
  const isBig = count >= most16 || start >= most32 || size >= most32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isBig ? most16 : count, 8)
  end.writeUInt16LE(isBig ? most16 : count, 10)
  end.writeUInt32LE(isBig ? most32 : size, 12)
  end.writeUInt32LE(isBig ? most32 : start, 16)
  if (!isBig) return end
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(version, 12)
  record.writeUInt16LE(version, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
