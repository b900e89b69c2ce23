import { createHash } from 'node:crypto'
import { type MediaFile, MediaMissingError, type MediaSource } from '../../engine/clients/media-source.ts'
import type { RemoteService } from './remote-service.ts'

/** Bytes of files that are kept for the next calls, since tasks often show the same ones. */
const mostBytes = 64 * 1024 * 1024
/** Files of calls that are held, with which they may be asked for. */
const mostExpected = 100_000
/** Of one file: as many as a worker holds at a time. */
const mostBatches = 16

/** Files that calls show, read from the service by their digest while the worker holds the call. */
export function createBatchMedia(fetchMedia: RemoteService['media']) {
  const files = new Map<string, MediaFile>()
  /** Of each file those that show it, the newest first. */
  const batches = new Map<string, readonly string[]>()
  let kept = 0
  /** The oldest make room. */
  const keep = (digest: string, file: MediaFile): void => {
    kept += file.bytes.length - (files.get(digest)?.bytes.length ?? 0)
    files.set(digest, file)
    for (const [oldest, { bytes }] of files) {
      if (kept <= mostBytes) return
      files.delete(oldest)
      kept -= bytes.length
    }
  }
  let workerId = ''
  /** By any batch that is still held: the service forgets the files of one that was reported or lost. */
  const fetched = async (digest: string, maxImagePixels?: number): Promise<MediaFile> => {
    for (const batch of batches.get(digest) ?? []) {
      const file = await fetchMedia({ worker_id: workerId, batch_id: batch, digest }, maxImagePixels)
      if (file !== null) return file
    }
    throw new MediaMissingError(digest)
  }
  const source: MediaSource = {
    read: async (digest, maxImagePixels) => {
      const name = maxImagePixels === undefined ? digest : `${digest} ${maxImagePixels}`
      const known = files.get(name)
      if (known) return known
      const file = await fetched(digest, maxImagePixels)
      const found = `sha256:${createHash('sha256').update(file.bytes).digest('hex')}` as const
      if (found !== digest && maxImagePixels === undefined) throw new Error(`The service sent other bytes than those of ${digest}.`)
      const read = { ...file, digest: found }
      keep(name, read)
      return read
    },
  }
  return {
    source,
    joined: (id: string): void => {
      workerId = id
    },
    /** Says with which batch files may be asked for. */
    expect: (batchId: string, digests: readonly string[]): void => {
      for (const digest of digests) {
        const others = batches.get(digest) ?? []
        batches.delete(digest)
        batches.set(digest, [batchId, ...others].slice(0, mostBatches))
      }
      for (const oldest of batches.keys()) {
        if (batches.size <= mostExpected) break
        batches.delete(oldest)
      }
    },
  }
}
