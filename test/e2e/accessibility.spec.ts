import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, openHome, test } from './support/workstation.ts'

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
  { path: '/no/such/page', ready: 'Page not found' },
]

test('the check itself finds a fault that is planted', async ({ app }) => {
  await openHome(app)
  // The page takes no markup from text, not even here.
  await app.evaluate(() => document.querySelector('main')?.append(document.createElement('button')))
  expect((await violations(app)).join()).toContain('button-name')
})

test('the sign-in page has no serious accessibility fault', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Pairing code').waitFor()
  expect(await violationsInBothSchemes(page)).toEqual([])
})

// In halves, so that two workers share them.
for (const [half, part] of [pages.slice(0, pages.length / 2), pages.slice(pages.length / 2)].entries()) {
  test(`pages have no serious accessibility fault and fit at 200 % zoom (${half + 1} of 2)`, async ({ app }) => {
    for (const { path, ready } of part) {
      await app.goto(path)
      await app.getByRole('heading', { level: 1, name: ready, exact: true }).waitFor()
      await expect(app.locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await violationsInBothSchemes(app), path).toEqual([])
      await expectWholeAtDoubleZoom(app, path)
    }
  })
}

test('the command palette, a dialog and the columns menu have no serious accessibility fault', async ({ app }) => {
  await openHome(app)
  await app.keyboard.press('Control+k')
  await app.getByPlaceholder('Go to a page, run, model, benchmark or dataset').waitFor()
  expect.soft(await violationsInBothSchemes(app)).toEqual([])
  await app.goto('/settings')
  await app.getByRole('button', { name: 'Sign out' }).click()
  await app.getByRole('dialog').waitFor()
  expect.soft(await violationsInBothSchemes(app)).toEqual([])
  await app.goto('/models')
  await app.getByRole('button', { name: 'Columns' }).click()
  await app.getByRole('button', { name: 'Reset columns' }).waitFor()
  expect.soft(await violationsInBothSchemes(app)).toEqual([])
})
