import './support/compile-cache.ts'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './support/slow-first.ts'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/require-node.ts'],
    pool: 'forks',
    // Twice the cores of the smallest machine: many tests wait for a process or a disk.
    maxWorkers: 4,
    // A worker keeps its modules from file to file, which saves a third of the processor time; a file therefore undoes what it does
    // to its process (environment, clock, globals).
    isolate: false,
    sequence: { sequencer: SlowFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is polled waits for work of the service, which takes longer on a busy machine than the default second.
    expect: { poll: { timeout: 30_000 } },
    server: { deps: { inline: ['electron-store'] } },
  },
})
