import { mediaEndings } from '../../../contract/media/media.schemas.ts'
import type { ZipWriter } from '../../archives/write-zip.ts'
import type { ReadMedia } from '../report/report-sample.ts'
import { sortedJson } from '../report/sorted-json.ts'

/**
 * The files of an export, in the order of their digests: each lies under `media/`, and `media.json` says where. `file` is null where it is
 * no longer stored.
 */
export async function addMedia(zip: ZipWriter, digests: ReadonlySet<string>, readMedia: ReadMedia): Promise<void> {
  const listed: object[] = []
  for (const digest of [...digests].toSorted()) {
    const media = await readMedia(digest)
    const file = media && `media/${digest.slice('sha256:'.length)}.${mediaEndings[media.mediaType]}`
    listed.push({ digest, file, media_type: media?.mediaType ?? null, bytes: media?.bytes.length ?? null })
    if (media && file) await zip.add(file, media.bytes)
  }
  await zip.add('media.json', `${sortedJson(listed)}\n`)
}
