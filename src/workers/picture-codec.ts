import type { Sharp } from 'sharp'
import type { MediaType } from '../contract/media/media.schemas.ts'
import { fittedSize, type PixelSize } from '../engine/media/fitted-size.ts'
import { mostImagePixels } from '../engine/media/image-facts.ts'
import { mediaTypeOf } from '../engine/media/inspect-media.ts'
import { MediaFault } from '../engine/media/media-fault.ts'
import { formatBytes } from '../lib/format/bytes.ts'

/** A picture that was made from another one: upright, in sRGB, its first frame alone and without metadata. */
export interface MadePicture extends PixelSize {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mediaType: MediaType
}

/** Seconds for one picture; 50 megapixels take about two. */
const mostSeconds = 20
const quality = 90
/** Bytes of an interlaced picture for a thumbnail: it is decoded whole, any other by rows. One of 50 megapixels and 16 bits took 10 s and 436 MB. */
const mostInterlacedBytes = 200_000_000
const thumbnailQuality = 80

/** The first frame of a GIF is kept as PNG, since not every server reads GIF. */
const kinds: Partial<Readonly<Record<MediaType, 'png' | 'jpeg' | 'webp'>>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'png',
}

let loaded: Promise<typeof import('sharp').default> | null = null
let opened: Promise<void> | null = null

function codec(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loaded
}

/**
 * Loads the native library before any thread does, and has it run the decoders of the four stored types alone: no SVG, no file, no address.
 * In the thread that starts the others, since the library is the process's: loaded by threads alone it would come and go with them, and a
 * picture that another thread decodes fails while decoders are blocked.
 * @returns why pictures cannot be made on this machine; null where they can
 */
export async function openCodec(): Promise<string | null> {
  opened ??= codec().then(sharp => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['PngBuffer', 'JpegBuffer', 'WebpBuffer', 'NsgifBuffer'].map(format => `VipsForeignLoad${format}`),
    })
  })
  try {
    await opened
    return null
  } catch (error) {
    return `The picture codec (sharp) does not load on this machine: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}.`
  }
}

/** A picture of at most so many pixels in the format that it has. The same bytes give the same bytes. @throws MediaFault */
export function resizePicture(bytes: Uint8Array, maxPixels: number): Promise<MadePicture> {
  return made(bytes, (picture, size, type) => {
    const { width, height } = fittedSize(size, maxPixels)
    const fitted = picture.resize(width, height, { fit: 'fill' })
    if (type === 'jpeg') return fitted.jpeg({ quality, chromaSubsampling: '4:4:4' })
    return type === 'webp' ? fitted.webp({ quality }) : fitted.png()
  })
}

/** A WebP picture whose sides are at most so long; never larger than the picture itself. @throws MediaFault */
export function thumbnailOf(bytes: Uint8Array, maxSide: number): Promise<MadePicture> {
  return made(
    bytes,
    picture => picture.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }).webp({ quality: thumbnailQuality }),
    mostInterlacedBytes,
  )
}

async function made(
  bytes: Uint8Array,
  change: (picture: Sharp, size: PixelSize, type: 'png' | 'jpeg' | 'webp') => Sharp,
  mostInterlaced = Number.POSITIVE_INFINITY,
): Promise<MadePicture> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const type = mediaTypeOf(buffer)
  const kind = type === null ? undefined : kinds[type]
  if (kind === undefined) throw new MediaFault('The file is no PNG, JPEG, WebP or GIF picture.')
  try {
    const sharp = await codec()
    const picture = sharp(buffer, { limitInputPixels: mostImagePixels, sequentialRead: true, failOn: 'truncated' })
    const { autoOrient: size, isProgressive, channels, depth } = await picture.metadata()
    const decoded = size.width * size.height * channels * (depth === 'ushort' ? 2 : 1)
    if (isProgressive && decoded > mostInterlaced)
      throw new Error(
        `it is interlaced and has ${formatBytes(decoded)} once decoded; at most ${formatBytes(mostInterlaced)} are decoded for a small picture`,
      )
    const { data, info } = await change(picture.autoOrient().toColourspace('srgb'), size, kind)
      .timeout({ seconds: mostSeconds })
      .toBuffer({ resolveWithObject: true })
    return {
      bytes: Uint8Array.from(data),
      mediaType: `image/${info.format as 'png' | 'jpeg' | 'webp'}`,
      width: info.width,
      height: info.height,
    } // as `change` asks
  } catch (error) {
    throw new MediaFault(`The picture cannot be decoded: ${error instanceof Error ? error.message : String(error)}. Replace the file.`)
  }
}
