import { Installation } from '../../src/contract/installation/installation.schemas.ts'
import { destinations } from '../../src/renderer/app/navigation.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { fillWorkspace } from '../bench/synthetic-workspace.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

/** A tenth of what a team of five makes in a year. */
const years = 0.1

const prepareWorkspace = prepare(async ({ baseUrl, owner }) => {
  const reply = await fetch(`${baseUrl}/v1/installation`, { headers: owner })
  const { data_folder: folder } = Installation.parse(await reply.json())
  const db = openDatabase(`${folder ?? ''}/assay.db`)
  const counts = fillWorkspace(db, owner['x-workspace-id'] ?? '', years)
  db.close()
  return counts
})

const test = base.extend<{ counts: Awaited<ReturnType<typeof prepareWorkspace>> }>({
  counts: async ({ workstation }, use) => use(await prepareWorkspace(workstation)),
})

test('every page of a full workspace opens', async ({ app, counts, complaints }) => {
  test.slow()
  expect(counts).toEqual({ runs: 320, models: 30, benchmarks: 40, traces: 9_600 })
  for (const { to } of destinations) {
    await app.goto(to)
    await expect(app.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(app.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(app.getByText(/^Couldn’t load/)).toHaveCount(0)
  }
  expect(complaints).toEqual([])
})

test('New run offers the latest version of each benchmark with at most 20 requests', async ({ app, counts }) => {
  const asked: string[] = []
  // What the frame of every page asks again and again is not the page's.
  const polled = ['/v1/jobs', '/v1/runs', '/v1/health']
  app.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/') && !polled.includes(pathname)) asked.push(pathname)
  })
  await app.goto('/quotes/new')
  const profiles = app.getByRole('group', { name: 'Profiles' })
  await expect(profiles.getByRole('checkbox').first()).toBeVisible()
  await app.waitForLoadState('networkidle')
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(20)
  await profiles.getByRole('searchbox', { name: 'Search benchmarks' }).fill('team benchmark 7')
  const found = profiles.getByRole('checkbox', { name: /team benchmark 7\b/ })
  await expect(found).toHaveCount(1)
  expect(counts.benchmarks).toBeGreaterThan(20)
})

test('the palette finds a benchmark by a search of the service, without reading the catalog', async ({ app, counts }) => {
  expect(counts.benchmarks).toBe(40)
  await app.goto('/settings')
  const asked: string[] = []
  app.on('request', request => {
    if (request.url().includes('/v1/catalog/benchmarks')) asked.push(new URL(request.url()).search)
  })
  await app.keyboard.press('Control+k')
  await app.keyboard.type('team benchmark 31')
  await expect(app.getByRole('option', { name: /team benchmark 31 Benchmark/ })).toBeVisible()
  expect(asked.every(search => search.includes('limit=5'))).toBe(true)
})

test('a retention rule says what it removes before it is saved', async ({ app, counts, complaints }) => {
  expect(counts.runs).toBe(320)
  await app.goto('/suites')
  await expect(app.getByRole('grid', { name: 'Suites' })).toBeVisible()
  await app.goto('/workspace/retention')
  await app.getByRole('button', { name: 'Change the rule for traces' }).click()
  const dialog = app.getByRole('dialog')
  await dialog.getByLabel('Newest to keep').fill('9000')
  await expect(dialog.getByText('600 of 9,600 would be removed now. They cannot be restored.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save and remove 600' }).click()
  await expect(app.getByText('600 removed')).toBeVisible()
  expect(complaints).toEqual([])
})
