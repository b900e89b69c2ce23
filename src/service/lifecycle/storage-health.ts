import { statfsSync } from 'node:fs'
import { ApiError, type Health } from '../../contract/index.ts'

type Trouble = Exclude<Health['storage']['state'], 'ok' | 'low'>

/** Bytes free under which the disk counts as nearly full: no new work should begin that writes much. */
const lowBytes = 500 * 1024 * 1024

/** Milliseconds between attempts to write while there is trouble. */
const probeEvery = 2_000

const sayings: Readonly<Record<Trouble, string>> = {
  full: 'The disk is full: nothing was stored. Free some space; Assay goes on by itself.',
  read_only: 'The data folder cannot be written: nothing was stored. Make it writable; Assay goes on by itself.',
  failing: 'The disk fails to read or write: nothing was stored. Check the disk, and copy the data folder somewhere safe.',
}

/**
 * Whether what is written can be kept. Everybody who writes tells it of failures; it tries a small write until one succeeds, and then
 * says so to those who paused.
 */
export interface StorageHealth {
  read(): Health['storage']
  /** Takes note of what a write threw. Answers what to tell a client, or null when storage is not to blame. */
  note(error: unknown): ApiError | null
  /** Does what may be left undone when storage fails; anything else that is thrown is thrown on. */
  attempt(write: () => void): void
  /** Resolves when writes are taken again, at once when they are taken now; rejects when the signal aborts. */
  recovered(signal: AbortSignal): Promise<void>
  close(): void
}

/** @param probe a write as small as any; throws while none can be made */
export function createStorageHealth(dataDir: string, now: () => Date, probe: () => void): StorageHealth {
  let trouble: { readonly kind: Trouble; readonly since: string } | null = null
  let timer: NodeJS.Timeout | undefined
  const waiting = new Set<() => void>()

  const look = () => {
    try {
      probe()
    } catch (error) {
      const kind = troubleIn(error)
      if (kind && trouble && kind !== trouble.kind) trouble = { kind, since: trouble.since }
      return
    }
    clearInterval(timer)
    timer = undefined
    trouble = null
    for (const resume of waiting) resume()
  }
  const note = (error: unknown): ApiError | null => {
    const kind = troubleIn(error)
    if (!kind) return null
    trouble ??= { kind, since: now().toISOString() }
    timer ??= setInterval(look, probeEvery).unref()
    return new ApiError('unavailable', sayings[kind], { headers: { 'retry-after': '5' } })
  }
  return {
    read: () => {
      const free = freeBytes(dataDir)
      if (trouble) return { state: trouble.kind, free_bytes: free, since: trouble.since, message: sayings[trouble.kind] }
      if (free === null || free >= lowBytes) return { state: 'ok', free_bytes: free, since: null, message: null }
      return { state: 'low', free_bytes: free, since: null, message: 'The disk is nearly full. Free some space before the next run.' }
    },
    note,
    attempt: write => {
      try {
        write()
      } catch (error) {
        if (!note(error)) throw error
      }
    },
    recovered: signal =>
      new Promise((resolve, reject) => {
        if (!trouble) {
          resolve()
          return
        }
        const settle = (end: () => void) => () => {
          waiting.delete(resume)
          signal.removeEventListener('abort', abort)
          end()
        }
        const resume = settle(resolve)
        const abort = settle(() => reject(signal.reason))
        waiting.add(resume)
        signal.addEventListener('abort', abort)
        if (signal.aborted) abort()
      }),
    close: () => clearInterval(timer),
  }
}

function troubleIn(error: unknown): Trouble | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return 'full'
  if (/^(?:SQLITE_READONLY\w*|EROFS|EACCES|EPERM)$/.test(code)) return 'read_only'
  if (/^(?:SQLITE_IOERR\w*|EIO)$/.test(code)) return 'failing'
  return null
}

/** Null where the system does not say. */
function freeBytes(dataDir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize
  } catch {
    return null
  }
}
