import { invalidField } from '../../contract/errors.ts'
import { type MediaPart, messageLimits } from '../../contract/messages/messages.schemas.ts'
import { caseFiles } from '../../contract/tuning/case-input.ts'
import type { Media } from '../media/index.ts'
import type { PreparedEdits } from './edit-cases.ts'
import type { SessionRow } from './sessions.store.ts'

/**
 * Keeps the files of cases, which are shown and asked as long as the session is there; within the caller's transaction.
 * @throws ApiError validation_error for a file that the workspace does not have, and one of another kind
 */
export function keepCaseMedia(
  media: Pick<Media, 'find' | 'keep'>,
  { no: sessionNo, workspace_id: workspaceId }: SessionRow,
  { upsert, loc }: PreparedEdits,
): void {
  for (const [i, { given }] of upsert.entries()) {
    const { input } = given
    const at = [...loc, i, 'input']
    const parts = caseFiles(input)
    if (parts.length > messageLimits.media)
      throw invalidField(at, `has ${parts.length} media files; at most ${messageLimits.media} are allowed`)
    const files = parts.map(({ type, media: digest }) => {
      const file = media.find(workspaceId, digest)
      if (!file) throw invalidField(at, `names ${digest}, which this workspace does not have; upload it with POST /v1/media`)
      const kind = kindOf(file.media_type)
      if (kind !== type) throw invalidField(at, `names ${digest} as ${type}, and the file is ${file.media_type}; send it as ${kind}`)
      return file
    })
    if (files.length > 0) media.keep(workspaceId, { sessionNo }, files)
  }
}

function kindOf(mediaType: string): MediaPart['type'] {
  if (mediaType.startsWith('image/')) return 'image'
  return mediaType.startsWith('audio/') ? 'audio' : 'document'
}
