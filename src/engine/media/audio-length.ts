/** Milliseconds of a recording, from its header and its real size; null where they do not tell. */
export function audioMs(
  type: 'audio/wav' | 'audio/mpeg' | 'audio/flac',
  bytes: Buffer,
): { readonly duration_ms: number | null; readonly cautions: readonly string[] } {
  return type === 'audio/wav' ? wav(bytes) : type === 'audio/flac' ? flac(bytes) : mp3(bytes)
}

/** Where a tag of ID3 at the beginning ends; 0 without one. */
export function tagEnd(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0
  return 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0)
}

/** Parts before the sound that are passed over: a file may be nothing but empty ones. */
const mostParts = 10_000

const unknown = (caution: string) => ({ duration_ms: null, cautions: [caution] })

/** RIFF chunks; the length that the header states counts no further than the file. */
function wav(bytes: Buffer): ReturnType<typeof audioMs> {
  let bytesPerSecond = 0
  for (let at = 12, parts = 0; at + 8 <= bytes.length && parts < mostParts; parts++) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16)
    if (name === 'data') {
      if (bytesPerSecond === 0) return unknown('Its header states no bytes per second, so that its length is unknown.')
      const there = Math.min(size, bytes.length - at - 8)
      // Programs that write to a pipe cannot know the length and state the largest number.
      const lies = there < size && size < 0xffff_ff00
      return {
        duration_ms: Math.round((there / bytesPerSecond) * 1000),
        cautions: lies
          ? [`Its header states ${size.toLocaleString('en')} bytes of sound; the file holds ${there.toLocaleString('en')}.`]
          : [],
      }
    }
    at += 8 + size + (size % 2)
  }
  return unknown('It has no sound data.')
}

/** STREAMINFO, which comes first: 20 bits of sample rate, 36 bits of samples. */
function flac(file: Buffer): ReturnType<typeof audioMs> {
  const bytes = file.subarray(tagEnd(file))
  if (bytes.length < 26 || ((bytes[4] ?? 0) & 0x7f) !== 0) return unknown('Its header is damaged.')
  const rate = bytes.readUIntBE(18, 3) >> 4
  const samples = ((bytes[21] ?? 0) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  return rate === 0 || samples === 0
    ? unknown('Its header states no length.')
    : { duration_ms: Math.round((samples / rate) * 1000), cautions: [] }
}

const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const sampleRates = [44_100, 48_000, 32_000] as const

/** The first frame of layer III, with the frame count of a Xing, Info or VBRI header where there is one; else as of constant bit rate. */
function mp3(bytes: Buffer): ReturnType<typeof audioMs> {
  const from = tagEnd(bytes)
  for (let at = from; at + 4 <= Math.min(bytes.length, from + 65_536); at++) {
    if (bytes[at] !== 0xff) continue
    const b = bytes[at + 1] ?? 0
    const c = bytes[at + 2] ?? 0
    if ((b & 0xe6) !== 0xe2 || (b & 0x18) === 0x08) continue
    const version = (b >> 3) & 3
    const kbps = bitRates[version === 3 ? 1 : 2][c >> 4] ?? 0
    const base = sampleRates[((c >> 2) & 3) as 0 | 1 | 2] // two bits; 3 has no rate
    if (kbps === 0 || base === undefined) continue
    const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4
    const frames = frameCount(bytes, at)
    const perFrame = version === 3 ? 1152 : 576
    const seconds = frames === null ? ((bytes.length - at) * 8) / (kbps * 1000) : (frames * perFrame) / rate
    return { duration_ms: Math.round(seconds * 1000), cautions: [] }
  }
  return unknown('No sound was found behind its tags.')
}

function frameCount(bytes: Buffer, at: number): number | null {
  const head = bytes.subarray(at, at + 200)
  const xing = ['Xing', 'Info'].map(name => head.indexOf(name, 0, 'latin1')).find(found => found > 0)
  if (xing !== undefined && xing + 12 <= head.length && (head.readUInt32BE(xing + 4) & 1) === 1) return head.readUInt32BE(xing + 8)
  const vbri = head.indexOf('VBRI', 0, 'latin1')
  return vbri > 0 && vbri + 18 <= head.length ? head.readUInt32BE(vbri + 14) : null
}
