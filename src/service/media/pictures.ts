import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { NotResizedError } from '../../engine/clients/media-source.ts'
import { fittedSize } from '../../engine/media/fitted-size.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import type { MediaFiles } from '../../storage/media-files.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import { openCodec } from '../../workers/picture-codec.ts'
import type { PictureAnswer, PictureTask } from '../../workers/pictures.worker.ts'
import type { Workers } from '../../workers/pool.ts'
import type { FileReply } from '../http/handler.ts'
import { createWorkLimits } from '../http/work-limits.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type StoredPicture, findResized, recordResized, storedPicture } from './media.store.ts'

/** Bytes of thumbnails that are kept, about ten thousand. */
const mostCachedBytes = 200_000_000
/** Of a digest, with which the name of a thumbnail begins. */
const hexLength = 64
const atOnce = 100
/** Of the thumbnails; the smaller one of a picture with more pixels than these is made of the larger one, so that it is decoded once. */
const largestSide = 512
const largePixels = 4_000_000

type Picture = Extract<PictureAnswer, { readonly ok: true }>

export type PicturesKernel = Pick<Kernel, 'db' | 'clock'> & { readonly config: Pick<Kernel['config'], 'dataDir'> }

export interface Pictures {
  /** The image as it is sent where at most so many pixels are; null: as it is stored. @throws NotResizedError */
  fitting(digest: string, maxPixels: number): Promise<StoredPicture | null>
  /** A small picture of a stored image; null where none can be made of it, or the request ended first. */
  thumbnail(digest: string, maxSide: number, signal: AbortSignal): Promise<FileReply | null>
  /** Removes the thumbnails of images that are no longer stored. */
  sweepThumbnails(signal: AbortSignal): Promise<void>
  /** Why no picture can be resized on this machine; null where they can. */
  fault(): Promise<string | null>
}

/** Pictures that are made of stored ones, each once. */
export function createPictures(
  { db, config, clock }: PicturesKernel,
  files: MediaFiles,
  workers: Pick<Workers, 'makePicture' | 'scoringThreads'>,
): Pictures {
  const ask = async (task: PictureTask): Promise<PictureAnswer> => {
    try {
      return await workers.makePicture(task)
    } catch (error) {
      if (error instanceof WorkLimitError) return { ok: false, reason: error.message }
      throw error
    }
  }
  const resize = async (digest: string, maxPixels: number): Promise<StoredPicture> => {
    const made = await ask({ kind: 'resize', path: files.path(digest), maxPixels })
    if (!made.ok) throw new NotResizedError(`The image sha256:${digest} was not sent, since it could not be resized. ${made.reason}`)
    await files.write([made])
    db.transaction(() => recordResized(db, digest, maxPixels, toFile(made), timestamp(clock)))
    return { digest: made.digest, mediaType: made.mediaType, width: made.width, height: made.height }
  }
  const cached = createThumbnailCache(join(config.dataDir, 'media', 'thumbnails'))
  const resizeOnce = createSingleFlight<StoredPicture>()
  const makeThumbnailOnce = createSingleFlight<Uint8Array | null>()
  // The pictures that runs send wait for so many at most, however many pages ask.
  const turns = createWorkLimits(workers.scoringThreads)
  const makeThumbnail = async (digest: string, maxSide: number): Promise<Uint8Array | null> => {
    const stored = storedPicture(db, digest)
    if (!stored || !files.ensure(digest)) return null
    let path = files.path(digest)
    if (maxSide < largestSide && stored.width * stored.height > largePixels) {
      if ((await thumbnailBytes(digest, largestSide)) === null) return null
      path = cached.path(thumbnailName(digest, largestSide)) ?? path
    }
    const made = await ask({ kind: 'thumbnail', path, maxSide })
    if (!made.ok) return null
    cached.keep(thumbnailName(digest, maxSide), made.bytes)
    return made.bytes
  }
  const thumbnailBytes = async (digest: string, maxSide: number): Promise<Uint8Array | null> => {
    const name = thumbnailName(digest, maxSide)
    return cached.read(name) ?? makeThumbnailOnce(name, () => makeThumbnail(digest, maxSide))
  }
  return {
    fitting: async (digest, maxPixels) => {
      const stored = storedPicture(db, digest)
      if (!stored || fittedSize(stored, maxPixels).width === stored.width) return null
      const known = findResized(db, digest, maxPixels)
      if (known && files.ensure(known.digest)) return known
      return resizeOnce(`${digest} ${maxPixels}`, () => resize(digest, maxPixels))
    },
    thumbnail: async (digest, maxSide, signal) => {
      const name = thumbnailName(digest, maxSide)
      const make = () => thumbnailBytes(digest, maxSide)
      const bytes = cached.read(name) ?? (await turns.run('pages', signal, make, () => null))
      if (!bytes) return null
      return {
        kind: 'whole',
        contentType: 'image/webp',
        fileName: `${digest.slice(0, 16)}.webp`,
        isShown: true,
        bytes: bytes.length,
        etag: `"${name}"`,
        open: (from, to) => Readable.from([Buffer.from(bytes.subarray(from, to + 1))]),
      }
    },
    sweepThumbnails: async signal => {
      for (const [seen, name] of cached.names().entries()) {
        if (storedPicture(db, name.slice(0, hexLength)) === null) cached.drop(name)
        if (seen % atOnce > 0) continue
        await nextTurn()
        signal.throwIfAborted()
      }
    },
    fault: openCodec,
  }
}

const thumbnailName = (digest: string, maxSide: number): string => `${digest}-${maxSide}.webp`

const toFile = ({ digest, mediaType, bytes, width, height }: Picture) => ({
  digest: `sha256:${digest}` as const,
  media_type: mediaType,
  bytes: bytes.length,
  width,
  height,
  duration_ms: null,
  pages: null,
  cautions: [],
})

/** Files in a folder, of which the ones that were not read for longest make room. What cannot be read or kept is made again. */
function createThumbnailCache(folder: string) {
  const path = (name: string): string => join(folder, name)
  let sizes: LRUCache<string, number> | null = null
  const known = (): LRUCache<string, number> => {
    if (sizes) return sizes
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = new LRUCache<string, number>({
      maxSize: mostCachedBytes,
      sizeCalculation: size => size,
      dispose: (_, name, reason) => {
        if (reason === 'evict') rmSync(path(name), { force: true })
      },
    })
    const stored = readdirSync(folder).flatMap(name => {
      const { size, mtimeMs } = statSync(path(name))
      if (size > 0 && name.endsWith('.webp')) return [{ name, size, mtimeMs }]
      rmSync(path(name), { force: true })
      return []
    })
    for (const { name, size } of stored.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) found.set(name, size)
    sizes = found
    return found
  }
  return {
    names: (): readonly string[] => [...known().keys()],
    /** Null for one that is not kept. */
    path: (name: string): string | null => (known().has(name) ? path(name) : null),
    drop: (name: string): void => {
      known().delete(name)
      rmSync(path(name), { force: true })
    },
    read: (name: string): Uint8Array | null => {
      if (known().get(name) === undefined) return null
      try {
        return readFileSync(path(name))
      } catch {
        known().delete(name)
        return null
      }
    },
    keep: (name: string, bytes: Uint8Array): void => {
      const piece = path(`${randomUUID()}.piece`)
      try {
        known()
        writeFileSync(piece, bytes, { mode: 0o600 })
        renameSync(piece, path(name))
        known().set(name, bytes.length)
      } catch {
        // A full disk: it is made again where it is asked for.
        rmSync(piece, { force: true })
      }
    },
  }
}
