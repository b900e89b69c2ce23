import { startModelServer } from '../journeys/model-server/server.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay, submitReplay } from './support/slow-run.ts'
import { violations } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

test('a run whose endpoint is down says so everywhere and resumes by a click', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', delayMs: 400 }, { max_concurrency: 2 })
  const { port } = new URL(replay.server.baseUrl)
  const run = await submitReplay(client, replay, 250, 'Endpoint goes away')
  await app.goto(`/runs/${run.id}`)
  await expect(app.getByText('Running').first()).toBeVisible()
  await replay.server.close()

  const progress = app.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('Paused: endpoint down')
  await expect(progress).toContainText('refuses connections')
  await expect(progress).toContainText(/Next attempt in \d+ s\.|Trying now…/)
  await expect(progress.locator('dt', { hasText: 'Time left' }).locator('+ dd')).toHaveText('–')
  const strip = app.getByRole('navigation', { name: 'Samples by outcome' })
  await expect(strip).toContainText('waiting')
  await expect(strip).not.toContainText('in progress')
  expect(await violations(app)).toEqual([])
  await app.screenshot({ path: test.info().outputPath('paused.png') })

  await app.goto('/runs')
  await expect(app.getByRole('row').filter({ hasText: 'Endpoint goes away' })).toContainText('Paused: endpoint down')
  await app.goto('/')
  await expect(app.getByRole('region', { name: 'Running now' })).toContainText('Paused: endpoint down')
  await expect(app.getByRole('main').getByRole('link', { name: 'Endpoint goes away' })).toHaveCount(1)

  await app.goto(`/runs/${run.id}`)
  // Until the service would try again by itself there is time to click.
  await expect(progress).toContainText(/Next attempt in [1-6]\d s\./, { timeout: 40_000 * patience() })
  const again = await startModelServer({ answers: () => '#### 7', port: Number(port) })
  try {
    await progress.getByRole('button', { name: 'Resume now' }).click()
    await expect(app.getByText('Complete').first()).toBeVisible({ timeout: 60_000 * patience() })
    expect((await client.call('getRun', { params: { run_id: run.id } })).progress).toMatchObject({ scored: 250, failed: 0 })
  } finally {
    await again.close()
  }
  expect(complaints).toEqual([])
})
