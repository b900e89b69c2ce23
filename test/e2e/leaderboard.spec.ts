import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

/** Two baselines on the same tasks, the worse one first. */
const prepareRuns = prepare<void>(async workstation => {
  const client = ownerClient(workstation)
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  for (const route_id of ['assay/oracle-50', 'assay/oracle-90']) {
    const coverage = { mode: 'sample', sample_count: 40, seed: 1 } as const
    const { id } = await quote(client, { model: { kind: 'managed', route_id }, profiles, coverage })
    await runToEnd(client, workstation.baseUrl, (await submit(client, id, route_id)).id)
  }
})

const test = base.extend<{ runs: 'ended' }>({
  runs: async ({ workstation }, use) => {
    await prepareRuns(workstation)
    await use('ended')
  },
})

test('baselines are named and not ranked, and a history shows the runs of one', async ({ app, runs: _, complaints }) => {
  await app.goto('/leaderboard')
  const ranking = app.getByRole('region', { name: 'Ranking' })
  await expect(ranking).toContainText('No model has a score here yet, only baselines.')
  await expect(ranking.getByRole('link', { name: /Simulated model \(90 %\)/ })).toBeVisible()
  await ranking.getByRole('link', { name: 'Scores over time' }).click()
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (50 %)' }).click()
  const chart = app.getByRole('figure', { name: /over time$/ })
  await expect(chart).toContainText('Simulated model (50 %)')
  await expect(chart).not.toContainText('Simulated model (90 %)')
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('runs are sorted by score and narrowed to a model in the service', async ({ app, runs: _, complaints }) => {
  await app.goto('/runs?sort=-score')
  const rows = app.getByRole('grid', { name: 'Runs' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('assay/oracle-90')
  await app.getByRole('button', { name: 'Score' }).click()
  await app.getByRole('button', { name: 'Score' }).click()
  await expect(rows.nth(1)).toContainText('assay/oracle-50')
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (90 %)' }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText('assay/oracle-90')
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})
