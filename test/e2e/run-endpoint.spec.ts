import type { Locator, Page } from '@playwright/test'
import { Run } from '../../src/contract/runs/runs.schemas.ts'
import type { HttpFaultName } from '../journeys/model-server/http-faults.ts'
import { patience } from '../support/machine-speed.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay, submitReplay } from './support/slow-run.ts'
import { violations } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

/** The number under a name. */
const fact = (region: Locator, name: string): Locator => region.locator('dt', { hasText: name }).locator('+ dd')
const endpointOf = (app: Page): Locator => app.getByRole('region', { name: 'Endpoint' })

/** The check comes first; then every seventh call is throttled, and every ninth is not understood. */
const faults: readonly ('ok' | HttpFaultName)[] = Array.from({ length: 400 }, (_, call) =>
  call === 0 ? 'ok' : call % 7 === 2 ? 'throttled' : call % 9 === 4 ? 'bad-request' : 'ok',
)

test('what the endpoint bears is seen while a run works, and its concurrency is changed', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', delayMs: 200 * patience(), faults }, { max_concurrency: 8 })
  try {
    const run = await submitReplay(client, replay, 250, 'Throttled now and then', { max_attempts: 5, epochs: 4 })
    await app.goto(`/runs/${run.id}`)
    const endpoint = endpointOf(app)
    await expect(endpoint).toContainText(/\d+ in flight, adaptive limit \d+ \(max 8\)/)
    await expect(endpoint).toContainText('used only by this run')
    await expect(fact(endpoint, 'Throttled')).not.toHaveText('0')
    await expect(fact(endpoint, 'Total wait')).not.toHaveText('0 ms')

    await endpoint.getByLabel('Max concurrency').fill('2')
    await app.keyboard.press('Enter')
    await expect(app.getByText('At most 2 calls at a time.')).toBeVisible()
    const activity = async () => (await client.call('getRun', { params: { run_id: run.id } })).activity
    expect((await activity())?.concurrency).toBe(2)
    await expect(endpoint.getByRole('button', { name: 'Set' })).toBeDisabled()
    await endpoint.getByRole('button', { name: 'As many as the endpoint allows' }).click()
    await expect(endpoint.getByLabel('Max concurrency')).toHaveValue('')
    expect((await activity())?.concurrency).toBeNull()

    const errors = app.getByRole('region', { name: 'Errors by kind' })
    await expect(errors.getByRole('row').filter({ hasText: 'Request rejected' })).toContainText('refused this request')
    const landing = app.getByRole('table', { name: 'Samples as they land' })
    await expect(landing.getByRole('row').nth(3)).toContainText('Wrong')
    expect(await violations(app)).toEqual([])
    // As the page began them: news of a request reaches a busy test late.
    const begun = () =>
      app.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes('/samples?'))
          .map(({ startTime }) => startTime),
      )
    await expect.poll(async () => (await begun()).length).toBeGreaterThan(2)
    const asked = await begun()
    expect(Math.min(...asked.slice(1).map((at, index) => at - (asked[index] ?? 0)))).toBeGreaterThanOrEqual(1_000)

    await errors.getByRole('link', { name: 'All failed samples' }).click()
    await expect(app).toHaveURL(/samples\?status=failed$/)
    await expect(app.getByRole('grid', { name: 'Samples' }).getByText('Failed').first()).toBeVisible()
    await client.call('cancelRun', { params: { run_id: run.id } })
  } finally {
    await replay.server.close()
  }
  expect(complaints).toEqual([])
})

test('a Retry-After pause is counted down, and a full disk is reported', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const held = (asked: number) => (asked > 4 ? new Promise(() => {}) : null)
  const replay = await connectReplay(client, { answers: () => '#### 7', held }, { max_concurrency: 1 })
  try {
    const run = await submitReplay(client, replay, 100, 'Not stored')
    const message = 'The disk is full: database or disk is full (SQLITE_FULL).'
    // What a test cannot bring about for one page: a disk without room.
    await app.route('**/v1/runs/*/events', route => route.abort())
    await app.route(`**/v1/runs/${run.id}`, async route => {
      const read = Run.parse(await (await route.fetch()).json())
      const { activity } = read
      const blocked = activity && { ...activity, blocked: message, endpoint: { ...activity.endpoint, pause_ms: 30_000 } }
      await route.fulfill({ json: { ...read, activity: blocked } })
    })
    await app.goto(`/runs/${run.id}`)
    await expect(app.getByRole('status').filter({ hasText: 'Storage unavailable' })).toContainText(message)
    const pause = fact(endpointOf(app), 'Retry-After')
    await expect(pause).toHaveText(/^(30|2\d) s$/)
    // Each reading says 30 seconds again, so only the page itself counts down.
    await expect(pause).toHaveText(/^2[0-7] s$/)
    await client.call('cancelRun', { params: { run_id: run.id } })
  } finally {
    await replay.server.close()
  }
})

test('the live view fits a small window in both schemes', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', held: asked => (asked > 40 ? new Promise(() => {}) : null) })
  try {
    const run = await submitReplay(client, replay, 150, 'In a small window')
    await app.emulateMedia({ colorScheme: 'dark' })
    await app.setViewportSize({ width: 640, height: 400 })
    await app.goto(`/runs/${run.id}`)
    await endpointOf(app).getByLabel('Max concurrency').waitFor()
    const [wanted, given] = await app.evaluate(() => {
      const main = document.querySelector('main')
      return main ? [main.scrollWidth, main.clientWidth] : [1, 0]
    })
    expect(wanted).toBeLessThanOrEqual(given ?? 0)
    expect(await violations(app)).toEqual([])
    await client.call('cancelRun', { params: { run_id: run.id } })
  } finally {
    await replay.server.close()
  }
})
