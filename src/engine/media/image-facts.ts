import { crc32 } from 'node:zlib'
import type { MediaType } from '../../contract/media/media.schemas.ts'
import { exifOf, readExif } from './exif.ts'
import { imageSize } from './image-size.ts'
import { MediaFault } from './media-fault.ts'

export const mostImagePixels = 50_000_000
/** Chunks of a PNG whose checksums are compared; most writers make them of 8 kB or more. */
const mostChunks = 100_000

/** Dimensions and cautions of a picture. @throws MediaFault */
export function imageFacts(
  type: MediaType,
  bytes: Buffer,
): { readonly width: number; readonly height: number; readonly cautions: readonly string[] } {
  const size = imageSize(type, bytes)
  if (!size) throw new MediaFault('The header of the picture tells no width and height: the file is damaged.')
  const [width, height] = size
  if (width * height > mostImagePixels)
    throw new MediaFault(
      `The picture has ${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels; at most 50 megapixels are taken. Make it smaller.`,
    )
  const exif = readExif(exifOf(type, bytes))
  return {
    width,
    height,
    cautions: [
      ...(exif.hasPosition ? ['It holds the place where it was taken (EXIF position), which a model provider would be sent.'] : []),
      ...(exif.orientation > 1 ? ['EXIF asks for it to be turned; some model servers ignore that.'] : []),
      ...(isCutOff(type, bytes)
        ? ['It is cut off: the end of the picture is missing.']
        : type === 'image/png' && isDamaged(bytes)
          ? ['It is damaged: its data are not those of its checksums. Viewers may show a part, and model providers may refuse it.']
          : []),
      ...(isAnimated(type, bytes) ? ['It is animated; models see the first frame or refuse it.'] : []),
    ],
  }
}

function isCutOff(type: MediaType, bytes: Buffer): boolean {
  if (type === 'image/png') return !bytes.includes('IEND', Math.max(0, bytes.length - 65_536), 'latin1')
  if (type === 'image/jpeg') return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0
  if (type === 'image/gif') return bytes.lastIndexOf(0x3b) < bytes.length - 1024
  return bytes.readUInt32LE(4) + 8 > bytes.length
}

/** Whether a PNG has a chunk that its pixels need and whose checksum is that of other data, or chunks that do not follow one another. */
function isDamaged(png: Buffer): boolean {
  for (let at = 8, chunks = 0; chunks < mostChunks; chunks++) {
    const end = at + 12 <= png.length ? at + 8 + png.readUInt32BE(at) : Infinity
    if (end + 4 > png.length) return true
    const name = png.toString('latin1', at + 4, at + 8)
    if (name === 'IEND') return false
    // Those that begin with a small letter can be done without.
    if (name < 'a' && crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return true
    at = end + 4
  }
  return false
}

function isAnimated(type: MediaType, bytes: Buffer): boolean {
  if (type === 'image/gif') return bytes.includes('NETSCAPE2.0', 0, 'latin1')
  if (type === 'image/png') return bytes.subarray(0, 65_536).includes('acTL', 0, 'latin1')
  return type === 'image/webp' && bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
}
