import { clientGone } from './errors.ts'

/** Of the loop's time, what reads may take while runs are executed. */
const shareOfReads = 0.4
/** Milliseconds of their share that reads may have saved up: a page that opens asks a dozen things at once. */
const mostSavedMs = 40
/** Milliseconds that reads may owe: one that took long is not paid for by all that follow. */
const mostOwedMs = 100
/** Milliseconds of reads after which the loop does what else it has to do. */
const longestTurnMs = 5

/**
 * Has reads give way: after a few milliseconds of them the loop turns, and while runs are executed they have a share of its time, so that
 * many reading clients slow themselves down and not the runs.
 */
export interface ReadTurns {
  /**
   * Resolves when the caller may read. A single read waits for nothing; callers that wait take turns, so that one that asks for hundreds
   * of reads at once delays another by one of them.
   * @param gone aborted when the client has left: then nothing is read for it
   * @throws ApiError unavailable where it left before its turn
   */
  wait(caller: string, gone?: AbortSignal): Promise<void>
  /** A run is executed from now on; the answer is called when that ends. */
  yieldToRun(): () => void
  /** Whether a run is executed. */
  isYielding(): boolean
  /** Milliseconds of processor time that this thread has used. */
  worked(): number
}

/**
 * @param now milliseconds that only grow
 * @param worked milliseconds of processor time of this thread: where others have the processor meanwhile, reads seem long that are not
 */
export function createReadTurns(now: () => number, worked: () => number): ReadTurns {
  /** Of each caller that waits; the next one first. */
  const queues = new Map<string, (() => void)[]>()
  let runs = 0
  /** A read is at work, or the queue is woken later. */
  let isTaken = false
  /** Milliseconds that reads may still take; below 0: owed. */
  let saved = mostSavedMs
  let savedAt = now()
  /** Milliseconds that reads took in this turn of the loop; null before the first of them. */
  let turnMs: number | null = null

  const begin = (read: () => void) => {
    if (turnMs === null) {
      turnMs = 0
      setImmediate(() => {
        turnMs = null
      })
    }
    const began = worked()
    read()
    // The read continues in microtasks; a tick comes after all of them, and before anything else of the loop.
    queueMicrotask(() => process.nextTick(end, began))
  }
  const end = (began: number) => {
    const tookMs = worked() - began
    save()
    saved = Math.max(-mostOwedMs, saved - tookMs)
    turnMs = (turnMs ?? 0) + tookMs
    next()
  }
  const save = () => {
    const at = now()
    saved = Math.min(mostSavedMs, saved + shareOfReads * (at - savedAt))
    savedAt = at
  }
  const next = () => {
    isTaken = queues.size > 0
    if (!isTaken) return
    save()
    if ((turnMs ?? 0) >= longestTurnMs) {
      setImmediate(next)
      return
    }
    if (runs > 0 && saved <= 0) {
      setTimeout(next, Math.ceil(-saved / shareOfReads))
      return
    }
    for (const [caller, queue] of queues) {
      const read = queue.shift()
      // Behind the others.
      queues.delete(caller)
      if (queue.length > 0) queues.set(caller, queue)
      if (read) begin(read)
      return
    }
  }

  return {
    wait: (caller, gone) =>
      new Promise((resolve, reject) => {
        const read = () => (gone?.aborted ? reject(clientGone()) : resolve())
        const queue = queues.get(caller)
        if (queue) queue.push(read)
        else queues.set(caller, [read])
        if (!isTaken) next()
      }),
    yieldToRun: () => {
      runs++
      return () => {
        runs--
      }
    },
    isYielding: () => runs > 0,
    worked,
  }
}
