import type { MediaType } from '../../contract/media/media.schemas.ts'

const noExif = { orientation: 1, hasPosition: false }
/** Entries of a directory that are read; cameras write some dozens. */
const mostEntries = 512
/** Parts of a file that are passed over: a picture may be nothing but empty ones. */
const mostParts = 10_000

/** The TIFF block with the EXIF data of a picture; null where there is none. Bounded by the file: every step goes forward. */
export function exifOf(type: MediaType, bytes: Buffer): Buffer | null {
  if (type === 'image/jpeg') return inJpeg(bytes)
  if (type === 'image/png') return chunk(bytes, 8, 'eXIf', 'big')
  if (type === 'image/webp') return withoutMark(chunk(bytes, 12, 'EXIF', 'little'))
  return null
}

function inJpeg(bytes: Buffer): Buffer | null {
  for (let at = 2, parts = 0; at + 4 <= bytes.length && bytes[at] === 0xff && parts < mostParts; parts++) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xda || marker === 0xd9) return null
    const length = bytes.readUInt16BE(at + 2)
    const segment = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0') return segment.subarray(6)
    at += 2 + Math.max(2, length)
  }
  return null
}

/** PNG has the length before the name, WebP after it; both then hold the data. */
function chunk(bytes: Buffer, from: number, name: string, order: 'big' | 'little'): Buffer | null {
  for (let at = from, parts = 0; at + 8 <= bytes.length && parts < mostParts; parts++) {
    const length = order === 'big' ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at + 4)
    const called = order === 'big' ? bytes.toString('latin1', at + 4, at + 8) : bytes.toString('latin1', at, at + 4)
    if (called === name) return bytes.subarray(at + 8, at + 8 + length)
    at += order === 'big' ? length + 12 : 8 + length + (length % 2)
  }
  return null
}

function withoutMark(exif: Buffer | null): Buffer | null {
  return exif?.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
}

/** The turn that it asks for (1: none) and whether it holds a position. A damaged block tells neither. */
export function readExif(tiff: Buffer | null): { readonly orientation: number; readonly hasPosition: boolean } {
  if (!tiff || tiff.length < 8) return noExif
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return noExif
  const isLittle = order === 'II'
  const short = (at: number): number => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number): number => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const entries = (at: number): ReadonlyMap<number, number> => {
    const count = Math.min(short(at), mostEntries)
    return new Map(Array.from({ length: count }, (_, i) => [short(at + 2 + i * 12), at + 2 + i * 12]))
  }
  const main = entries(long(4))
  const turn = main.get(0x0112)
  const gps = main.get(0x8825)
  const orientation = turn === undefined ? 1 : short(turn + 8)
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    hasPosition: gps !== undefined && entries(long(gps + 8)).has(2),
  }
}
