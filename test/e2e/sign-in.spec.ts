import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeRedirectFile } from '../../src/headless/redirect-file.ts'
import { expect, signIn, test } from './support/workstation.ts'

test('a wrong code is refused with a reason and the right one opens the requested page', async ({ page, workstation }) => {
  await page.goto('/models')
  await expect(page).toHaveTitle('Sign in to Assay · Assay')

  await page.getByLabel('Pairing code').fill('AAAA-AAAA')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Pairing code')).toHaveAttribute('aria-invalid', 'true')
  await expect(
    page
      .getByText(/code/i)
      .filter({ hasText: /wrong|not|expired|new/i })
      .last(),
  ).toBeVisible()

  // Dashes and case do not matter.
  await page.getByLabel('Pairing code').fill((await workstation.pairingCode()).replaceAll('-', '').toLowerCase())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible()
})

test('no secret is in the address or within reach of scripts', async ({ page, workstation }) => {
  await signIn(page, workstation)
  expect(new URL(page.url()).search).toBe('')
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))).not.toMatch(/asy_|asn_/)
})

test('signing out asks first and shows the sign-in page', async ({ page, workstation }) => {
  await signIn(page, workstation)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out of Assay?' })
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Pairing code')).toBeVisible()
})

test('the address that "assay open" opens signs in once and keeps no code', async ({ page, workstation }) => {
  const code = await workstation.pairingCode()
  await page.goto(`/models#pair=${code}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await page.context().clearCookies()
  await page.goto(`/settings#pair=${code}`)
  await expect(page.getByText('The pairing code is wrong, used or expired.')).toBeVisible()
})

test('the file that "assay open" opens leads to the page, signed in, and no other site leads further', async ({ page, workstation }) => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-open-'))
  try {
    const file = await writeRedirectFile(folder, `${workstation.baseUrl}/#pair=${await workstation.pairingCode()}`)
    await page.goto(pathToFileURL(file).href)
    await expect(page.getByRole('navigation').first()).toBeVisible()
    expect(new URL(page.url()).hash).toBe('')
    await page.reload()
    await expect(page.getByRole('navigation').first()).toBeVisible()

    const elsewhere = await writeRedirectFile(folder, `${workstation.baseUrl}/models`)
    await page.goto(pathToFileURL(elsewhere).href)
    await expect(page.getByText('Requests of other web pages are refused')).toBeVisible()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
