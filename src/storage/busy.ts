import { storageFault } from './storage-fault.ts'

/** Milliseconds that a write waits for another program that holds the database. */
export const lockWaitMs = 5000

/** Another program, such as a backup tool, holds the database. */
export function isBusy(error: unknown): boolean {
  return storageFault(error) === 'busy'
}

/** Milliseconds between two tries. */
const tryEveryMs = 25

/** Tries again, for as long as a write waits, while another program holds the database; stops the thread meanwhile. */
export function untilFree<Result>(write: () => Result): Result {
  const until = performance.now() + lockWaitMs
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
      Atomics.wait(nobodyWakes, 0, 0, tryEveryMs)
    }
  }
}
