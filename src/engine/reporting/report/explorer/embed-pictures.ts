import { dataIsland, islandJson } from '../data-island.ts'
import type { ReadMedia } from '../report-sample.ts'
import type { ExplorerPictureData } from './explorer-data.ts'

/** Bytes in base64 of all pictures of a report together, and of one. */
export const pictureBudgetBytes = 20_000_000
export const mostPictureBytes = 2_000_000

interface EmbeddedPictures {
  readonly islands: readonly string[]
  /** Pictures that the transcripts show. */
  readonly shown: number
}

/** The bytes of pictures as they are stored, in their order while they fit. */
export async function embedPictures(digests: readonly string[], read: ReadMedia): Promise<EmbeddedPictures> {
  const islands: string[] = []
  let left = pictureBudgetBytes
  for (const digest of digests) {
    const picture = await read(digest)
    if (!picture) continue
    const base64 = Buffer.from(picture.bytes.buffer, picture.bytes.byteOffset, picture.bytes.byteLength).toString('base64')
    if (base64.length > mostPictureBytes || base64.length > left) continue
    left -= base64.length
    const data: ExplorerPictureData = { type: picture.mediaType, base64 }
    islands.push(dataIsland(`id="media-${digest.replace(/^sha256:/, '')}"`, islandJson(data)))
  }
  return { islands, shown: digests.length }
}
