import { expect, test } from './support/workstation.ts'

test('a backup is listed with its state in the menu of running work', async ({ app, workstation, complaints }) => {
  await app.goto('/runs')
  const started = await fetch(`${workstation.baseUrl}/v1/backups`, {
    method: 'POST',
    headers: { ...workstation.owner, 'idempotency-key': 'jobs-spec' },
  })
  expect(started.ok).toBe(true)
  await app.reload()
  const menu = app.getByRole('banner').getByRole('button', { name: /running$|^Recent jobs$/ })
  await menu.click()
  const jobs = app.getByRole('region', { name: 'Background jobs' })
  await expect(jobs.getByText('Backup', { exact: true })).toBeVisible()
  await expect(jobs.getByText('Succeeded')).toBeVisible()
  await expect(jobs.getByRole('button', { name: 'Cancel backup' })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a running job is cancelled from the menu', async ({ app }) => {
  const job = {
    id: '019aaaaa-0000-7000-8000-000000000001',
    kind: 'backup_check',
    state: 'running',
    workspace_id: null,
    subject: { type: 'backup', id: 'assay-2026-11-22.db' },
    owner: { kind: 'service' },
    evaluator_version_id: null,
    progress: { done: 3, total: 12, message: 'file 3 of 12' },
    attempt: 1,
    retryable: false,
    pause: null,
    quiet_since: new Date(Date.now() - 8 * 60_000).toISOString(),
    error: null,
    created_at: '2026-11-22T09:00:00.000Z',
    started_at: '2026-11-22T09:00:01.000Z',
    finished_at: null,
  }
  const cancelled: string[] = []
  await app.route(/\/v1\/jobs(\?|$)/, route => route.fulfill({ json: { items: cancelled.length > 0 ? [] : [job], next_cursor: null } }))
  await app.route(/\/v1\/jobs\/.*\/cancel$/, route => {
    cancelled.push(route.request().url())
    return route.fulfill({ json: { ...job, state: 'cancelled' } })
  })
  await app.goto('/runs')
  await app.getByRole('button', { name: '1 running' }).click()
  const jobs = app.getByRole('region', { name: 'Background jobs' })
  await expect(jobs.getByText('25 %, file 3 of 12')).toBeVisible()
  await expect(jobs.getByText(/^Last progress 8 minutes ago\. Cancel it/)).toBeVisible()
  await expect(jobs.getByRole('progressbar', { name: 'Progress of backup check: assay-2026-11-22.db' })).toBeVisible()
  await expect(jobs.getByRole('link', { name: 'assay-2026-11-22.db' })).toHaveAttribute('href', '/settings')
  for (const scheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme: scheme })
    await app.screenshot({ path: test.info().outputPath(`jobs-${scheme}.png`) })
  }
  await jobs.getByRole('button', { name: 'Cancel backup check: assay-2026-11-22.db' }).click()
  await expect(jobs).toBeHidden()
  expect(cancelled).toEqual([expect.stringContaining(`/v1/jobs/${job.id}/cancel`)])
})
