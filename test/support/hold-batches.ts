import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * `--import` it into a worker: it says that it holds a batch that it has taken, and does nothing with it while the file ASSAY_GATE is
 * there. Work on a fast machine would be over before a test could harm anything.
 */
const gate = process.env['ASSAY_GATE'] ?? ''
const { fetch } = globalThis

globalThis.fetch = async (input, init) => {
  const reply = await fetch(input, init)
  const url = input instanceof Request ? input.url : String(input)
  if (url.endsWith('/take') && reply.ok && existsSync(gate)) {
    console.log('Holding a batch.')
    while (existsSync(gate)) await delay(20)
  }
  return reply
}
