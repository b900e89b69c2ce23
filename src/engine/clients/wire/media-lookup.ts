import { randomUUID } from 'node:crypto'
import { type MediaDigest, mediaIn, type MediaPart } from '../../../contract/messages/messages.schemas.ts'
import type { MediaSource } from '../media-source.ts'
import type { Turn } from '../model-client.ts'
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
  /** A body as JSON with the bytes of its media: they are copied into it, and never part of a text that is searched or escaped. */
  encode(body: unknown): Buffer
  /** The body as transcripts keep it. @param request what was encoded last */
  condense(request: Uint8Array): Uint8Array
}

/** Characters of a SHA-256 in hexadecimal. */
const hexLength = 64

/** Reads all media of a request, each once. @throws MediaMissingError */
export async function readMedia(turns: readonly Turn[], source: MediaSource): Promise<ReadMedia> {
  // Nothing that people or models write holds it.
  const mark = `media-${randomUUID()}-`
  const files = new Map<MediaDigest, { readonly base64: string; readonly mediaType: string }>()
  const withParts = turns.filter(({ content }) => Array.isArray(content))
  for (const digest of mediaIn(withParts)) {
    const { bytes, mediaType } = await source.read(digest)
    files.set(digest, { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), mediaType })
  }
  let last: { readonly whole: Buffer; readonly texts: readonly Buffer[]; readonly digests: readonly MediaDigest[] } | null = null
  return {
    types: [...files.values()].map(({ mediaType }) => mediaType),
    lookup: ({ media }) => {
      const file = files.get(media)
      if (!file) throw new RangeError(`The media file ${media} was not read.`)
      return { base64: `${mark}${media.slice(-hexLength)}`, mediaType: file.mediaType }
    },
    encode: body => {
      const [first = '', ...others] = JSON.stringify(body).split(mark)
      const digests = others.map((text): MediaDigest => `sha256:${text.slice(0, hexLength)}`)
      const texts = [first, ...others.map(text => text.slice(hexLength))].map(text => Buffer.from(text))
      const media = digests.map(digest => files.get(digest)?.base64 ?? '')
      const lengths = [...texts, ...media].map(({ length }) => length)
      const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0))
      let at = 0
      for (const [i, text] of texts.entries()) {
        at += text.copy(whole, at)
        at += whole.write(media[i] ?? '', at, 'latin1')
      }
      last = { whole, texts, digests }
      return whole
    },
    condense: request => {
      // What was sent otherwise is kept whole.
      if (last === null || last.digests.length === 0 || (last.whole !== request && !last.whole.equals(request))) return request
      return condensedRequest(last)
    },
  }
}

export const dataUri = ({ base64, mediaType }: EncodedMedia): string => `data:${mediaType};base64,${base64}`

/** What OpenAI calls a recording's format. */
export const audioFormat = (mediaType: string): string => (mediaType === 'audio/mpeg' ? 'mp3' : mediaType.slice('audio/'.length))
