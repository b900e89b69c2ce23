import './support/compile-cache.ts'
import { defineConfig } from 'vitest/config'
import { patience } from './support/machine-speed.ts'
import { isProgramBuilt } from './support/program.ts'
import { SlowFirst } from './support/slow-first.ts'

const instead = (find: RegExp, file: string) => ({ find, replacement: new URL(file, import.meta.url).pathname })
/** Threads are half of the processor time of tests of the service: few are started, and from what is built. */
const threads = [
  instead(/^piscina$/, 'support/lasting-pools.ts'),
  ...(isProgramBuilt ? [instead(/^.*\/worker-file\.ts$/, 'support/program.ts')] : []),
]

export default defineConfig({
  resolve: { alias: threads },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/require-node.ts'],
    pool: 'forks',
    // A service keeps most of what it loads: young objects that are moved twice before they are old cost more than the memory.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'],
    // Twice the cores of the smallest machine: many tests wait for a process or a disk.
    maxWorkers: 4,
    // A worker keeps its modules from file to file, which saves a third of the processor time; a file therefore undoes what it does
    // to its process (environment, clock, globals).
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Long enough for every test: only what hangs is ended by it.
    testTimeout: 90_000 * patience(),
    hookTimeout: 90_000 * patience(),
    // What is polled waits for work of the service, which takes longer on a busy machine than the default second.
    expect: { poll: { timeout: 30_000 * patience() } },
    server: { deps: { inline: ['electron-store'] } },
  },
})
