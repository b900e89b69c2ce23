import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { ApiError, invalidField, notFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { mediaEndings, type MediaFile } from '../../contract/media/media.schemas.ts'
import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import { MediaMissingError, type MediaSource } from '../../engine/clients/media-source.ts'
import { fittedFile } from '../../engine/media/fitted-size.ts'
import { inspectMedia } from '../../engine/media/inspect-media.ts'
import { MediaFault } from '../../engine/media/media-fault.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { findStoredMedia, storedFacts } from '../../storage/reads/stored-media.ts'
import { createMediaFiles } from '../../storage/media-files.ts'
import { atIntervals } from '../background.ts'
import type { FileReply, UploadPart } from '../http/handler.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createPictures, type Pictures, type PicturesKernel } from './pictures.ts'
import {
  dropExpiredReferences,
  dropUnreferenced,
  storedType,
  mediaAfter,
  type MediaOwner,
  type MediaReference,
  mediaUse,
  recordMedia,
  recordTraceMedia,
  unusedBytes,
} from './media.store.ts'

const hour = 3600 * 1000
const day = 24 * hour
/** How long an upload that nothing uses is kept. */
const uploadDays = 7
/** How long the pictures of an import's preview are kept, in hours. */
const previewHours = 24
/** Bytes that a workspace may have uploaded and not used. */
const mostUnusedBytes = 4_000_000_000
const atOnce = 100
/** Files whose facts are kept for the runs that read them next, some hundred bytes each, and for how long. */
const keptFacts = 10_000
const keptFactsMs = 60_000
/** Rows of files that are missing, as the warning names them. */
const named = 5

export interface Media {
  /** Stores one uploaded file. @throws ApiError */
  upload(workspaceId: string, parts: AsyncIterable<UploadPart>): Promise<MediaFile>
  /** @throws ApiError not_found for what the workspace does not have, too */
  file(workspaceId: string, digest: string): FileReply
  /** A file as it is sent where images have at most so many pixels. @throws ApiError not_found; NotResizedError */
  fittingFile(workspaceId: string, digest: string, maxImagePixels: number): Promise<FileReply>
  /** A small WebP picture of an image; the image itself where none can be made. @throws ApiError not_found */
  thumbnail(workspaceId: string, digest: string, maxSide: number, signal: AbortSignal): Promise<FileReply>
  /** Why no picture can be resized on this machine; null where they can. */
  readonly codecFault: Pictures['fault']
  /** What a stored file is; null where the workspace does not have it. */
  find(workspaceId: string, digest: string): MediaFile | null
  /** What files of the workspace are; one that it does not have is missing. */
  facts(workspaceId: string, digests: readonly string[]): ReadonlyMap<string, MediaFile>
  /**
   * Makes rows for files that lie in the folder already and refers to them; within the caller's transaction.
   * @throws Error where a file is missing
   */
  record(files: readonly MediaFile[], reference: { readonly workspaceId: string; readonly versionNo: number | null }): void
  /**
   * Makes rows for files that lie in the folder already, for as long as their trace; within the caller's transaction.
   * @throws Error where a file is missing
   */
  recordOfTrace(files: readonly MediaFile[], traceNo: number): void
  /**
   * Keeps files that lie in the folder for as long as what shows them; within the caller's transaction.
   * @throws Error where a file that has no row is missing
   */
  keep(workspaceId: string, owner: MediaOwner, files: readonly MediaFile[]): void
  /** Bytes of the workspace’s own files: whatever its tasks, traces and examples name, another one’s are missing. */
  sourceOf(workspaceId: string): MediaSource
  use(): { readonly files: number; readonly bytes: number; readonly missing: number }
  start(): void
  close(): void
}

/** @param oldestBackupAt time of the oldest backup, whose media must stay readable; null where there is none */
export function createMedia(
  kernel: PicturesKernel & Pick<Kernel, 'log'>,
  {
    jobs,
    workers,
    oldestBackupAt,
  }: {
    readonly jobs: Jobs
    readonly workers: Pick<Workers, 'makePicture' | 'scoringThreads'>
    readonly oldestBackupAt: () => string | null
  },
): Media {
  const { db, config, clock, log } = kernel
  const files = createMediaFiles(config.dataDir)
  const pictures = createPictures(kernel, files, workers)
  // What a quote has looked up, each call of its run asks again; whether the workspace still has it, after a minute.
  const known = new LRUCache<string, MediaFile>({ max: keptFacts, ttl: keptFactsMs, ttlResolution: 1000 })
  let isClosed = false
  let missing = 0

  const lookUp = (workspaceId: string, digests: readonly string[]): Map<string, MediaFile> => {
    const found = storedFacts(db, workspaceId, digests)
    for (const [digest, file] of found) known.set(`${workspaceId} ${digest}`, file)
    return found
  }

  const requireFiles = (found: readonly MediaFile[]): void => {
    for (const { digest } of found)
      if (!files.ensure(digest.slice('sha256:'.length))) throw new Error(`The file of ${digest} is gone before its row was made.`)
  }
  const record: Media['record'] = (found, { workspaceId, versionNo }) => {
    requireFiles(found)
    const reference: MediaReference =
      versionNo === null ? { workspaceId, expiresAt: inFuture(previewHours * hour) } : { workspaceId, versionNo }
    recordMedia(db, found, reference, timestamp(clock))
  }
  const inFuture = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  const requireQuota = (workspaceId: string, { digest, bytes }: MediaFile): void => {
    const unused = unusedBytes(db, workspaceId, digest)
    if (unused + bytes <= mostUnusedBytes) return
    throw new ApiError(
      'conflict',
      `This workspace holds ${formatBytes(unused)} of uploads that no benchmark uses, and at most ${formatBytes(mostUnusedBytes)} are kept. Use them, or wait: each is removed ${uploadDays} days after its upload.`,
    )
  }

  /** Rows whose file is missing, after a restore on another machine or a damaged disk; what was kept for a backup is brought back. */
  const lookForMissing = async (): Promise<void> => {
    const gone: string[] = []
    for (let after = '', page = mediaAfter(db, after, atOnce); page.length > 0 && !isClosed; page = mediaAfter(db, after, atOnce)) {
      for (const [i, digest] of page.entries()) {
        if (!files.ensure(digest)) gone.push(digest)
        if (i % 10 === 0) await nextTurn()
      }
      after = page.at(-1) ?? after
    }
    missing = gone.length
    if (missing > 0)
      log.warn(
        { missing, first: gone.slice(0, named) },
        'media files are missing; copy the folder "backups" from where the backup was made',
      )
  }

  jobs.register({
    kind: 'media_cleanup',
    input: z.strictObject({}),
    lane: 'media-cleanups',
    concurrency: 1,
    run: async ({ signal }) => {
      dropExpiredReferences(db, timestamp(clock))
      const oldest = oldestBackupAt()
      const keptFrom = oldest === null ? null : clock.now()
      // What was made of a dropped image goes in the next turn.
      for (let dropped = atOnce; dropped > 0; await nextTurn()) {
        signal.throwIfAborted()
        const digests = db.transaction(() => dropUnreferenced(db, atOnce))
        // The rows are gone for good, and no new ones can be made in this turn of the loop.
        for (const digest of digests) files.remove(digest, keptFrom)
        dropped = digests.length
      }
      let seen = 0
      for (const digest of files.settled()) {
        if (storedType(db, digest) === null) files.remove(digest, keptFrom)
        if (++seen % atOnce === 0) await nextTurn()
        signal.throwIfAborted()
      }
      for (const _ of files.purgeKept(oldest === null ? null : Date.parse(oldest))) {
        signal.throwIfAborted()
        await nextTurn()
      }
      await pictures.sweepThumbnails(signal)
    },
    retried: () => {},
  })
  const begin = (owner: JobOwner): void =>
    db.transaction(() => {
      if (jobs.open('media_cleanup').length === 0) jobs.enqueue('media_cleanup', { workspaceId: null, owner, input: {}, subject: null })
    })
  const beginIfDue = (): void => {
    const last = jobs.latest('media_cleanup')?.created_at
    if (!last || clock.now().getTime() - Date.parse(last) >= day) if (mediaUse(db).files > 0) begin({ kind: 'service' })
  }
  const cleaning = atIntervals(log, hour, beginIfDue, 'could not look whether media are unused')

  const file: Media['file'] = (workspaceId, digest) => {
    const found = /^(?:sha256:)?[0-9a-f]{64}$/.test(digest) ? findStoredMedia(db, workspaceId, digest) : null
    if (!found) throw notFound('media file', digest)
    const hex = found.digest.slice('sha256:'.length)
    if (!files.ensure(hex))
      throw new ApiError(
        'not_found',
        `The file of ${found.digest} is missing. Copy the folders "backups" and "media" from where the data came, and start Assay again.`,
      )
    return {
      kind: 'whole',
      contentType: found.media_type,
      fileName: `${hex.slice(0, 16)}.${mediaEndings[found.media_type]}`,
      isShown: found.media_type !== 'application/pdf',
      bytes: found.bytes,
      etag: `"${hex}"`,
      open: (from, to) => files.stream(hex, from, to),
    }
  }

  const readFile = async (hex: string, digest: MediaDigest, room?: (bytes: number) => Buffer) => {
    try {
      return await files.read(hex, room)
    } catch {
      // It may have been taken away and kept for a backup; a disk that fails fails again.
      if (!files.ensure(hex)) throw new MediaMissingError(digest)
      return files.read(hex, room)
    }
  }

  return {
    upload: async (workspaceId, parts) => {
      const bytes = await onlyFile(parts)
      const file = inspected(bytes)
      const digest = file.digest.slice('sha256:'.length)
      requireQuota(workspaceId, file)
      await files.write([{ digest, bytes }])
      db.transaction(() => {
        // Others may have been stored meanwhile. The file of a refused one goes with the next cleanup.
        requireQuota(workspaceId, file)
        files.ensure(digest)
        recordMedia(db, [file], { workspaceId, expiresAt: inFuture(uploadDays * day) }, timestamp(clock))
      })
      return file
    },
    file,
    fittingFile: async (workspaceId, digest, maxImagePixels) => {
      const whole = file(workspaceId, digest)
      const made = await pictures.fitting(hexIn(digest), maxImagePixels)
      return made ? file(workspaceId, made.digest) : whole
    },
    thumbnail: async (workspaceId, digest, maxSide, signal) => {
      const whole = file(workspaceId, digest)
      return (await pictures.thumbnail(hexIn(digest), maxSide, signal)) ?? whole
    },
    codecFault: pictures.fault,
    find: (workspaceId, digest) => findStoredMedia(db, workspaceId, digest),
    facts: lookUp,
    record,
    recordOfTrace: (found, traceNo) => {
      requireFiles(found)
      recordTraceMedia(db, found, traceNo, timestamp(clock))
    },
    keep: (workspaceId, owner, kept) => {
      requireFiles(kept.filter(({ digest }) => storedType(db, hexIn(digest)) === null))
      recordMedia(db, kept, { workspaceId, ...owner }, timestamp(clock))
    },
    sourceOf: workspaceId => {
      const factsOf = (digest: MediaDigest): MediaFile | undefined =>
        known.get(`${workspaceId} ${digest}`) ?? lookUp(workspaceId, [digest]).get(digest)
      return {
        facts: (digests, maxImagePixels) =>
          new Map(
            digests.flatMap(digest => {
              const file = factsOf(digest)
              return file ? [[digest, fittedFile(file, maxImagePixels)] as const] : []
            }),
          ),
        read: async (digest, maxImagePixels, room) => {
          const hex = hexIn(digest)
          const facts = factsOf(digest)
          if (!facts) throw new MediaMissingError(digest)
          const made = maxImagePixels === undefined ? null : await pictures.fitting(hex, maxImagePixels)
          if (!made) return { bytes: await readFile(hex, digest, room), mediaType: facts.media_type }
          return { bytes: await readFile(made.digest, digest, room), mediaType: made.mediaType, digest: `sha256:${made.digest}` }
        },
      }
    },
    use: () => ({ ...mediaUse(db), missing }),
    start: () => {
      files.dropPieces()
      void lookForMissing().catch((error: unknown) => log.error({ err: error }, 'could not look for missing media'))
      beginIfDue()
      cleaning.start()
    },
    close: () => {
      isClosed = true
      cleaning.close()
    },
  }
}

const hexIn = (digest: string): string => digest.replace(/^sha256:/, '')

async function onlyFile(parts: AsyncIterable<UploadPart>): Promise<Buffer> {
  let found: Buffer | null = null
  for await (const part of parts) {
    if (part.kind === 'field') throw invalidField(['body', part.name], 'is not a field of this form; send one "file" part')
    if (found) throw invalidField(['body', 'file'], 'is given twice; send one file at a time')
    const chunks: Buffer[] = []
    for await (const chunk of part.stream) chunks.push(Buffer.from(chunk as Uint8Array)) // a stream of bytes
    found = Buffer.concat(chunks)
  }
  if (!found) throw invalidField(['body', 'file'], 'is required', 'missing')
  return found
}

function inspected(bytes: Buffer): MediaFile {
  try {
    return inspectMedia(bytes)
  } catch (error) {
    if (error instanceof MediaFault)
      throw new ApiError('validation_error', error.message, {
        detail: [{ loc: ['body', 'file'], msg: error.message, type: 'value_error' }],
      })
    throw error
  }
}
