import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { bfclData, jsonLines } from '../support/bfcl-data.ts'
import { zipOf } from '../support/make-zip.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test.use({ viewport: { width: 1280, height: 900 } })

/** A folder for pictures in both schemes, for people to look at; none are made without it. */
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

const send = (app: Page, name: string, content: Buffer | string) =>
  app.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })

test('BFCL’s archive is recognized, and each of its environments opens in the editor', async ({ app, complaints }) => {
  await app.goto('/catalog/import')
  await send(app, 'bfcl.zip', zipOf(bfclData))
  await expect(app.getByRole('radio', { name: 'An environment' })).toBeChecked()
  await expect(app.getByRole('button', { name: 'Remove bfcl.zip' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'world-import')
  await app.getByRole('button', { name: 'Create draft' }).click()
  const choice = app.getByRole('combobox', { name: 'Environment' })
  await expect(choice).toHaveValue('BFCL, GorillaFileSystem (2 tasks)')
  await expect(app.getByText('2 of 2 tasks pass')).toBeVisible()
  await expect(app.getByText('1 × tasks with VehicleControlAPI, which Assay does not play')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'world-import-drafts')
  await choice.click()
  await app.getByRole('option', { name: /without rm/ }).click()
  await expect(app.getByLabel('Slug')).toHaveValue('bfcl-gorillafilesystem-without-rm')
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(app.getByRole('table', { name: 'Tools' }).getByRole('row')).toHaveCount(5)
  expect(complaints).toEqual([])
})

const call = { id: 'c1', type: 'function', function: { name: 'read_order', arguments: '{"id":"A1"}' } }
const recorded = {
  messages: [
    { role: 'user', content: 'Where is order A1?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'on its way' },
    { role: 'assistant', content: 'It is on its way.' },
  ],
}

test('conversations with tool calls among files of one’s own are offered as an environment', async ({ app, complaints }) => {
  await app.goto('/catalog/import?own=yes')
  await send(app, 'train.jsonl', `${jsonLines(recorded)}\nnot JSON`)
  await app.getByRole('button', { name: 'Make an environment' }).click()
  await app.getByLabel('Title').fill('Orders')
  await app.getByRole('button', { name: 'Create draft' }).click()
  await expect(app.getByText('1 of 1 tasks pass')).toBeVisible()
  await expect(app.getByText('train.jsonl:2')).toBeVisible()
  await expect(app.getByLabel('Slug')).toHaveValue('orders')
  expect(complaints.filter(text => !text.includes('422'))).toEqual([])
})

test('a draft that failed says why, and is asked for no longer', async ({ app }) => {
  let asked = 0
  await app.clock.install()
  app.on('request', request => {
    if (/\/v1\/(?:environments\/drafts|jobs)\/[0-9a-f-]{36}$/.test(request.url())) asked++
  })
  await app.goto('/catalog/import?own=environment')
  await send(app, 'notes.txt', 'No conversation.')
  await app.getByRole('button', { name: 'Create draft' }).click()
  await expect(app.getByText('None of the files can be imported', { exact: false })).toBeVisible()
  await picture(app, 'world-import-failed')
  expect(await violationsInBothSchemes(app)).toEqual([])
  const before = asked
  // Longer than a job is polled.
  await app.clock.runFor(10_000)
  expect(asked).toBe(before)
})
