import type { MediaType } from '../../contract/media/media.schemas.ts'
import type { Database } from '../database.ts'
import { createMediaFiles } from '../media-files.ts'
import { heldType } from './stored-media.ts'

/** Reads the files that a workspace has, by their digests with `sha256:`; null for any other. */
export function mediaReader(
  db: Database,
  dataDir: string,
  workspaceId: string,
): (digest: string) => Promise<{ readonly mediaType: MediaType; readonly bytes: Uint8Array } | null> {
  const files = createMediaFiles(dataDir)
  return async digest => {
    const hex = digest.slice('sha256:'.length)
    const mediaType = heldType(db, workspaceId, hex)
    return mediaType !== null && files.ensure(hex) ? { mediaType, bytes: await files.read(hex) } : null
  }
}
