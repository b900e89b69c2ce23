import type { MediaType } from '../../contract/media/media.schemas.ts'

/** Width and height of a picture in pixels, from its header; null where that is cut off or damaged. */
export function imageSize(type: MediaType, bytes: Buffer): readonly [width: number, height: number] | null {
  const size = sizeIn(type, bytes)
  return size && size[0] > 0 && size[1] > 0 ? size : null
}

function sizeIn(type: MediaType, bytes: Buffer): readonly [width: number, height: number] | null {
  if (type === 'image/jpeg') return jpegSize(bytes)
  if (type === 'image/gif') return bytes.length < 10 ? null : [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  // Its header is a chunk of 13 bytes with a checksum, and comes first.
  if (type === 'image/png')
    return bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR' ? null : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (bytes.length < 30) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1]
    }
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    default:
      return null
  }
}

/** The first frame header (SOF0 to SOF15, without DHT, JPG and DAC, which share their range). */
function jpegSize(bytes: Buffer): readonly [width: number, height: number] | null {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    if (marker === 0xda || marker === 0xd9) return null
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}
