import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'

/** A stored media file. */
export interface MediaFile {
  readonly bytes: Uint8Array
  /** By its bytes, e.g. `image/png`. */
  readonly mediaType: string
}

/** Where clients and readers of transcripts get the bytes of media. */
export interface MediaSource {
  /** @throws MediaMissingError where there is no such file */
  read(digest: MediaDigest): Promise<MediaFile>
}

/** A media file that is referred to and not stored. */
export class MediaMissingError extends Error {
  override readonly name = 'MediaMissingError'

  readonly digest: MediaDigest

  constructor(digest: MediaDigest) {
    super(`The media file ${digest} is missing. Import its data again.`)
    this.digest = digest
  }
}

/** For places without media files. */
export const noMedia: MediaSource = { read: digest => Promise.reject(new MediaMissingError(digest)) }
