import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, prepare, test } from './support/workstation.ts'

/** Script that a result may load, in bytes as they are evaluated: with the schemas and pages of every feature it was twice as much. */
const MOST_SCRIPT_BYTES = 1_160_000

const prepareRun = prepare<Run>(async workstation => {
  const client = ownerClient(workstation)
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles })
  return runToEnd(client, workstation.baseUrl, (await submit(client, id, 'A result to open')).id)
})

test('a result is asked for before the app’s code has arrived, once, and drawn with a bounded amount of script', async ({
  app,
  workstation,
  complaints,
}) => {
  const run = await prepareRun(workstation)
  // Pages that nobody opened are loaded in idle moments, which this browser never has.
  await app.addInitScript(() => Object.defineProperty(globalThis, 'requestIdleCallback', { value: () => 0 }))
  const asked: string[] = []
  app.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/v1/me' || pathname.startsWith(`/v1/runs/${run.id}`)) asked.push(pathname + search)
  })
  const answered = app.waitForResponse(reply => reply.url().endsWith('/outcomes'))
  await app.route(/\/assets\/app-[^/]+\.js$/, async route => {
    await answered
    await route.continue()
  })
  await app.goto(`/runs/${run.id}`)
  await expect(app.locator('.results-answer')).toBeVisible()
  await expect(app.locator('.strip-frame canvas')).toBeVisible()

  const wanted = ['/v1/me', `/v1/runs/${run.id}`, `/v1/runs/${run.id}/results?version=${run.result_version}`, `/v1/runs/${run.id}/outcomes`]
  expect(asked.filter(url => wanted.includes(url))).toEqual(wanted)
  const scripts = await app.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(entry => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js'))
      .map(entry => (entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0)),
  )
  expect(scripts.length).toBeLessThanOrEqual(4)
  expect(scripts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MOST_SCRIPT_BYTES)
  expect(complaints).toEqual([])
})

test('a page that nobody has opened yet is loaded when it is opened', async ({ app, complaints }) => {
  await app.addInitScript(() => Object.defineProperty(globalThis, 'requestIdleCallback', { value: () => 0 }))
  await app.goto('/runs')
  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(complaints).toEqual([])

  await app.route(/\/assets\/catalog-page-/, route => route.abort())
  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Catalog' }).click()
  await expect(app.getByRole('heading', { name: 'Couldn’t load this page' })).toBeVisible()
  await app.unroute(/\/assets\/catalog-page-/)
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Catalog' })).toBeVisible()
})
