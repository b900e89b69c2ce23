import { z } from 'zod'
import { MediaDigest } from '../messages/messages.schemas.ts'
import { named } from '../primitives.ts'

/** Bytes of one file. */
export const mostMediaBytes = 20_000_000

/** Bytes of an archive that is imported or that an export makes for an import: packed as a whole, and of its files together. */
export const mostArchiveBytes = 2_000_000_000
/** Files of such an archive. */
export const mostArchiveFiles = 200_000

/** Types of files that are stored, as their bytes tell them. */
export const mediaTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'audio/wav',
  'audio/mpeg',
  'audio/flac',
  'application/pdf',
] as const

export const MediaType = z.enum(mediaTypes).describe('Told by the bytes, whatever the file is called.')
export type MediaType = z.infer<typeof MediaType>

export const mediaEndings: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'application/pdf': 'pdf',
}

/** A stored image, recording or document. The same bytes are stored once. */
export const MediaFile = named('MediaFile', {
  digest: MediaDigest,
  media_type: MediaType,
  bytes: z.int().min(1),
  width: z.int().min(1).nullable().describe('Pixels as the header states them, before any turn that EXIF asks for; null for other media.'),
  height: z.int().min(1).nullable(),
  duration_ms: z
    .int()
    .min(0)
    .nullable()
    .describe('Of audio, from its header and size; null where that does not tell, and for other media.'),
  pages: z.int().min(1).nullable().describe('Of a PDF; null where its page tree cannot be read, and for other media.'),
  cautions: z.array(z.string()).describe('What is unusual about the file, such as a position in EXIF or a missing end.'),
})
export type MediaFile = z.infer<typeof MediaFile>
