import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { MediaFault } from '../engine/media/media-fault.ts'
import { type MadePicture, resizePicture, thumbnailOf } from './picture-codec.ts'

export type PictureTask =
  /** A file of the media store. */
  | { readonly kind: 'resize'; readonly path: string; readonly maxPixels: number }
  | { readonly kind: 'thumbnail'; readonly path: string; readonly maxSide: number }

export type PictureAnswer =
  | ({ readonly ok: true } & (MadePicture & { readonly digest: string }))
  | { readonly ok: false; readonly reason: string }

/** Makes a picture of a stored one. Decoders read what others made, so that this is a thread of its own, with limits. */
export default async function makePicture(task: PictureTask): Promise<PictureAnswer> {
  try {
    const bytes = await readFile(task.path)
    const made = task.kind === 'resize' ? await resizePicture(bytes, task.maxPixels) : await thumbnailOf(bytes, task.maxSide)
    return { ok: true, ...made, digest: createHash('sha256').update(made.bytes).digest('hex') }
  } catch (error) {
    if (error instanceof MediaFault) return { ok: false, reason: error.message }
    throw error
  }
}
