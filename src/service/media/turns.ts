/**
 * Does so much work at once, in the order of the requests for it. One that ends before its turn loses it, so that clients that ask and
 * leave delay no other.
 */
export function createTurns(most: number) {
  let taken = 0
  const waiting = new Set<(hasTurn: boolean) => void>()
  const turn = (signal: AbortSignal): Promise<boolean> => {
    if (signal.aborted) return Promise.resolve(false)
    if (taken < most) {
      taken++
      return Promise.resolve(true)
    }
    return new Promise(resolve => {
      const leave = () => settle(false)
      const settle = (hasTurn: boolean) => {
        waiting.delete(settle)
        signal.removeEventListener('abort', leave)
        resolve(hasTurn)
      }
      waiting.add(settle)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  /** Null where the request ended first. */
  return async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null> => {
    if (!(await turn(signal))) return null
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next(true)
      else taken--
    }
  }
}
