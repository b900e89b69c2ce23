import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { packageZip, sums } from '../support/packages.ts'
import { openReport } from './support/open-report.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

test.describe.configure({ mode: 'serial' })
test.use({ viewport: { width: 1280, height: 800 } })

/** A folder for pictures of every page in both schemes, for people to look at; none are made without it. */
const pictures = process.env['ASSAY_PICTURES']

async function picture(app: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme })
    await expect(app.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
    await app.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

const file = (name: string, zip: Buffer) => ({ name, mimeType: 'application/zip', buffer: zip })
const choose = (app: Page, name: string, zip: Uint8Array) => app.locator('input[type=file]').setInputFiles(file(name, Buffer.from(zip)))

test('an upload without its namespace shows its checks and leads to registering one', async ({ app, workstation }) => {
  await app.goto('/creator')
  await expect(app.getByRole('heading', { name: 'No packages yet' })).toBeVisible()
  await picture(app, 'creator-empty')
  await app.getByRole('link', { name: 'Upload a package' }).first().click()
  const download = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Download a template' }).click()
  await app.locator('input[type=file]').setInputFiles(await (await download).path())
  await app.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(app.getByText('The namespace "my-team" is not registered', { exact: false })).toBeVisible()
  await expect(app.getByText('11 of 15 checks')).toBeVisible()
  await expect(app.getByRole('rowheader', { name: 'Hidden characters' })).toBeVisible()
  await picture(app, 'creator-refused')
  await app.getByRole('button', { name: 'Register the namespace' }).click()
  const dialog = app.getByRole('dialog', { name: 'New namespace' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('my-team')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('acme-research')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Acme Research')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(app.getByText('Registered acme-research.')).toBeVisible()
  await app.goto('/creator/namespaces')
  await expect(app.getByRole('rowheader', { name: 'acme-research' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'creator-namespaces')

  const author = generateKeyPairSync('ed25519').publicKey
  const client = ownerClient(workstation)
  const body = { name: 'signed-sums', title: 'Signed sums', public_key: author.export({ type: 'spki', format: 'pem' }).toString() }
  const { key_fingerprint: fingerprint } = await client.call('createNamespace', { body })
  await app.reload()
  await app.getByRole('button', { name: /^Confirm/ }).click()
  const confirming = app.getByRole('dialog', { name: 'Confirm the key of signed-sums?' })
  const confirm = confirming.getByRole('button', { name: 'Confirm key' })
  await expect(confirm).toBeDisabled()
  const field = confirming.getByRole('textbox', { name: 'Fingerprint from the author' })
  await field.fill('ab '.repeat(32))
  await confirm.click()
  await expect(confirming.getByRole('alert')).toContainText('fingerprint')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'creator-confirm-key')
  await field.fill((fingerprint ?? '').toUpperCase().replaceAll(/(..)(?=.)/g, '$1:'))
  await confirm.click()
  await expect(app.getByText('Key of signed-sums confirmed.')).toBeVisible()
})

test('a package is uploaded, checked, approved, published, quoted, run, reported and withdrawn', async ({ app, complaints }, testInfo) => {
  await app.goto('/creator/packages/new')
  await choose(app, 'small-sums.zip', packageZip(sums(120)))
  await app.getByRole('button', { name: 'Check without uploading' }).click()
  await expect(app.getByText('No check fails')).toBeVisible()
  await picture(app, 'creator-dry-run')
  await app.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Small sums' })).toBeVisible()
  await expect(app.getByText('In review', { exact: true })).toBeVisible({ timeout: 60_000 * patience() })
  await expect(app.getByText('What is', { exact: false }).first()).toBeVisible()
  await expect(app.getByText('15 of 15')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'creator-review')

  await app.getByRole('textbox', { name: 'Note' }).fill('Looked at five tasks.')
  await app.getByRole('button', { name: 'Approve' }).click()
  await expect(app.getByText('Not published', { exact: true })).toBeVisible()
  await app.getByRole('button', { name: 'Publish' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(app.getByText('Published', { exact: true }).first()).toBeVisible()
  await picture(app, 'creator-published')

  await app.getByRole('link', { name: 'Creator' }).first().click()
  await app.getByRole('link', { name: 'Private profiles' }).click()
  await expect(app.getByRole('rowheader', { name: 'Small sums · Zero-shot' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'creator-profiles')
  await app.getByRole('link', { name: 'Quote Zero-shot' }).click()
  await expect(app).toHaveURL(/profile=acme-research\.small-sums/)
  await expect(app.getByText('Small sums').first()).toBeVisible()
  await app.getByRole('combobox', { name: /Model/ }).first().click()
  await app.getByRole('option', { name: 'Simulated model (75 %)' }).click()
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.getByText('Complete', { exact: true }).first()).toBeVisible({ timeout: 45_000 * patience() })
  await expect(app.getByRole('region', { name: 'Score' })).toContainText(/\d %.*\(n = 120\)/)
  await picture(app, 'creator-run')
  const report = await openReport(app, testInfo)
  await expect(report.getByRole('heading', { level: 1 })).toContainText('Small sums')
  await expect(report.getByRole('table', { name: 'Metrics' })).toContainText(/Zero-shot/)
  await report.close()

  await app.goto('/creator')
  await app.getByRole('link', { name: 'Small sums' }).click()
  await app.getByRole('button', { name: 'Withdraw' }).click()
  await expect(app.getByText('stay readable', { exact: false })).toBeVisible()
  await app.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(app.getByText('It can’t be quoted any more.', { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a package with a failing check is rejected, with the tasks concerned', async ({ app }) => {
  const rows = sums(40, 2000).map(row => ({ ...row, question: `sk-proj-${'a1B2'.repeat(10)} ${String(row['question'])}` }))
  await app.goto('/creator/packages/new')
  await choose(app, 'leaky.zip', packageZip(rows, { name: 'leaky-sums', title: 'Leaky sums' }))
  await app.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(app.getByText('This version gives no profiles.', { exact: false })).toBeVisible({ timeout: 60_000 * patience() })
  const failed = app.getByRole('row').filter({ has: app.getByRole('rowheader', { name: 'Secrets and personal data' }) })
  await expect(failed.getByText('Fail', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'creator-rejected')
  await app.goto('/creator')
  await expect(app.getByRole('rowheader', { name: 'Leaky sums' })).toBeVisible()
  await picture(app, 'creator-packages')
})
