import type { Page } from '@playwright/test'

/** Counts what a hand does: every press of a button of the mouse. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('reportClick', () => clicks++)
  await page.addInitScript("addEventListener('pointerdown', () => void globalThis.reportClick(), { capture: true })")
  return () => clicks
}
