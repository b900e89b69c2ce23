import { Connection } from '../../src/contract/connections/connections.schemas.ts'
import type { Worker, WorkerPage } from '../../src/contract/workers/workers.schemas.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

const worker = (n: number, more: Partial<Worker> = {}): Worker => ({
  id: `01900000-0000-7000-8000-00000000000${n}`,
  name: `rack-${n}`,
  status: 'active',
  labels: ['code'],
  slots: 16,
  busy: 3,
  version: '0.1.0',
  samples: 12_000,
  samples_per_minute: 480,
  joined_at: new Date().toISOString(),
  last_seen_at: new Date().toISOString(),
  shared_keys: [],
  ...more,
})

test('a service without a queue says how workers are started', async ({ app, complaints }) => {
  await app.goto('/settings')
  // By the keyboard: the sections above are still being loaded, and move the link.
  await app.getByRole('main').getByRole('link', { name: 'workers' }).press('Enter')
  await expect(app.getByRole('heading', { name: 'Workers are off' })).toBeVisible()
  await expect(app.getByText('assay serve --queue postgres://…')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('workers of every state are listed; an owner shares a key with an active one and drains it', async ({
  app,
  workstation,
  complaints,
}) => {
  const data = { name: 'Their model', base_url: 'https://models.example/v1', model: 'm', api_key: 'sk-of-a-test' }
  const made = await app.request.post('/v1/connections', { headers: workstation.owner, data })
  const { id } = Connection.parse(await made.json())
  const labels = ['code', `model.${id}`]
  const gone = { busy: null, samples_per_minute: null }
  const items = [
    worker(1, { labels }),
    worker(2, { status: 'draining' }),
    worker(3, { status: 'lost', ...gone }),
    worker(4, { status: 'left', ...gone }),
  ]
  let queue: WorkerPage['queue'] = 'connected'
  await app.route('**/v1/workers?*', route => route.fulfill({ json: { items, next_cursor: null, queue } }))
  await app.route('**/v1/workers/*/drain', route => {
    items[0] = worker(1, { status: 'draining' })
    return route.fulfill({ json: items[0] })
  })
  await app.route(`**/v1/workers/*/keys/${id}`, route => {
    const isShared = route.request().method() === 'PUT'
    items[0] = worker(1, { labels, shared_keys: isShared ? [{ connection_id: id, shared_at: new Date().toISOString() }] : [] })
    return route.fulfill({ json: items[0] })
  })
  await app.goto('/settings/workers')
  const table = app.getByRole('grid', { name: 'Workers' })
  for (const word of ['Active', 'Draining', 'Lost', 'Left', '3 of 16', '480', '12,000']) await expect(table).toContainText(word)
  await expect(table.getByRole('button')).toHaveCount(2)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await table.getByRole('button', { name: 'Keys of rack-1' }).click()
  const keys = app.getByRole('dialog', { name: 'Keys of rack-1' })
  await keys.getByRole('button', { name: 'Share the key of Their model' }).click()
  await expect(keys.getByText('Shared')).toBeVisible()
  await keys.getByRole('button', { name: 'Stop sharing the key of Their model' }).click()
  await expect(keys.getByText('Not shared')).toBeVisible()
  await app.keyboard.press('Escape')
  await table.getByRole('button', { name: 'Drain rack-1' }).focus()
  await app.keyboard.press('Enter')
  const dialog = app.getByRole('dialog', { name: 'Drain rack-1?' })
  await dialog.getByRole('button', { name: 'Drain worker' }).press('Enter')
  await expect(table).not.toContainText('Active')
  await expect(table.getByRole('button', { name: /^Keys of/ })).toHaveCount(0)
  queue = 'unreachable'
  await expect(app.getByText('PostgreSQL does not respond')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a list that cannot be loaded says so, and is there once it can', async ({ app }) => {
  const error = { code: 'internal_error', message: 'The service failed.', request_id: '01900000-0000-7000-8000-000000000001' }
  await app.route('**/v1/workers?*', route => route.fulfill({ status: 500, json: { error } }))
  await app.goto('/settings/workers')
  await expect(app.getByText('Couldn’t load workers')).toBeVisible()
  await app.unroute('**/v1/workers?*')
  await expect(app.getByRole('heading', { name: 'Workers are off' })).toBeVisible()
})
