import { crc32, deflateSync } from 'node:zlib'

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface PngOptions {
  readonly width?: number
  readonly height?: number
  /** Chunks between header and pixels. */
  readonly extra?: readonly (readonly [name: string, data: Buffer])[]
}

/** A PNG of one colour, `[red, green, blue]` from 0 to 255. */
export function makePng(
  color: readonly [number, number, number],
  { width = 8, height = 8, extra = [] }: PngOptions = {},
): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(color))])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra.map(([name, data]) => chunk(name, data)),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG that states a size and holds hardly anything. */
export function makeBomb(width: number, height: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A TIFF block of EXIF data with an orientation and, where asked, a position. */
export function makeExif({ orientation = 1, position = false } = {}): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const count = (n: number) => Buffer.from([n, 0])
  const entries = [entry(0x0112, 3, 1, orientation), ...(position ? [entry(0x8825, 4, 1, 8 + 2 + 24 + 4)] : [])]
  const end = Buffer.alloc(4)
  const main = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), count(entries.length), ...entries, end])
  return position ? Buffer.concat([main, count(2), entry(1, 2, 2, 0x4e), entry(2, 5, 3, 0), end]) : main
}

/** A JPEG header of the size with EXIF, without pixels worth the name. */
export function makeJpeg(width: number, height: number, exif: Buffer | null = null): Buffer<ArrayBuffer> {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(exif ? [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]))] : []),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0, 0xff, 0xd9]),
  ])
}

/** Silence of 16 bits, one channel. @param statedBytes what the header says of the sound, where it is not the truth */
export function makeWav(ms: number, rate = 16_000, statedBytes?: number): Buffer<ArrayBuffer> {
  const sound = Buffer.alloc(Math.round((ms / 1000) * rate) * 2)
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0', 'latin1')
  head.writeUInt32LE(36 + sound.length, 4)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt32LE(statedBytes ?? sound.length, 40)
  return Buffer.concat([head, sound])
}

/** A document of so many empty pages. @param catalog more entries of its catalog */
export function makePdf(pages: number, catalog = ''): Buffer<ArrayBuffer> {
  const kids = Array.from({ length: pages }, (_, i) => `${i + 3} 0 R`).join(' ')
  const page = (i: number) => `${i + 3} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n`
  return Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog}>>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages} >>\nendobj\n` +
      `${Array.from({ length: pages }, (_, i) => page(i)).join('')}trailer\n<< /Root 1 0 R >>\n%%EOF\n`,
    'latin1',
  )
}
