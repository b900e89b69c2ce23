import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openDatabase } from '../../src/storage/database.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { startModelServer } from './support/model-server.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test, type Workstation } from './support/workstation.ts'

test('a backup is made, listed, and the schedule is saved', async ({ app, complaints }) => {
  await app.goto('/settings')
  const backups = app.getByRole('region', { name: 'Backups' })
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(backups.getByRole('table', { name: 'Backups' })).toContainText('Manual')
  await expect(backups.getByText('Last backup: just now')).toBeVisible()
  await expect(backups.getByRole('button', { name: 'Back up now' })).toBeEnabled()

  await backups.getByRole('combobox', { name: 'Schedule' }).click()
  await app.getByRole('option', { name: 'Every week' }).click()
  await backups.getByLabel('Backups kept').fill('3')
  // The page said "in 7 days" before: only the answer tells that the number is kept.
  const saved = app.waitForResponse(reply => reply.request().method() !== 'GET' && (reply.request().postData() ?? '').includes('3'))
  await backups.getByLabel('Backups kept').blur()
  await saved
  await expect(backups.getByText('next in 7 days')).toBeVisible()
  await app.reload()
  await expect(app.getByRole('combobox', { name: 'Schedule' })).toHaveValue('Every week')
  await expect(app.getByLabel('Backups kept')).toHaveValue('3')
  expect(complaints).toEqual([])
})

test('a backup of a newer Assay says so, and can be neither checked nor restored', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  await client.call('startBackup', {})
  await expect.poll(async () => (await client.call('listBackups', {})).running).toBeNull()
  const [{ name } = { name: '' }] = (await client.call('listBackups', {})).items
  const { data_folder: folder } = await client.call('getInstallation', {})
  const file = openDatabase(join(folder ?? '', 'backups', name))
  file.pragma(`user_version = ${migrations.length + 1}`)
  file.close()
  await app.goto('/settings')
  const row = app.getByRole('table', { name: 'Backups' }).getByRole('row').filter({ hasText: name })
  await expect(row.getByText('Newer', { exact: true })).toBeVisible()
  await expect(row.getByText('Made by a newer Assay. Update Assay to check or restore it.')).toBeVisible()
  await expect(row.getByRole('button', { name: `Check the backup ${name}` })).toBeDisabled()
  await expect(row.getByRole('button', { name: `Restore the backup ${name}` })).toBeDisabled()
  await row.scrollIntoViewIfNeeded()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

/** Ends what other tests of this worker left running: a restore would undo it, so it is refused. */
async function noRuns(app: Page, { baseUrl, owner }: Workstation): Promise<void> {
  await expect
    .poll(async () => {
      const open: string[] = []
      for (const status of ['queued', 'running', 'cancelling']) {
        const reply = await app.request.get(`${baseUrl}/v1/runs?limit=100&status=${status}`, { headers: owner })
        const { items }: { items: { id: string; status: string }[] } = await reply.json()
        open.push(...items.map(({ id }) => id))
        for (const { id } of items) await app.request.post(`${baseUrl}/v1/runs/${id}/cancel`, { headers: owner })
      }
      return open
    })
    .toEqual([])
}

async function backupNames(app: Page, { baseUrl, owner }: Workstation): Promise<string[]> {
  const reply = await app.request.get(`${baseUrl}/v1/backups`, { headers: owner })
  const { items }: { items: { name: string }[] } = await reply.json()
  return items.map(({ name }) => name)
}

test('a backup is checked, and restored after a dialog that says what is replaced', async ({ app, workstation, complaints }) => {
  const name = `Before restore ${crypto.randomUUID().slice(0, 8)}`
  const rename = (to: string) =>
    app.request.patch(`${workstation.baseUrl}/v1/workspaces/${workstation.owner['x-workspace-id']}`, {
      headers: workstation.owner,
      data: { name: to },
    })
  expect((await rename(name)).ok()).toBe(true)
  await app.goto('/settings')
  const backups = app.getByRole('region', { name: 'Backups' })
  const earlier = await backupNames(app, workstation)
  await backups.getByRole('button', { name: 'Back up now' }).click()
  // Earlier ones may be just as new; only the one that is added holds the name.
  const added = async () => (await backupNames(app, workstation)).find(one => !earlier.includes(one)) ?? ''
  await expect.poll(added).not.toBe('')
  const row = backups.getByRole('row').filter({ has: app.getByRole('button', { name: `Restore the backup ${await added()}` }) })
  await row.getByRole('button', { name: /^Check the backup/ }).click()
  await expect(row).toContainText('Sound')
  expect((await rename('Another name')).ok()).toBe(true)

  await noRuns(app, workstation)
  await row.getByRole('button', { name: /^Restore the backup/ }).click()
  const dialog = app.getByRole('dialog', { name: 'Go back to this backup?' })
  await expect(dialog).toContainText('The current database is kept as a backup')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(backups.getByText('Restored', { exact: true })).toBeVisible()
  // The pages go on, signed in, with the data of that moment.
  await expect(app.getByRole('region', { name: 'Session' })).toContainText(name)
  await expect(backups.getByRole('table', { name: 'Backups' })).toContainText('Before a restore')
  expect(complaints).toEqual([])
})

test('the database is examined on demand', async ({ app, complaints }) => {
  await app.goto('/settings')
  const storage = app.getByRole('region', { name: 'Storage' })
  await storage.getByRole('button', { name: 'Check database' }).click()
  await expect(storage.getByText('Database check passed', { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a backup that failed says why', async ({ app }) => {
  await app.route('**/v1/backups', async route => {
    const reply = await route.fetch()
    const body: object = await reply.json()
    await route.fulfill({ json: { ...body, last_failure: { at: '2026-11-20T09:30:00.000Z', message: 'The disk has 5 bytes free.' } } })
  })
  await app.goto('/settings')
  await expect(app.getByText('The last backup failed')).toBeVisible()
  await expect(app.getByText('The disk has 5 bytes free.', { exact: false })).toBeVisible()
})

test('the network log says when no server was talked to, and names each that was with requests and bytes', async ({ app, complaints }) => {
  await app.route('**/v1/network-log*', route => route.fulfill({ json: { items: [], next_cursor: null } }))
  await app.goto('/settings')
  await app.getByRole('link', { name: 'network log' }).click()
  await expect(app.getByText('No servers contacted yet')).toBeVisible()
  await app.unroute('**/v1/network-log*')

  const server = await startModelServer()
  await app.goto('/models/connections/new')
  await app.getByLabel('Name', { exact: false }).first().fill('Logged')
  await app.getByLabel('Base address').fill(server.baseUrl)
  await app.getByLabel('Model', { exact: false }).first().fill('tiny')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByText('Works', { exact: true })).toBeVisible()
  await server.close()

  await app.goto('/settings/network')
  const row = app
    .getByRole('grid', { name: 'Servers' })
    .getByRole('row')
    .filter({ hasText: new URL(server.baseUrl).origin })
  // The request of the check, and the look for the context length.
  await expect(row.getByRole('gridcell').first()).toHaveText('2')
  await expect(row).toContainText(/\d B/)
  expect(complaints).toEqual([])
})

test('lost changes are reported on every page, and in Settings until they are dismissed', async ({ app }) => {
  const lost = {
    found_at: '2026-11-28T09:30:00.000Z',
    commits: 25,
    from: '2026-11-28T09:10:00.000Z',
    until: '2026-11-28T09:12:00.000Z',
    calls: 33,
    message: '25 changes are missing from the database, made after 2026-11-28 09:10:00 UTC and until 2026-11-28 09:12:00 UTC.',
  }
  let lost_changes: typeof lost | null = lost
  for (const path of ['**/v1/health', '**/v1/storage'])
    await app.route(path, async route => {
      const reply = await route.fetch()
      const body: object = await reply.json()
      await route.fulfill({ json: { ...body, lost_changes } })
    })
  await app.goto('/runs')
  const banner = app.getByRole('alert').filter({ hasText: lost.message })
  await banner.getByRole('link', { name: 'Settings' }).click()
  await expect(app.getByText('Changes were lost')).toBeVisible()
  expect(await violations(app)).toEqual([])
  const dismissed = app.waitForResponse('**/v1/storage/lost-changes/dismiss')
  lost_changes = null
  await app.getByRole('button', { name: 'Dismiss', exact: true }).click()
  expect((await dismissed).status()).toBe(200)
  await expect(app.getByText('Changes were lost')).toBeHidden()
  await expect(banner).toBeHidden()
  await app.unroute('**/v1/health')
  await app.unroute('**/v1/storage')
})

test('a full disk is reported on every page with the remedy', async ({ app }) => {
  const message = 'The disk is full: nothing was stored. Free some space; Assay resumes automatically.'
  await app.route('**/v1/health', async route => {
    const reply = await route.fetch()
    const body: object = await reply.json()
    const storage = { state: 'full', free_bytes: 0, since: '2026-11-20T09:30:00.000Z', message }
    await route.fulfill({ json: { ...body, status: 'degraded', storage } })
  })
  await app.goto('/runs')
  await expect(app.getByRole('alert').filter({ hasText: message })).toBeVisible()
  await app.unroute('**/v1/health')
  await expect(app.getByRole('alert').filter({ hasText: message })).toBeHidden()
})
