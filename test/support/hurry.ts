import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a program (`node --import`), lets time pass `ASSAY_HURRY` times as fast for what waits in its main thread: a pause of a
 * minute takes a second. What the program computes, and its calls over the network, take as long as ever.
 */
const speed = Number(process.env['ASSAY_HURRY'])

if (isMainThread && speed > 1) {
  const { setTimeout: wait } = timers
  const hurried: typeof wait = (ms, ...rest) => wait((ms ?? 0) / speed, ...rest)
  Object.assign(timers, { setTimeout: hurried })
  syncBuiltinESMExports()
  const now = performance.now.bind(performance)
  performance.now = () => now() * speed
}
