/** While runs are executed, reads leave the loop alone for so many times the time that one took. */
const shareForRuns = 2
/** Milliseconds; a read that had to wait behind something long is not to blame for all of it. */
const longestPauseMs = 25

/**
 * Has reads give way: one in a turn of the event loop, and while runs are executed a pause after each, so that many reading clients slow
 * themselves down and not the runs.
 */
export interface ReadTurns {
  /** Resolves when the caller may read. A single read waits for nothing. */
  wait(): Promise<void>
  /** A run is executed from now on; the answer is called when it is not any more. */
  yieldToRun(): () => void
}

/** @param now milliseconds that only grow */
export function createReadTurns(now: () => number): ReadTurns {
  const queue: (() => void)[] = []
  let runs = 0
  let isTaken = false

  const begin = (read: () => void) => {
    isTaken = true
    const began = now()
    read()
    // After the read, which goes on in microtasks, and after what else the loop had to do.
    setImmediate(() => {
      const pause = runs === 0 ? 0 : Math.min(longestPauseMs, shareForRuns * (now() - began))
      if (pause > 0) setTimeout(end, pause)
      else end()
    })
  }
  const end = () => {
    const next = queue.shift()
    if (next) begin(next)
    else isTaken = false
  }

  return {
    wait: () =>
      new Promise(resolve => {
        if (isTaken) queue.push(resolve)
        else begin(resolve)
      }),
    yieldToRun: () => {
      runs++
      return () => {
        runs--
      }
    },
  }
}
