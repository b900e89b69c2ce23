import { defineConfig } from '@playwright/test'

/** Debian's Chromium, unless told otherwise. Without the last five flags it calls home at every start, which a closed network refuses. */
const chromium = {
  executablePath: process.env['ASSAY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  forbidOnly: process.env['CI'] !== undefined,
  // Twice the cores of the smallest machine: a page mostly waits.
  workers: 4,
  reporter: 'list',
  projects: [
    { name: 'browser', testIgnore: 'desktop.spec.ts', use: { browserName: 'chromium', launchOptions: chromium } },
    { name: 'desktop', testMatch: 'desktop.spec.ts' },
  ],
})
