import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/require-node-24.ts'],
    pool: 'forks',
    // One more than the smallest machine has cores: many tests wait for a process or a disk.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    server: { deps: { inline: ['electron-store'] } },
  },
})
