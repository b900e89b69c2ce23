import { statfsSync, statSync } from 'node:fs'
import { ApiError } from '../../contract/errors.ts'
import type { Health } from '../../contract/meta/meta.schemas.ts'
import { isBusy } from '../../storage/busy.ts'
import { storageFault } from '../../storage/storage-fault.ts'
import type { Ballast } from './ballast.ts'
import { commandLine } from '../../lib/command-line.ts'
import { formatBytes } from '../../lib/format/bytes.ts'

type Trouble = Exclude<Health['storage']['state'], 'ok' | 'low'>

/** Bytes free on the disk under which nothing new is begun, unless told otherwise. */
export const usualKeepFree = 500 * 1024 * 1024

/** Milliseconds between attempts to write while there is trouble. */
const probeEvery = 2_000
/** Milliseconds for which what the disk said of itself is believed. */
const lookEvery = 1_000
/** Milliseconds after the start until the ballast is created, off the critical path. */
const ballastAfter = 2_000

const troubleMessages: Readonly<Record<Trouble, string>> = {
  full: 'The disk is full: nothing was stored. Free some space; Assay resumes automatically.',
  read_only: 'The data folder is not writable: nothing was stored. Make it writable; Assay resumes automatically.',
  failing: 'The disk fails to read or write: nothing was stored. Check the disk, and copy the data folder somewhere safe.',
  damaged: `The database is damaged. Restore a backup: in Settings, or with "${commandLine('restore')}" while Assay is stopped.`,
  gone: 'The database or its log was moved, replaced or deleted while Assay was using it: nothing is stored. Put it back, then start Assay again.',
}

/** These last until the service starts again, whatever a small write says. */
const lasting: ReadonlySet<Trouble> = new Set(['damaged', 'gone'])

/**
 * Whether what is written can be kept. Everybody who writes tells it of failures; it tries a small write until one succeeds.
 */
export interface StorageHealth {
  read(): Health['storage']
  /** Why nothing new should be begun at the moment; null when all is well. */
  storageFault(): string | null
  /** @throws ApiError when what is written now would be lost without an error */
  requireWritable(): void
  /**
   * Whether so many bytes can be received and kept with room to spare.
   * @param outcome what was not done, and what to do; of an upload when absent
   * @throws ApiError unavailable, with what is free and what to do
   */
  requireRoom(bytes: number, outcome?: string): void
  /** Takes note of what a write threw. Answers what to tell a client, or null when storage is not to blame. */
  note(error: unknown): ApiError | null
  /** Takes note of damage that an examination found. */
  noteDamage(): void
  /** Does what may be left undone when storage fails or another program holds the database; anything else that is thrown is thrown on. */
  attempt(write: () => void): void
  close(): void
}

export interface StorageHealthOptions {
  readonly dataDir: string
  readonly databasePath: string
  /** Bytes free under which runs wait. */
  readonly keepFree: number
  readonly ballast: Ballast
  /** The disk was full at the start, and the ballast was given up so that there could be one. */
  readonly isBallastSpent?: boolean
  readonly now: () => Date
  /** A write as small as any; throws while none can be made. */
  readonly probe: () => void
  /** What may be left undone waits for no other program. */
  readonly withoutWaiting: (write: () => void) => void
}

export function createStorageHealth({
  dataDir,
  databasePath,
  keepFree,
  ballast,
  isBallastSpent: isSpentAtStart = false,
  now,
  probe,
  withoutWaiting,
}: StorageHealthOptions): StorageHealth {
  let trouble: { readonly kind: Trouble; readonly since: string } | null = null
  let isBallastSpent = isSpentAtStart
  let timer: NodeJS.Timeout | undefined
  let looked = { at: Number.NEGATIVE_INFINITY, free: freeBytes(dataDir) }
  const file = identityOf(databasePath)
  /** Of the database's log, once there is one: SQLite keeps it for as long as the database is open. */
  let log = identityOf(`${databasePath}-wal`)
  const laying = setTimeout(() => ballast.lay(), ballastAfter).unref()

  const begin = (kind: Trouble) => {
    if (trouble === null || lasting.has(kind)) trouble = { kind, since: trouble?.since ?? now().toISOString() }
    if (lasting.has(kind)) return
    if (kind === 'full') isBallastSpent = ballast.drop() || isBallastSpent
    timer ??= setInterval(retry, probeEvery).unref()
  }
  const retry = () => {
    if (trouble === null || lasting.has(trouble.kind)) return
    try {
      probe()
      // Its bytes are for ending things in order; until those that were given are back, nothing new is begun.
      const isLaid = ballast.lay()
      if (isBallastSpent && !isLaid) return
    } catch (error) {
      const kind = troubleIn(error)
      if (kind) trouble = { kind, since: trouble.since }
      return
    }
    clearInterval(timer)
    timer = undefined
    isBallastSpent = false
    trouble = null
  }
  const look = (): number | null => {
    const at = performance.now()
    if (at - looked.at < lookEvery) return looked.free
    looked = { at, free: freeBytes(dataDir) }
    const present = identityOf(`${databasePath}-wal`)
    if (identityOf(databasePath) !== file || (log !== null && present !== log)) begin('gone')
    log ??= present
    return looked.free
  }
  if (isSpentAtStart) begin('full')
  const lowMessage = (free: number | null): string | null =>
    free !== null && free < keepFree
      ? `The disk is nearly full: under ${Math.round(keepFree / 1024 / 1024)} MB are free. Runs wait; free some space and they resume automatically.`
      : null
  const refusal = (kind: Trouble) => new ApiError('unavailable', troubleMessages[kind], { headers: { 'retry-after': '5' } })
  const note = (error: unknown): ApiError | null => {
    const kind = troubleIn(error)
    if (!kind) return null
    begin(kind)
    return refusal(kind)
  }
  return {
    read: () => {
      const free = look()
      if (trouble) return { state: trouble.kind, free_bytes: free, since: trouble.since, message: troubleMessages[trouble.kind] }
      const message = lowMessage(free)
      return { state: message === null ? 'ok' : 'low', free_bytes: free, since: null, message }
    },
    storageFault: () => {
      const free = look()
      return trouble ? troubleMessages[trouble.kind] : lowMessage(free)
    },
    requireWritable: () => {
      look()
      if (trouble?.kind === 'gone') throw refusal('gone')
    },
    requireRoom: (
      bytes,
      outcome = `${bytes > 0 ? `an upload of ${formatBytes(bytes)}` : 'this upload'} was not received. Free some space and send it again.`,
    ) => {
      const free = look()
      if (trouble) throw refusal(trouble.kind)
      if (free === null || free - bytes >= keepFree) return
      throw new ApiError(
        'unavailable',
        `The disk has ${formatBytes(free)} free, of which ${formatBytes(keepFree)} are kept, so ${outcome}`,
        { headers: { 'retry-after': '60' } },
      )
    },
    note,
    noteDamage: () => begin('damaged'),
    attempt: write => {
      try {
        withoutWaiting(write)
      } catch (error) {
        if (!note(error) && !isBusy(error)) throw error
      }
    },
    close: () => {
      clearInterval(timer)
      clearTimeout(laying)
    },
  }
}

function troubleIn(error: unknown): Trouble | null {
  const fault = storageFault(error)
  return fault === 'busy' || fault === 'unopenable' ? null : fault
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

/** Which file a path leads to at the moment; a file that was put in the place of another is another one. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.dev}:${stat.ino}` : null
}
