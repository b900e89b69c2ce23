import { setImmediate } from 'node:timers/promises'

const longest = 4

/**
 * Lets other work of the process go on: called after each row, it pauses once 4 ms have passed without a pause. Streams alone do not
 * do that, since data at hand is handed over without a turn of the event loop.
 */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < longest) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}
