import './support/compile-cache.ts'
import { defineConfig } from '@playwright/test'
import { patience } from './support/machine-speed.ts'
import './support/program.ts'
import { browserArguments, findBrowser, packagedBrowsers } from './support/chromium.ts'

const chromium = { executablePath: findBrowser() ?? packagedBrowsers[0] ?? '', args: [...browserArguments] }

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  forbidOnly: process.env['CI'] !== undefined,
  // Twice the cores of the smallest machine: a page mostly waits.
  workers: 4,
  reporter: 'list',
  // Four pages share two cores: what is waited for may take its turn.
  timeout: 90_000 * patience(),
  use: { contextOptions: { reducedMotion: 'reduce' } },
  expect: { timeout: 20_000 * patience() },
  projects: [
    { name: 'browser', testIgnore: 'desktop.spec.ts', use: { browserName: 'chromium', launchOptions: chromium } },
    { name: 'desktop', testMatch: 'desktop.spec.ts' },
  ],
})
