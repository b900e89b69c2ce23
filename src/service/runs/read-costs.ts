/** Milliseconds of the loop that it takes to hand a read to a thread and its answer to the client, twice over. */
const worthHandingOverMs = 1
/** Weight of the newest read in the average. */
const newest = 0.1
/** While a thread answers, one read in so many is measured here, so that one slow moment does not decide for good. */
const measuredOnceIn = 32

/** What an operation's reads cost the loop, by which each is answered in the loop or by a thread. */
export interface ReadCosts {
  /** Whether a run is executed and so many rows would take the loop longer than handing the read over. */
  areHigh(rows: number): boolean
  /** Reads here, and takes its cost down. */
  measured<Answer>(rows: number, read: () => Answer): Answer
}

/** @param worked milliseconds of processor time of this thread */
export function createReadCosts(isRunExecuted: () => boolean, worked: () => number): ReadCosts {
  let msPerRow: number | null = null
  let handedOver = 0
  return {
    areHigh: rows => isRunExecuted() && (msPerRow ?? 0) * rows > worthHandingOverMs && ++handedOver % measuredOnceIn !== 0,
    measured: (rows, read) => {
      const began = worked()
      const answer = read()
      const ms = (worked() - began) / Math.max(1, rows)
      msPerRow = msPerRow === null ? ms : msPerRow + newest * (ms - msPerRow)
      return answer
    },
  }
}
