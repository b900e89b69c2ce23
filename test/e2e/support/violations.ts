import { expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { findViolations } from '../../support/axe.ts'

/** What axe calls serious or critical on the page as it stands, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  return serious(page, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } })
}

/** The same in the light scheme and then in the dark one, where only what colors decide is checked again. Leaves the page dark. */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  await chooseScheme(page, 'light')
  const light = await violations(page)
  await chooseScheme(page, 'dark')
  const dark = await serious(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } })
  return [...light.map(fault => `light: ${fault}`), ...dark.map(fault => `dark: ${fault}`)]
}

/** At 200 % zoom of 1280 × 800 a window cuts nothing of the page off sideways, and only the page scrolls in it. Leaves the window as it was. */
export async function expectWholeAtDoubleZoom(page: Page, message?: string): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 640, height: 400 })
  const cutOff = () =>
    page.evaluate(() => {
      const main = document.querySelector('main')
      const { scrollHeight, clientHeight } = document.documentElement
      return main ? Math.max(main.scrollWidth - main.clientWidth, scrollHeight - clientHeight) : Number.NaN
    })
  // Charts learn of a new width a frame later.
  await expect.poll(cutOff, { message: message ?? 'pixels outside the window' }).toBe(0)
  if (before) await page.setViewportSize(before)
}

async function chooseScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
}

async function serious(page: Page, options: RunOptions): Promise<string[]> {
  // A color that is still changing is neither of the two.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  const found = await findViolations(page, options)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
}
