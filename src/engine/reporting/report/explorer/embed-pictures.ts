import { dataIsland, islandJson } from '../data-island.ts'
import type { ReadMedia } from '../report-sample.ts'
import type { ExplorerPictureData } from './explorer-data.ts'

/** Bytes in base64 of all pictures of a report together. */
export const pictureBudgetBytes = 20_000_000
/** Pixels of a thumbnail's longer side. */
export const thumbnailSide = 512

interface EmbeddedPictures {
  readonly islands: readonly string[]
  /** Pictures that the transcripts show. */
  readonly shown: number
}

/** Thumbnails in their order, as many as fit. @param thumbnail null for a picture that is missing or cannot be decoded */
export async function embedPictures(digests: readonly string[], thumbnail: ReadMedia): Promise<EmbeddedPictures> {
  const islands: string[] = []
  let left = pictureBudgetBytes
  for (const digest of digests) {
    const picture = await thumbnail(digest)
    if (!picture) continue
    const base64 = Buffer.from(picture.bytes.buffer, picture.bytes.byteOffset, picture.bytes.byteLength).toString('base64')
    if (base64.length > left) break
    left -= base64.length
    const data: ExplorerPictureData = { type: picture.mediaType, base64 }
    islands.push(dataIsland(`id="media-${digest.replace(/^sha256:/, '')}"`, islandJson(data)))
  }
  return { islands, shown: digests.length }
}
