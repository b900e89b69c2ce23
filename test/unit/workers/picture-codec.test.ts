import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { openCodec, resizePicture, thumbnailOf } from '../../../src/workers/picture-codec.ts'
import { makeBomb, makePng } from '../../support/media.ts'

/** Left half red, right half blue. */
const halves = (width: number, height: number): Sharp => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < width * height; i++) pixels[i * 3 + (i % width < width / 2 ? 0 : 2)] = 255
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Colors of pixels in 8 bits of a picture, as a viewer that knows nothing of EXIF and profiles shows them. */
async function pixelsOf(bytes: Uint8Array, ...places: readonly (readonly [x: number, y: number])[]): Promise<number[][]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return places.map(([x, y]) => [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels)])
}

describe('a resized picture', () => {
  test('has at most the pixels, the shape and the format of the original, and the same bytes each time', async () => {
    expect(await openCodec()).toBeNull()
    const originals = {
      'image/png': await halves(400, 300).png().toBuffer(),
      'image/jpeg': await halves(400, 300).jpeg().toBuffer(),
      'image/webp': await halves(400, 300).webp().toBuffer(),
    }
    for (const [mediaType, bytes] of Object.entries(originals)) {
      const first = await resizePicture(bytes, 30_000)
      expect(first).toMatchObject({ mediaType, width: 200, height: 150 })
      expect(hashOf((await resizePicture(bytes, 30_000)).bytes)).toBe(hashOf(first.bytes))
      const [left = [], right = []] = await pixelsOf(first.bytes, [20, 75], [180, 75])
      expect([(left[0] ?? 0) > 240, (left[2] ?? 255) < 15, (right[0] ?? 255) < 15, (right[2] ?? 0) > 240]).toEqual([true, true, true, true])
    }
  })

  test('stands upright and holds no metadata, where EXIF asked for a turn', async () => {
    const turned = await halves(400, 200)
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const made = await resizePicture(turned, 20_000)
    expect(made).toMatchObject({ width: 100, height: 200 })
    // Turned to the right: what was left is above.
    const [above = [], below = []] = await pixelsOf(made.bytes, [50, 20], [50, 180])
    expect([(above[0] ?? 0) > 240, (below[2] ?? 0) > 240]).toEqual([true, true])
    const { exif, orientation, icc } = await sharp(made.bytes).metadata()
    expect({ exif, orientation, icc }).toEqual({ exif: undefined, orientation: undefined, icc: undefined })
  })

  test('is the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(64 * 64 * 3, Buffer.from([255, 0, 0])), Buffer.alloc(64 * 64 * 3, Buffer.from([0, 0, 255]))])
    const animation = (): Sharp => sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    for (const [bytes, mediaType] of [
      [
        await animation()
          .gif({ delay: [100, 100], loop: 0 })
          .toBuffer(),
        'image/png',
      ],
      [
        await animation()
          .webp({ lossless: true, delay: [100, 100], loop: 0 })
          .toBuffer(),
        'image/webp',
      ],
    ] as const) {
      expect((await sharp(bytes).metadata()).pages).toBe(2)
      const made = await resizePicture(bytes, 1024)
      expect(made).toMatchObject({ mediaType, width: 32, height: 32 })
      const [pixel = []] = await pixelsOf(made.bytes, [16, 16])
      expect([(pixel[0] ?? 0) > 240, (pixel[2] ?? 255) < 15]).toEqual([true, true])
    }
  })

  test('has the colors of the original in CMYK, in 16 bits and with transparency', async () => {
    const cmyk = await halves(100, 100).toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const fromCmyk = await resizePicture(cmyk, 2500)
    expect((await sharp(fromCmyk.bytes).metadata()).space).toBe('srgb')
    const [red = []] = await pixelsOf(fromCmyk.bytes, [10, 25])
    expect([(red[0] ?? 0) > 180, (red[2] ?? 255) < 90]).toEqual([true, true])

    // A middle gray, which a decoder that cuts off 8 bits of 16 the wrong way makes white.
    const deep = await sharp(new Uint16Array(100 * 100 * 3).fill(0x8000), { raw: { width: 100, height: 100, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    const [gray = []] = await pixelsOf((await resizePicture(deep, 2500)).bytes, [10, 10])
    expect(gray.every(value => Math.abs(value - 128) < 4)).toBe(true)

    const clear = await sharp({ create: { width: 100, height: 100, channels: 4, background: { r: 0, g: 200, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer()
    expect(await pixelsOf((await resizePicture(clear, 2500)).bytes, [10, 10])).toEqual([[0, 199, 0, 128]])
  })

  test('may be a dot or a line', async () => {
    expect(await resizePicture(makePng([1, 2, 3], { width: 1, height: 1 }), 256)).toMatchObject({ width: 1, height: 1 })
    expect(await resizePicture(makePng([1, 2, 3], { width: 30_000, height: 1 }), 256)).toMatchObject({ width: 256, height: 1 })
    expect(await resizePicture(makePng([1, 2, 3], { width: 1, height: 30_000 }), 1)).toMatchObject({ width: 1, height: 1 })
  })

  test('is refused for bytes that are cut off, a bomb, a drawing or an address', async () => {
    const whole = await halves(400, 300).png().toBuffer()
    const photo = await halves(400, 300).jpeg().toBuffer()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    for (const bytes of [
      whole.subarray(0, whole.length - 200),
      photo.subarray(0, photo.length / 2),
      makeBomb(60_000, 60_000),
      Buffer.from(svg),
      // Begins like a picture.
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]),
      Buffer.from('https://example.com/a.png'),
    ])
      await expect(resizePicture(bytes, 2500)).rejects.toThrow(/^(The picture cannot be decoded|The file is no PNG)/)
  })
})

test('a thumbnail is a WebP picture of at most the side, never larger than its original', async () => {
  expect(await thumbnailOf(await halves(400, 300).jpeg().toBuffer(), 128)).toMatchObject({
    mediaType: 'image/webp',
    width: 128,
    height: 96,
  })
  expect(await thumbnailOf(makePng([1, 2, 3]), 128)).toMatchObject({ mediaType: 'image/webp', width: 8, height: 8 })
})

test('no thumbnail is made of an interlaced picture of more than 200 MB once decoded, by its header alone', async () => {
  const header = (width: number, depth: number, interlaced: 0 | 1) => {
    const png = makePng([0, 0, 0])
    png.writeUInt32BE(width, 16)
    png.writeUInt32BE(width, 20)
    png.set([depth, 6, 0, 0, interlaced], 24)
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
    return png
  }
  await expect(thumbnailOf(header(7000, 16, 1), 128)).rejects.toThrow('it is interlaced and has 392 MB once decoded; at most 200 MB')
  // Read by rows, or small enough: what is wrong with these is that they end too soon.
  await expect(thumbnailOf(header(7000, 16, 0), 128)).rejects.not.toThrow('interlaced')
  await expect(thumbnailOf(header(2000, 16, 1), 128)).rejects.not.toThrow('interlaced')
})

test('decoders that are not for stored pictures run in no thread, once the codec is opened in this one', async () => {
  expect(await openCodec()).toBeNull()
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const sharp = require('sharp')
     const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
     const told = made => made.then(() => 'made', error => error.message)
     const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
     picture.png().toBuffer()
       .then(png => Promise.all([told(sharp(drawing).toBuffer()), told(sharp(png).toBuffer())]))
       .then(answers => parentPort.postMessage(answers))`,
    { eval: true },
  )
  const [answers] = await once(thread, 'message')
  await thread.terminate()
  expect(answers).toEqual([expect.stringContaining('unsupported image format'), 'made'])
})
