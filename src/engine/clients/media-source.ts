import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import type { CountedFile } from './tokens/media-tokens.ts'

/** A stored media file. */
export interface MediaFile {
  readonly bytes: Uint8Array
  /** By its bytes, e.g. `image/png`. */
  readonly mediaType: string
  /** Of the bytes, where they are not those that were asked for: a resized image. */
  readonly digest?: MediaDigest
}

/** Where clients and readers of transcripts get the bytes of media. */
export interface MediaSource {
  /**
   * @param maxImagePixels an image with more is resized
   * @param room memory for so many bytes or more, in which they may be answered; the source then keeps none of it
   * @throws MediaMissingError where there is no such file; NotResizedError where it cannot be resized
   */
  read(digest: MediaDigest, maxImagePixels?: number, room?: (bytes: number) => Buffer): Promise<MediaFile>
  /** What files are as `read` answers them, without those that are missing; absent where only bytes can be had. */
  facts?(digests: readonly MediaDigest[], maxImagePixels?: number): ReadonlyMap<string, CountedFile>
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

/** An image that is too large and cannot be made smaller, so that it is not sent. */
export class NotResizedError extends Error {
  override readonly name = 'NotResizedError'
}

/** More files than one request is made of. */
export class MediaTooLargeError extends Error {
  override readonly name = 'MediaTooLargeError'
}

/** For places without media files. */
export const noMedia: MediaSource = { read: digest => Promise.reject(new MediaMissingError(digest)) }
