import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { BegunCalls } from '../../storage/runs/run-writes.ts'

/** One attempt of a claimed sample. */
export interface LoggedCall {
  readonly position: number
  readonly fence: number
  readonly attempt: number
}

/**
 * Which calls were begun, in a file beside the database. Each is written before its request is sent and without a flush of the disk:
 * the kernel keeps it when the process is killed, and after a power cut the file is not believed. See decision record 0060.
 */
export interface CallLog {
  /** A call is about to be made. @throws Error when it cannot be written: then the call must not be made */
  begin(runNo: number, call: LoggedCall, at: number): void
  /** Its attempt is durable. */
  ended(runNo: number, position: number): void
  /** The calls of a run's claims. */
  begun(runNo: number): BegunCalls
  /** The run has ended, or its claims were given back. */
  forget(runNo: number): void
  /** After the claims of an earlier process were given back: from here on the file is about this one. @param complete whether all were */
  restart(complete: boolean): void
  close(): void
}

interface Entry extends LoggedCall {
  readonly slot: number
  readonly at: number
}

/** Where the list of a data folder is. */
export const callsPath = (dataDir: string): string => join(dataDir, 'calls-begun')

const headerBytes = 128
const entryBytes = 32

export function createCallLog(path: string, databasePath: string): CallLog {
  const identity = identityOf(databasePath)
  const buffer = Buffer.alloc(entryBytes)
  const view = new DataView(buffer.buffer, buffer.byteOffset, entryBytes)
  /** Null where the file does not name every call. */
  let runs: Map<number, Map<number, Entry>> | null = readLog(path, identity)
  let file: number | null = null
  let free: number[] = []
  /** Whose call was written to each place last. */
  let owners: number[] = []

  const write = (runNo: number, { slot, position, fence, attempt, at }: Entry) => {
    if (file === null) return
    view.setUint32(0, runNo)
    view.setUint32(4, position)
    view.setUint32(8, fence)
    view.setUint32(12, attempt)
    view.setFloat64(16, at)
    view.setUint32(24, runNo === 0 ? 0 : checksum(runNo, position, fence, attempt))
    writeSync(file, buffer, 0, entryBytes, headerBytes + slot * entryBytes)
    owners[slot] = runNo
  }
  return {
    begin: (runNo, call, at) => {
      if (!runs || file === null) return
      const calls = runs.get(runNo) ?? new Map<number, Entry>()
      const present = calls.get(call.position)
      // A later turn of the same attempt.
      if (present?.fence === call.fence && present.attempt === call.attempt) return
      const entry = { ...call, at, slot: present?.slot ?? free.pop() ?? owners.length }
      write(runNo, entry)
      runs.set(runNo, calls.set(call.position, entry))
    },
    ended: (runNo, position) => {
      const entry = runs?.get(runNo)?.get(position)
      if (!entry) return
      runs?.get(runNo)?.delete(position)
      // Its bytes stay until the place is used again: they name an attempt that the database knows to have ended.
      free.push(entry.slot)
    },
    begun: runNo => {
      if (!runs) return 'unknown'
      const calls = [...(runs.get(runNo)?.values() ?? [])]
      return new Map(calls.map(({ position, fence, attempt, at }) => [position, { fence, attempt, at }]))
    },
    forget: runNo => {
      for (const { slot } of runs?.get(runNo)?.values() ?? []) free.push(slot)
      runs?.delete(runNo)
      // The number of a deleted run may be given to another one, so that none of it may stay.
      for (const [slot, owner] of owners.entries()) if (owner === runNo) write(0, { slot, position: 0, fence: 0, attempt: 0, at: 0 })
    },
    restart: complete => {
      if (file !== null) closeSync(file)
      file = null
      runs = null
      rmSync(path, { force: true })
      if (!complete || identity === null) return
      file = openSync(path, 'wx+', 0o600)
      writeSync(file, identity.padEnd(headerBytes), 0)
      runs = new Map()
      free = []
      owners = []
    },
    close: () => {
      if (file !== null) closeSync(file)
      file = null
      runs = null
    },
  }
}

/** The calls that the file names, ended ones whose place was not used again among them; none where the file is not to be believed. */
export function readBegunCalls(path: string, databasePath: string): (LoggedCall & { readonly runNo: number })[] {
  const runs = readLog(path, identityOf(databasePath)) ?? new Map<number, Map<number, Entry>>()
  return [...runs].flatMap(([runNo, calls]) =>
    [...calls.values()].map(({ position, fence, attempt }) => ({ runNo, position, fence, attempt })),
  )
}

/** Null where there is none, or where it is of another start of the machine or another database. */
function readLog(path: string, identity: string | null): Map<number, Map<number, Entry>> | null {
  const bytes = readOrNull(path)
  if (!bytes || identity === null || bytes.toString('latin1', 0, headerBytes).trimEnd() !== identity) return null
  const runs = new Map<number, Map<number, Entry>>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let slot = 0; headerBytes + (slot + 1) * entryBytes <= bytes.length; slot++) {
    const start = headerBytes + slot * entryBytes
    const [runNo, position, fence, attempt] = [0, 4, 8, 12].map(offset => view.getUint32(start + offset)) as [
      number,
      number,
      number,
      number,
    ] // as many as offsets
    if (runNo === 0 || view.getUint32(start + 24) !== checksum(runNo, position, fence, attempt)) continue
    const calls = runs.get(runNo) ?? new Map<number, Entry>()
    const present = calls.get(position)
    // Of two claims of one sample the later one counts.
    if (present && (present.fence > fence || (present.fence === fence && present.attempt > attempt))) continue
    runs.set(runNo, calls.set(position, { slot, position, fence, attempt, at: view.getFloat64(start + 16) }))
  }
  return runs
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function checksum(...numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => Math.imul(sum ^ number, 0x01000193), 0x811c9dc5) >>> 0
}

/** Changes with every start of the machine, after which unflushed writes may be gone, and with a database put in place of this one. */
function identityOf(databasePath: string): string | null {
  try {
    const { ino, birthtimeMs } = statSync(databasePath, { bigint: true })
    return `assay calls 1 ${bootOf()} ${ino} ${birthtimeMs}`
  } catch {
    return null
  }
}

function bootOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Elsewhere the time of the start, to the minute: a clock that is set makes the file another one's, which is only less exact.
    return String(Math.round((Date.now() / 1000 - uptime()) / 60))
  }
}
