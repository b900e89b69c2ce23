import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './support/workstation.ts'

const pages = [
  { path: '/', ready: 'Home' },
  { path: '/catalog', ready: 'Catalog' },
  { path: '/catalog?open=arithmetic-word-problems', ready: 'Catalog' },
  { path: '/catalog/arithmetic-word-problems', ready: 'Arithmetic word problems' },
  { path: '/catalog/environments', ready: 'Environments' },
  { path: '/catalog/environments/text-to-sql', ready: 'Text to SQL' },
  { path: '/catalog/import', ready: 'Import benchmark data' },
  { path: '/catalog/import?own=yes', ready: 'Import benchmark data' },
  { path: '/models', ready: 'Models' },
  { path: '/models?open=route:assay/oracle-50', ready: 'Models' },
  { path: '/models/connections/new', ready: 'New connection' },
  { path: '/suites', ready: 'Suites' },
  { path: '/suites/new', ready: 'New suite' },
  { path: '/settings', ready: 'Settings' },
  { path: '/settings/network', ready: 'Network log' },
  { path: '/no/such/page', ready: 'No such page' },
]

/** What axe calls serious or critical, with the elements. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)}`))
}

test('the check itself finds a fault that is planted', async ({ app }) => {
  // The page takes no markup from text, not even here.
  await app.evaluate(() => document.querySelector('main')?.append(document.createElement('button')))
  expect((await violations(app)).join()).toContain('button-name')
})

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`${scheme} scheme`, () => {
    test.use({ colorScheme: scheme })

    test('the sign-in page has no serious accessibility fault', async ({ page }) => {
      await page.goto('/')
      await page.getByLabel('Pairing code').waitFor()
      expect(await violations(page)).toEqual([])
    })

    for (const { path, ready } of pages) {
      test(`${path} has no serious accessibility fault`, async ({ app }) => {
        await app.goto(path)
        await app.getByRole('heading', { level: 1, name: ready, exact: true }).waitFor()
        await expect(app.locator('[aria-busy=true]')).toHaveCount(0)
        expect(await violations(app)).toEqual([])
      })
    }

    test('the command palette, a dialog and the columns menu have no serious accessibility fault', async ({ app }) => {
      await app.keyboard.press('Control+k')
      await app.getByPlaceholder('Go to a page or do something').waitFor()
      expect(await violations(app)).toEqual([])
      await app.goto('/settings')
      await app.getByRole('button', { name: 'Sign out' }).click()
      await app.getByRole('dialog').waitFor()
      expect(await violations(app)).toEqual([])
      await app.goto('/models')
      await app.getByRole('button', { name: 'Columns' }).click()
      await app.getByRole('button', { name: 'As at first' }).waitFor()
      expect(await violations(app)).toEqual([])
    })
  })
}

test('at 200 % zoom nothing is cut off sideways', async ({ app }) => {
  await app.setViewportSize({ width: 640, height: 400 })
  for (const { path, ready } of pages) {
    await app.goto(path)
    await app.getByRole('heading', { level: 1, name: ready, exact: true }).waitFor()
    const [wanted, given] = await app.evaluate(() => {
      const main = document.querySelector('main')
      return main ? [main.scrollWidth, main.clientWidth] : [1, 0]
    })
    expect(wanted, path).toBeLessThanOrEqual(given ?? 0)
  }
})
