import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { MediaFile, mediaTypes, mostMediaBytes } from './media.schemas.ts'

export const mediaEndpoints = endpoints('Media', {
  uploadMedia: {
    route: 'POST /v1/media',
    summary: 'Store an image, a recording or a document',
    description:
      'One `file` part of at most 20 MB: PNG, JPEG, WebP, GIF, WAV, MP3, FLAC or PDF, told by its bytes. Images of more than 50 megapixels are refused. The same bytes return the same digest. A file that nothing uses is removed after 7 days, and a workspace holds at most 4 GB of those. Uploads are refused while the disk is nearly full.',
    scope: 'media:write',
    status: 201,
    kind: 'upload',
    // A file is held in memory until its end is known.
    computes: true,
    idempotent: 'own',
    maxBody: mostMediaBytes,
    response: MediaFile,
    errors: ['payload_too_large', 'conflict', 'unavailable'],
  },
  getMedia: {
    route: 'GET /v1/media/{digest}',
    summary: 'Read a stored image, recording or document',
    description:
      'The bytes as they were stored, sandboxed and never sniffed; documents as a download. Only media that this workspace uploaded or imported. `Range` works.',
    scope: 'media:read',
    kind: 'file',
    files: mediaTypes,
    params: z.strictObject({ digest: z.string().min(1).max(100).describe('`sha256:` and 64 hexadecimal digits.') }),
  },
  getMediaThumbnail: {
    route: 'GET /v1/media/{digest}/thumbnail',
    summary: 'Read a small picture of a stored image',
    description:
      'WebP, upright, the first frame of an animation, no side longer than `side`. The file itself where no picture can be made of it, such as audio, an image that is cut off, or an interlaced one of more than 200 MB once decoded.',
    scope: 'media:read',
    kind: 'file',
    files: mediaTypes,
    params: z.strictObject({ digest: z.string().min(1).max(100).describe('`sha256:` and 64 hexadecimal digits.') }),
    query: z.strictObject({ side: z.enum(['128', '512']).default('512').describe('Pixels.') }),
  },
})
