import { createRequire } from 'node:module'
import { notedFile } from './note-statements.ts'

/** Not imported by name, which would be this module where it takes the place of the package. */
const original = createRequire(import.meta.url)('piscina') as typeof import('piscina') // require knows no types

/** Milliseconds, at least, for which a thread waits for its next task. */
const leastIdleMs = 10_000
const noting = new URL('note-statements.ts', import.meta.url).href

/**
 * Takes the place of `piscina` under test. To save memory, many threads end as soon as they have nothing to do, one after each quote; a
 * test that quotes ten times would start ten, at 0.1 to 0.6 s of processor time each.
 */
export class Piscina extends original.Piscina {
  constructor(options: NonNullable<ConstructorParameters<typeof original.Piscina>[0]>) {
    super({
      ...options,
      idleTimeout: Math.max(options.idleTimeout ?? 0, leastIdleMs),
      ...(process.env[notedFile] !== undefined && { execArgv: ['--import', noting] }),
    })
  }
}
