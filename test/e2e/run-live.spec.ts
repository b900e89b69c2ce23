import { connectReplay, submitReplay } from './support/slow-run.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'

test('a run of a slow model is watched and cancelled', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  // The run takes longer than the test may, however busy the machine is.
  const replay = await connectReplay(client, { answers: () => '#### 7', delayMs: 1_000 }, { max_concurrency: 1 })
  try {
    const run = await submitReplay(client, replay, 200, 'Slow and watched')
    await app.goto('/runs')
    const row = app.getByRole('row').filter({ hasText: 'Slow and watched' })
    await expect(row.getByText('Running', { exact: true })).toBeVisible()
    await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuemax', '200')
    await row.getByRole('link').click()

    const progress = app.getByRole('region', { name: 'Progress', exact: true })
    await expect(progress.getByText('live', { exact: true })).toBeVisible()
    await expect(progress.getByText(/per second/)).toBeVisible()
    await expect(progress.getByText(/^\d+ scored$/)).toBeVisible()
    const curve = app.getByRole('img', { name: 'Score so far' })
    await expect(curve.locator('desc')).toContainText(/\(n = \d+\)/)

    await app.getByRole('button', { name: 'Cancel run' }).click()
    const dialog = app.getByRole('dialog', { name: /Cancel .*Slow and watched/ })
    await dialog.getByRole('button', { name: 'Keep running', exact: true }).click()
    await expect(dialog).toBeHidden()
    expect((await client.call('getRun', { params: { run_id: run.id } })).status).toBe('running')
    await app.getByRole('button', { name: 'Cancel run' }).click()
    await dialog.getByRole('button', { name: 'Cancel run' }).click()

    await expect(app.getByText('Cancelled', { exact: true }).first()).toBeVisible()
    await expect(app.getByRole('button', { name: 'Cancel run' })).toHaveCount(0)
    await expect(app.getByText(/The run ended cancelled/)).toBeVisible()
    const { progress: counts } = await client.call('getRun', { params: { run_id: run.id } })
    expect(counts.scored + counts.failed + counts.excluded + counts.missing + counts.cancelled).toBe(200)
    await expect(progress.getByText(`${counts.cancelled} not run: cancelled`)).toBeVisible()
  } finally {
    await replay.server.close()
  }
  expect(complaints).toEqual([])
})

test('a run is followed by polling where its stream cannot be kept open', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', delayMs: 50 })
  try {
    await app.route('**/v1/runs/*/events', route => route.abort())
    const run = await submitReplay(client, replay, 60, 'Polled')
    await app.goto(`/runs/${run.id}`)
    await expect(app.getByRole('region', { name: 'Score', exact: true })).toBeVisible()
    await expect(app.getByText('Complete', { exact: true })).toBeVisible()
  } finally {
    await replay.server.close()
  }
})

test('errors of a model are counted by code and lead to its samples', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const faults = Array.from({ length: 12 }, (_, index) => (index % 3 === 1 ? ('bad-request' as const) : ('ok' as const)))
  const replay = await connectReplay(client, { answers: () => '#### 7', faults }, { max_concurrency: 1 })
  try {
    const run = await submitReplay(client, replay, 20, 'With errors')
    await app.goto(`/runs/${run.id}`)
    const errors = app.getByRole('table', { name: 'Errors by code' })
    await expect(errors).toBeVisible()
    await expect(errors.getByRole('row').filter({ hasText: 'Request rejected' })).toBeVisible()
    await app.getByRole('link', { name: 'All failed samples' }).click()
    await expect(app).toHaveURL(/samples\?status=failed$/)
    const rows = app.getByRole('grid', { name: 'Samples' }).getByRole('row')
    const { progress } = await client.call('getRun', { params: { run_id: run.id } })
    expect(progress.failed).toBeGreaterThan(0)
    await expect(rows).toHaveCount(1 + progress.failed)
    await rows.nth(1).click()
    await expect(app.getByRole('complementary', { name: 'Transcript' }).getByText('Request rejected').first()).toBeVisible()
  } finally {
    await replay.server.close()
  }
})
