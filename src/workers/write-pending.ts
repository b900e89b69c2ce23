import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { PendingFile } from '../engine/importing/media/media-intake.ts'
import type { MediaBytes, MediaFiles } from '../storage/media-files.ts'

/** Bytes that are in memory at once, where they are read again to be written. */
const mostAtOnce = 64 * 1024 * 1024

/** Stores the files of an import, before any row refers to them. @returns what they are */
export async function writePending(pending: readonly PendingFile[], files: MediaFiles): Promise<MediaFile[]> {
  for (let from = 0, to = 0; from < pending.length; from = to) {
    const batch: MediaBytes[] = []
    for (let held = 0; to < pending.length && held < mostAtOnce; to++) {
      const { file, bytes } = pending[to] ?? {}
      if (!file || !bytes) continue
      batch.push({ digest: file.digest.slice('sha256:'.length), bytes: bytes() })
      held += file.bytes
    }
    await files.write(batch)
  }
  return pending.map(({ file }) => file)
}
