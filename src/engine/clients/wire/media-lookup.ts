import { randomUUID } from 'node:crypto'
import { type MediaDigest, mediaIn, type MediaPart } from '../../../contract/messages/messages.schemas.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { type MediaSource, MediaTooLargeError } from '../media-source.ts'
import type { CallNote, ModelRequest } from '../model-client.ts'
import type { BytePool } from './byte-pool.ts'
import { condensedRequest } from './condensed-request.ts'

/** A media file as providers take it. */
export interface EncodedMedia {
  /** Stands for standard base64 in one line, which `encode` puts in its place. */
  readonly base64: string
  /** By its bytes, e.g. `image/png`. */
  readonly mediaType: string
}

/** A part that `readMedia` has read. */
export type MediaLookup = (part: Pick<MediaPart, 'media'>) => EncodedMedia

export interface ReadMedia {
  readonly lookup: MediaLookup
  /** Media types of the files, each file once. */
  readonly types: readonly string[]
  /** Images that were resized, each once. */
  readonly notes: readonly CallNote[]
  /** A body as JSON with the bytes of its media: they are copied into it, and never part of a text that is searched or escaped. Once. */
  encode(body: unknown): Buffer
  /** The body as transcripts keep it. @param request what was encoded */
  condense(request: Uint8Array): Uint8Array
  /** Lets the next call have the memory of what was encoded: it was sent whole, and is not read again. */
  release(): void
}

const nothing = Buffer.alloc(0)
/** Bytes that become one text, a multiple of three: a text of a whole picture outlives the collection of garbage that short ones die in. */
const stride = 24_576

/** @returns how many were written */
function writeBase64(bytes: Buffer, into: Buffer, at: number): number {
  let written = 0
  for (let from = 0; from < bytes.length; from += stride)
    written += into.write(bytes.toString('base64', from, Math.min(bytes.length, from + stride)), at + written, 'latin1')
  return written
}

/** Characters of a SHA-256 in hexadecimal. */
const hexLength = 64

/** Of a request without media. */
const noFiles: ReadMedia = {
  types: [],
  notes: [],
  lookup: ({ media }) => {
    throw new RangeError(`The media file ${media} was not read.`)
  },
  encode: body => Buffer.from(JSON.stringify(body)),
  condense: request => request,
  release: () => {},
}

/** Bytes of the files of one request, which is held in memory as long as it waits for its answer, and others beside it. */
const mostBytes = 100_000_000

/** Reads all media of a request, each once. @throws MediaMissingError, NotResizedError, MediaTooLargeError */
export async function readMedia(
  { messages: turns, maxImagePixels }: Pick<ModelRequest, 'messages' | 'maxImagePixels'>,
  source: MediaSource,
  pool: BytePool,
): Promise<ReadMedia> {
  const digests = mediaIn(turns.filter(({ content }) => Array.isArray(content)))
  if (digests.length === 0) return noFiles
  // Nothing that people or models write holds it.
  const mark = `media-${randomUUID()}-`
  const files = new Map<MediaDigest, { readonly bytes: Buffer; readonly mediaType: string; readonly sent: MediaDigest }>()
  const originals = new Map<MediaDigest, MediaDigest>()
  const lent: Buffer[] = []
  const room = (bytes: number): Buffer => {
    const buffer = pool.take(bytes)
    lent.push(buffer)
    return buffer
  }
  let total = 0
  for (const digest of digests) {
    const { bytes, mediaType, digest: sent = digest } = await source.read(digest, maxImagePixels, room)
    total += bytes.length
    if (total > mostBytes)
      throw new MediaTooLargeError(
        `The files of one request may have ${formatBytes(mostBytes)} together; these ${digests.length} have more. Show fewer or smaller ones.`,
      )
    files.set(digest, { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mediaType, sent })
    if (sent !== digest) originals.set(sent, digest)
  }
  let made: {
    readonly whole: Buffer
    readonly memory: Buffer
    readonly texts: readonly Buffer[]
    readonly digests: readonly MediaDigest[]
  } | null = null
  return {
    types: [...files.values()].map(({ mediaType }) => mediaType),
    notes: Array.from(originals, ([sent, digest]) => ({
      code: 'image_resized',
      message: `The image ${digest} was resized to at most ${(maxImagePixels ?? 0).toLocaleString('en')} pixels (max_image_pixels) and sent as ${sent}.`,
    })),
    lookup: ({ media }) => {
      const file = files.get(media)
      if (!file) throw new RangeError(`The media file ${media} was not read.`)
      return { base64: `${mark}${media.slice(-hexLength)}`, mediaType: file.mediaType }
    },
    encode: body => {
      if (made !== null) throw new Error('A body with media is encoded once.')
      const [first = '', ...others] = JSON.stringify(body).split(mark)
      const digests = others.map((text): MediaDigest => `sha256:${text.slice(0, hexLength)}`)
      const texts = [first, ...others.map(text => text.slice(hexLength))].map(text => Buffer.from(text))
      const media = digests.map(digest => files.get(digest)?.bytes ?? nothing)
      const lengths = [...texts.map(({ length }) => length), ...media.map(({ length }) => Math.ceil(length / 3) * 4)]
      const length = lengths.reduce((sum, one) => sum + one, 0)
      const memory = pool.take(length)
      const whole = memory.subarray(0, length)
      let at = 0
      for (const [i, text] of texts.entries()) {
        at += text.copy(whole, at)
        at += writeBase64(media[i] ?? nothing, whole, at)
      }
      for (const buffer of lent) pool.give(buffer)
      made = { whole, memory, texts, digests: digests.map(digest => files.get(digest)?.sent ?? digest) }
      return whole
    },
    condense: request => {
      // What was sent otherwise is kept whole.
      if (made === null || made.digests.length === 0 || (made.whole !== request && !made.whole.equals(request))) return request
      return condensedRequest({ ...made, originals })
    },
    release: () => {
      if (made) pool.give(made.memory)
    },
  }
}

export const dataUri = ({ base64, mediaType }: EncodedMedia): string => `data:${mediaType};base64,${base64}`

/** What OpenAI calls a recording's format. */
export const audioFormat = (mediaType: string): string => (mediaType === 'audio/mpeg' ? 'mp3' : mediaType.slice('audio/'.length))
