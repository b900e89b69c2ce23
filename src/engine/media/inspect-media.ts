import { createHash } from 'node:crypto'
import type { MediaFile, MediaType } from '../../contract/media/media.schemas.ts'
import { audioMs, tagEnd } from './audio-length.ts'
import { imageFacts } from './image-facts.ts'
import { MediaFault } from './media-fault.ts'
import { pdfFacts } from './pdf-facts.ts'

const text = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Type by the first bytes; null for any other. A file that is valid as two types is the one that its first bytes say. */
export function mediaTypeOf(bytes: Buffer): MediaType | null {
  const head = text(bytes, 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp'
  if (/^RIFF[^]{4}WAVE/.test(head)) return 'audio/wav'
  if (head.startsWith('fLaC')) return 'audio/flac'
  if (head.startsWith('%PDF-')) return 'application/pdf'
  // FLAC may follow a tag of MP3, too.
  if (head.startsWith('ID3')) return isFlac(bytes, tagEnd(bytes)) ? 'audio/flac' : 'audio/mpeg'
  if (isMp3Frame(bytes)) return 'audio/mpeg'
  return null
}

const isFlac = (bytes: Buffer, at: number): boolean => text(bytes, at, at + 4) === 'fLaC'

/** MPEG 1, 2 or 2.5, layer III, with a bit rate and a sample rate. */
function isMp3Frame(bytes: Buffer): boolean {
  const [a = 0, b = 0, c = 0] = bytes
  return (
    a === 0xff && (b & 0xe0) === 0xe0 && (b & 0x18) !== 0x08 && (b & 0x06) === 0x02 && c >> 4 !== 15 && c >> 4 !== 0 && (c & 0x0c) !== 0x0c
  )
}

/** What bytes that are not taken seem to be, for the message. */
function otherType(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 512)
  const start = head
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  if (start.startsWith('<svg') || (start.startsWith('<?xml') && start.includes('<svg'))) return 'an SVG drawing, which can hold scripts'
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'a web page'
  if (/^[^]{4}ftyp(?:heic|heix|mif1|heif)/.test(head)) return 'a HEIC picture'
  if (/^[^]{4}ftypavif/.test(head)) return 'an AVIF picture'
  if (/^[^]{4}ftypM4A/.test(head)) return 'M4A audio'
  if (/^[^]{4}ftyp/.test(head) || head.startsWith('\x1aE\xdf\xa3') || /^RIFF[^]{4}AVI /.test(head)) return 'a video'
  if (head.startsWith('BM')) return 'a BMP picture'
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'a TIFF picture'
  if (head.startsWith('OggS')) return 'Ogg audio'
  if (head.startsWith('PK\x03\x04')) return 'a zip archive'
  if (head.startsWith('version https://git-lfs')) return 'a Git LFS pointer; the file itself was not downloaded'
  return 'of no type that is known'
}

/**
 * Type, dimensions and cautions of a file from its header; its pixels are not decoded.
 * @param stated media type that whoever sent it claims; a different one in the bytes is a caution
 * @throws MediaFault for anything but the types of the contract, more than 50 megapixels, or a header without dimensions
 */
export function inspectMedia(content: Uint8Array, stated: string | null = null): MediaFile {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (bytes.length === 0) throw new MediaFault('The file is empty.')
  const media_type = mediaTypeOf(bytes)
  if (media_type === null) throw new MediaFault(`The file is ${otherType(bytes)}. Taken are PNG, JPEG, WebP, GIF, WAV, MP3, FLAC and PDF.`)
  const claim =
    stated === null || canonicalType(stated) === media_type
      ? []
      : [`It is stated to be ${stated.slice(0, 60)}, but its bytes are ${media_type}.`]
  const { width = null, height = null, duration_ms = null, pages = null, cautions } = factsOf(media_type, bytes)
  return {
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    media_type,
    bytes: bytes.length,
    width,
    height,
    duration_ms,
    pages,
    cautions: [...claim, ...cautions],
  }
}

interface Facts {
  readonly width?: number
  readonly height?: number
  readonly duration_ms?: number | null
  readonly pages?: number | null
  readonly cautions: readonly string[]
}

function factsOf(type: MediaType, bytes: Buffer): Facts {
  if (type === 'application/pdf') return pdfFacts(bytes)
  return type === 'audio/wav' || type === 'audio/mpeg' || type === 'audio/flac' ? audioMs(type, bytes) : imageFacts(type, bytes)
}

/** Media types as providers and files spell them, in the contract's spelling. */
export function canonicalType(type: string): string {
  const name = type.split(';')[0]?.trim().toLowerCase() ?? ''
  return aliases[name] ?? name
}

const aliases: Readonly<Record<string, MediaType>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-flac': 'audio/flac',
  'application/x-pdf': 'application/pdf',
}
