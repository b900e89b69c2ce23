import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The violations that axe finds on the page. axe is loaded once per document and describes violations alone: describing every
 * element that passes, as `@axe-core/playwright` has it do, takes two thirds of the time.
 */
export async function findViolations(page: Page, options: RunOptions, exclude: readonly string[] = []): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ([runOptions, excluded]) => {
      const { violations } = await window.axe.run({ exclude: [...excluded] }, { ...runOptions, resultTypes: ['violations'] })
      return violations
    },
    [options, exclude] as const,
  )
}

declare global {
  interface Window {
    readonly axe: typeof import('axe-core')
  }
}
