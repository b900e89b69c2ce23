import type { Page } from '@playwright/test'
import { patience } from '../support/machine-speed.ts'
import { violations } from './support/violations.ts'
import { expect, openHome, test } from './support/workstation.ts'

/** Counts what a hand does. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('reportClick', () => clicks++)
  await page.addInitScript("addEventListener('pointerdown', () => void globalThis.reportClick(), { capture: true })")
  return () => clicks
}

test('a visitor learns from the demo why model B is worse on long questions, and removes it', async ({ app, complaints }) => {
  const clicks = await countClicks(app)
  await openHome(app)
  await app.getByRole('button', { name: 'Look around' }).click()
  const banner = app.getByRole('complementary', { name: 'Demo' })
  await expect(banner.getByText('real runs of simulated models')).toBeVisible({ timeout: 120_000 * patience() })

  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }).click()
  await app.getByRole('link', { name: 'Models B and C against model A' }).click()
  const parts = app.getByRole('region', { name: 'Where it comes from' })
  await parts.getByRole('link', { name: /^5 \(n = 54\): −/ }).click()
  await app.getByRole('region', { name: 'Flips' }).getByRole('button', { name: /lost/ }).click()
  const tasks = app.getByRole('grid', { name: 'Compared tasks' })
  await expect(tasks.getByText('Both correct')).toHaveCount(0)
  await tasks.getByRole('row').nth(1).click()
  await expect(app.getByText('####').first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(12)
  expect(await violations(app)).toEqual([])

  await app.getByRole('button', { name: 'Remove demo' }).click()
  await expect(app.getByRole('button', { name: 'Look around' })).toBeVisible()
  await expect(banner).toBeHidden()
  expect(complaints).toEqual([])
})
