import { type MediaPart, mediaIn } from '../../../contract/index.ts'
import type { MediaSource } from '../media-source.ts'
import type { Turn } from '../model-client.ts'

/** A media file as providers take it. */
export interface EncodedMedia {
  /** Standard base64 in one line. */
  readonly base64: string
  /** By its bytes, e.g. `image/png`. */
  readonly mediaType: string
}

/** The bytes of a part that `readMedia` has read. */
export type MediaLookup = (part: Pick<MediaPart, 'media'>) => EncodedMedia

export interface ReadMedia {
  readonly lookup: MediaLookup
  /** By digest, each once. */
  readonly files: ReadonlyMap<string, EncodedMedia>
}

/** Reads all media of a request, each once. @throws MediaMissingError */
export async function readMedia(turns: readonly Turn[], source: MediaSource): Promise<ReadMedia> {
  const files = new Map<string, EncodedMedia>()
  const withParts = turns.filter(({ content }) => Array.isArray(content))
  for (const digest of mediaIn(withParts)) {
    const { bytes, mediaType } = await source.read(digest)
    files.set(digest, { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), mediaType })
  }
  return {
    files,
    lookup: ({ media }) => {
      const file = files.get(media)
      if (!file) throw new RangeError(`The media file ${media} was not read.`)
      return file
    },
  }
}

export const dataUri = ({ base64, mediaType }: EncodedMedia): string => `data:${mediaType};base64,${base64}`

/** What OpenAI calls a recording's format. */
export const audioFormat = (mediaType: string): string => (mediaType === 'audio/mpeg' ? 'mp3' : mediaType.slice('audio/'.length))
