import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inspectMedia } from '../../../../src/engine/media/inspect-media.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'
import { makeBomb, makeExif, makeJpeg, makePdf, makePng, makeWav } from '../../../support/media.ts'

const facts = (bytes: Uint8Array, stated?: string) => inspectMedia(bytes, stated ?? null)
const red = [255, 0, 0] as const

describe('inspectMedia', () => {
  test('tells type, dimensions and digest of a PNG', () => {
    expect(facts(makePng(red, { width: 12, height: 7 }))).toMatchObject({
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      media_type: 'image/png',
      width: 12,
      height: 7,
      duration_ms: null,
      cautions: [],
    })
  })

  test('tells the dimensions of JPEG, GIF and all forms of WebP', () => {
    expect(facts(makeJpeg(640, 480))).toMatchObject({ media_type: 'image/jpeg', width: 640, height: 480, cautions: [] })
    const gif = Buffer.from('GIF89a\x0a\x00\x05\x00\x00\x00\x00;', 'latin1')
    expect(facts(gif)).toMatchObject({ media_type: 'image/gif', width: 10, height: 5 })
    const webp = (chunk: Buffer) => {
      const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
      head.writeUInt32LE(chunk.length + 4, 4)
      return Buffer.concat([head, chunk])
    }
    const lossless = Buffer.from('VP8L\x05\0\0\0\x2f\x3f\xc0\x0f\0\0\0\0\0\0', 'latin1')
    expect(facts(webp(lossless))).toMatchObject({ width: 64, height: 64 })
    const lossy = Buffer.from('VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x20\0\x10\0\0\0', 'latin1')
    expect(facts(webp(lossy))).toMatchObject({ width: 32, height: 16 })
    const extended = Buffer.from('VP8X\x0a\0\0\0\x02\0\0\0\x1f\0\0\x0f\0\0', 'latin1')
    expect(facts(webp(extended))).toMatchObject({
      media_type: 'image/webp',
      width: 32,
      height: 16,
      cautions: [expect.stringContaining('animated')],
    })
  })

  test('says what it is that it does not take', () => {
    const refused = (text: string) => {
      try {
        return facts(Buffer.from(text, 'latin1')).media_type
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    }
    expect(refused('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')).toContain('SVG drawing')
    expect(refused('<?xml version="1.0"?>\n<svg/>')).toContain('SVG drawing')
    expect(refused('<!DOCTYPE html><script>alert(1)</script>')).toContain('a web page')
    expect(refused('\0\0\0\x18ftypheic')).toContain('HEIC')
    expect(refused('\0\0\0\x18ftypmp42')).toContain('a video')
    expect(refused('version https://git-lfs.github.com/spec/v1\n')).toContain('Git LFS pointer')
    expect(refused('')).toContain('empty')
  })

  test('takes a file that is PNG and web page at once for the PNG that its first bytes say', () => {
    const polyglot = Buffer.concat([makePng(red), Buffer.from('<script>alert(1)</script>')])
    expect(facts(polyglot)).toMatchObject({ media_type: 'image/png' })
    expect(() => facts(Buffer.concat([Buffer.from('<!doctype html>'), makePng(red)]))).toThrow('a web page')
  })

  test('refuses 60,000 × 60,000 pixels in a few kilobytes by their header', () => {
    const bomb = makeBomb(60_000, 60_000)
    expect(bomb.length).toBeLessThan(4096)
    expect(() => facts(bomb)).toThrow('60,000 × 60,000 pixels; at most 50 megapixels')
    expect(() => facts(makePng(red).subarray(0, 20))).toThrow('the file is damaged')
  })

  test('warns of a position in EXIF, of a turn and of a missing end', () => {
    expect(facts(makeJpeg(8, 8, makeExif({ position: true }))).cautions).toEqual([expect.stringContaining('EXIF position')])
    expect(facts(makePng(red, { extra: [['eXIf', makeExif({ position: true, orientation: 6 })]] })).cautions).toEqual([
      expect.stringContaining('EXIF position'),
      expect.stringContaining('turned'),
    ])
    expect(facts(makePng(red).subarray(0, -12)).cautions).toEqual([expect.stringContaining('cut off')])
    const damaged = (at: number) => {
      const png = Buffer.from(makePng(red, { extra: [['tEXt', Buffer.from('a\0b')]] }))
      png.writeUInt8(png.readUInt8(at) ^ 1, at)
      return facts(png).cautions
    }
    const text = 33 + 8
    expect(damaged(text)).toEqual([])
    // The length of the data, and the data.
    for (const at of [text + 7, text + 7 + 12]) expect(damaged(at)).toEqual([expect.stringContaining('It is damaged')])
  })

  test('reads no further than the file where EXIF states more', () => {
    const exif = makeExif({ position: true })
    exif.writeUInt16LE(0xffff, 8)
    exif.writeUInt32LE(0xffff_fff0, 4)
    expect(facts(makeJpeg(8, 8, exif)).width).toBe(8)
    const endless = Buffer.concat([Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1'), Buffer.alloc(200_000, 0xff)])
    expect(facts(makePng(red, { extra: [['eXIf', endless]] })).width).toBe(8)
  })

  test('tells a stated type that the bytes contradict', () => {
    expect(facts(makePng(red), 'image/jpeg').cautions).toEqual(['It is stated to be image/jpeg, but its bytes are image/png.'])
    expect(facts(makeJpeg(8, 8), 'image/jpg').cautions).toEqual([])
  })

  test('takes the length of a WAV from its real size where the header lies', () => {
    expect(facts(makeWav(200))).toMatchObject({ media_type: 'audio/wav', duration_ms: 200, cautions: [] })
    expect(facts(makeWav(200, 16_000, 1_000_000))).toMatchObject({
      duration_ms: 200,
      cautions: [expect.stringContaining('1,000,000 bytes')],
    })
    expect(facts(makeWav(200, 16_000, 0xffff_ffff))).toMatchObject({ duration_ms: 200, cautions: [] })
    expect(facts(makeWav(200, 0))).toMatchObject({ duration_ms: null, cautions: [expect.stringContaining('bytes per second')] })
  })

  test('tells the length of MP3 of constant and variable bit rate and of FLAC', () => {
    const frame = Buffer.alloc(417)
    frame.set([0xff, 0xfb, 0x90, 0x64])
    const constant = Buffer.concat(Array.from({ length: 100 }, () => frame))
    expect(facts(constant)).toMatchObject({ media_type: 'audio/mpeg', duration_ms: Math.round((41_700 * 8) / 128) })
    const first = Buffer.from(frame)
    first.write('Xing', 36, 'latin1')
    first.writeUInt32BE(1, 40)
    first.writeUInt32BE(1000, 44)
    expect(facts(Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05abcde', 'latin1'), first, constant]))).toMatchObject({
      media_type: 'audio/mpeg',
      duration_ms: Math.round((1000 * 1152 * 1000) / 44_100),
    })
    const info = Buffer.alloc(42)
    info.write('fLaC', 'latin1')
    info.writeUIntBE(16_000 << 4, 18, 3)
    info.writeUInt32BE(8000, 22)
    expect(facts(info)).toMatchObject({ media_type: 'audio/flac', duration_ms: 500 })
  })

  test('counts the pages of a PDF, plain or in an object stream, and warns of JavaScript', () => {
    expect(facts(makePdf(3))).toMatchObject({ media_type: 'application/pdf', pages: 3, cautions: [] })
    expect(facts(makePdf(1, '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ')).cautions).toEqual([
      expect.stringContaining('JavaScript'),
    ])
    const packed = deflateSync(Buffer.from('2 0 << /Type /Pages /Kids [] /Count 12 >>'))
    const stream = Buffer.concat([
      Buffer.from('%PDF-1.7\n5 0 obj\n<< /Type /ObjStm /N 1 >>\nstream\n'),
      packed,
      Buffer.from('\nendstream\n%%EOF'),
    ])
    expect(facts(stream)).toMatchObject({ pages: 12 })
    const root = '%PDF-1.4\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 99999999999>>endobj'
    for (const child of ['', '\n3 0 obj<</Type/Pages/Parent 2 0 R/Count 3>>endobj'])
      expect(facts(Buffer.from(root + child))).toMatchObject({ pages: null })
    const bomb = deflateSync(Buffer.alloc(50_000_000))
    expect(facts(Buffer.concat([Buffer.from('%PDF-1.7\n<< /Type /ObjStm >>\nstream\n'), bomb, Buffer.from('\nendstream')]))).toMatchObject({
      pages: null,
    })
  })

  const broken = deflateSync(Buffer.alloc(4_000_000)).subarray(0, -1)
  test.each<[string, Buffer]>([
    ['object streams that never begin', Buffer.from('/ObjStm')],
    ['object streams that never end', Buffer.from('/ObjStm stream ')],
    [
      'object streams that are bombs',
      Buffer.concat([Buffer.from('/ObjStm stream\n'), deflateSync(Buffer.alloc(5_000_000)), Buffer.from('endstream ')]),
    ],
    [
      'object streams that fail after they were unpacked',
      Buffer.concat([Buffer.from('/ObjStm stream\n'), broken, Buffer.from('endstream ')]),
    ],
    [
      'object streams full of nodes',
      Buffer.concat([Buffer.from('/ObjStm stream\n'), deflateSync(Buffer.from('/Type/Pages '.repeat(2000))), Buffer.from('endstream ')]),
    ],
    ['counts without nodes', Buffer.from('/Count 1 ')],
    ['nodes without counts', Buffer.from('/Type/Pages ')],
    ['references without an end', Buffer.from('/Type/XRef ')],
  ])('reads a PDF of nothing but %s in time that grows with its bytes', async (_, piece) => {
    const pieces = Math.ceil(3_000_000 / piece.length)
    const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), ...Array.from({ length: pieces }, () => piece)])
    let found: unknown
    const took = await cpuMsOf(() => (found = facts(file)))
    expect(found).toMatchObject({ media_type: 'application/pdf' })
    expect(took).toBeLessThan(500 * slowness())
  })
  test.each([
    ['WAV', 'audio/wav', 'RIFF0000WAVE', Buffer.from('junk\0\0\0\0')],
    ['PNG', 'image/png', `\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01${'\0'.repeat(9)}`, Buffer.from('\0\0\0\0tEXt\0\0\0\0')],
    ['WebP', 'image/webp', `RIFF0000WEBPVP8X\x0a\0\0\0${'\0'.repeat(10)}`, Buffer.from('junk\0\0\0\0')],
    ['JPEG', 'image/jpeg', '\xff\xd8\xff\xc0\0\x0b\x08\0\x01\0\x01\0\0', Buffer.from([0xff, 0xe0, 0, 2])],
  ])('looks through 60 MB of empty parts of a %s in no time to speak of', async (_, type, head, part) => {
    const parts = Buffer.alloc(60_000_000, part)
    const file = Buffer.concat([Buffer.from(head, 'latin1'), parts])
    let found: unknown
    const took = await cpuMsOf(() => (found = facts(file)))
    expect(found).toMatchObject({ media_type: type })
    expect(took).toBeLessThan(150 * slowness())
  })
})

test('says that a document is encrypted where its references say so, and nowhere else', () => {
  const isEncrypted = (text: string) =>
    inspectMedia(Buffer.from(`%PDF-1.7\n${text}`)).cautions.some(caution => caution.includes('encrypted'))
  expect(isEncrypted('trailer<</Root 1 0 R/Encrypt 9 0 R>>\nstartxref\n9\n%%EOF')).toBe(true)
  // Made to be read from its beginning: the references at its end are of the other pages alone.
  expect(
    isEncrypted(`trailer<</Root 1 0 R/Encrypt 9 0 R>>\nstartxref\n9\n${' '.repeat(5000)}trailer<</Size 9>>\nstartxref\n9\n%%EOF`),
  ).toBe(true)
  expect(isEncrypted('5 0 obj<</Length 30>>stream\n(What /Encrypt means)\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF')).toBe(false)
  expect(isEncrypted('trailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n(/Encrypt)')).toBe(false)
})

test('takes FLAC behind a tag of MP3 for what it is', () => {
  const facts = Buffer.alloc(34)
  // 44,100 samples a second, two channels of 16 bits, 3 s.
  facts.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | 132_300n, 10)
  const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), facts])
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x14', 'latin1'), Buffer.alloc(20)])
  expect(inspectMedia(Buffer.concat([tag, flac]))).toMatchObject({ media_type: 'audio/flac', duration_ms: 3000, cautions: [] })
  expect(inspectMedia(flac)).toMatchObject({ media_type: 'audio/flac', duration_ms: 3000 })
})
