import type { MediaType } from '../../contract/media/media.schemas.ts'
import { exifOf, readExif } from './exif.ts'
import { imageSize } from './image-size.ts'
import { MediaFault } from './media-fault.ts'

export const mostImagePixels = 50_000_000

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
      ...(isCutOff(type, bytes) ? ['It is cut off: the end of the picture is missing.'] : []),
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

function isAnimated(type: MediaType, bytes: Buffer): boolean {
  if (type === 'image/gif') return bytes.includes('NETSCAPE2.0', 0, 'latin1')
  if (type === 'image/png') return bytes.subarray(0, 65_536).includes('acTL', 0, 'latin1')
  return type === 'image/webp' && bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
}
