import type { Clock } from '../../src/service/kernel.ts'

export interface MovingClock extends Clock {
  /** Milliseconds, forwards; below 0 back, as a correction of the machine's clock. */
  advance(ms: number): void
}

/** A clock that stands still until it is moved. */
export function movingClock(start = Date.now()): MovingClock {
  let now = start
  return {
    now: () => new Date(now),
    advance: ms => {
      now += ms
    },
  }
}
