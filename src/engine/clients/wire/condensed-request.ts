import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { MediaSource } from '../media-source.ts'

/**
 * A request body without the base64 of its media, as transcripts keep it: a zero byte, which no JSON begins with; the length of a header
 * in JSON (four bytes, little-endian); the header; the body with nothing where base64 stood. The header has the SHA-256 of the whole body
 * and the places of the media, in bytes of the body that is kept; a resized image is followed by the one that it was made of.
 */
const mark = 0

const Header = z.object({
  sha256: z.string(),
  media: z.array(z.union([z.tuple([z.int().min(0), z.string()]), z.tuple([z.int().min(0), z.string(), z.string()])])),
})

/**
 * @param texts what is around the media of the body, whose digests are `digests` in their order
 * @param originals what resized images were made of
 */
export function condensedRequest({
  whole,
  texts,
  digests,
  originals,
}: {
  readonly whole: Uint8Array
  readonly texts: readonly Buffer[]
  readonly digests: readonly string[]
  readonly originals: ReadonlyMap<string, string>
}): Uint8Array {
  let length = 0
  const media = digests.map((digest, i): z.infer<typeof Header>['media'][number] => {
    length += texts[i]?.length ?? 0
    const original = originals.get(digest)
    return original === undefined ? [length, digest] : [length, digest, original]
  })
  const header = Buffer.from(JSON.stringify({ sha256: sha256(whole), media } satisfies z.infer<typeof Header>))
  const length4 = Buffer.alloc(5)
  length4.writeUInt8(mark, 0)
  length4.writeUInt32LE(header.length, 1)
  return Buffer.concat([length4, header, ...texts])
}

/** A request of a transcript whose media are missing, or that has changed. */
export class RequestNotRestoredError extends Error {
  override readonly name = 'RequestNotRestoredError'
}

/**
 * The body byte for byte; one that has no media, as it is.
 * @throws MediaMissingError where a file is not stored; RequestNotRestoredError where the body's digest differs
 */
export async function restoreRequest(kept: Uint8Array, source: MediaSource): Promise<Uint8Array> {
  const condensed = readCondensed(kept)
  if (!condensed) return kept
  const { header, body } = condensed
  const files = new Map<string, Buffer>()
  for (const [, digest] of header.media) {
    if (!files.has(digest)) files.set(digest, Buffer.from(Buffer.from((await source.read(digest)).bytes).toString('base64'), 'latin1'))
  }
  const whole = filled(condensed, ([, digest]) => files.get(digest) ?? Buffer.alloc(0))
  if (sha256(whole) !== header.sha256)
    throw new RequestNotRestoredError(`The request has changed since it was sent: ${body.length} bytes were kept.`)
  return whole
}

/** The body with the digests of its media in their places, for readers that do not need the bytes. */
export function describeRequest(kept: Uint8Array): Uint8Array {
  const condensed = readCondensed(kept)
  if (!condensed) return kept
  return filled(condensed, ([, digest, original]) => Buffer.from(original === undefined ? digest : `${digest} resized from ${original}`))
}

interface Condensed {
  readonly header: z.infer<typeof Header>
  readonly body: Buffer
}

function readCondensed(kept: Uint8Array): Condensed | null {
  if (kept[0] !== mark) return null
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const end = 5 + bytes.readUInt32LE(1)
  return { header: Header.parse(JSON.parse(bytes.toString('utf8', 5, end))), body: bytes.subarray(end) }
}

function filled({ header, body }: Condensed, contentOf: (place: Condensed['header']['media'][number]) => Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (const place of header.media) {
    parts.push(body.subarray(from, place[0]), contentOf(place))
    from = place[0]
  }
  return Buffer.concat([...parts, body.subarray(from)])
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
