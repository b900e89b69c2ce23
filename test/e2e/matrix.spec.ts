import type { Page } from '@playwright/test'
import type { RunGroup } from '../../src/contract/run-groups/run-groups.schemas.ts'
import { profileId } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

/** Three models on the same 120 tasks, which have ended. */
const prepareGroup = prepare<RunGroup>(async workstation => {
  const client = ownerClient(workstation)
  const quoted = await client.call('quoteRunGroup', {
    body: {
      models: ['assay/oracle-50', 'assay/oracle-90', 'assay/echo'].map(route_id => ({ kind: 'managed' as const, route_id })),
      selection: { profile_ids: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] },
      coverage: { mode: 'sample', sample_count: 120, seed: 1 },
      max_charge_microusd: '0',
    },
  })
  const body = { name: 'Three models', quote_ids: quoted.quotes.map(({ id }) => id), max_charge_microusd: '0' }
  const { id } = await client.call('createRunGroup', { body })
  await expect.poll(async () => (await client.call('getRunGroup', { params: { run_group_id: id } })).ended).toBe(true)
  return client.call('getRunGroup', { params: { run_group_id: id } })
})

const test = base.extend<{ group: RunGroup }>({
  group: async ({ workstation }, use) => use(await prepareGroup(workstation)),
})

const rowsSaid = (app: Page) => app.getByRole('status').filter({ hasText: /rows?$/ })

async function openMatrix(app: Page, group: RunGroup): Promise<void> {
  await app.goto(`/run-groups/${group.id}`)
  await app.getByRole('button', { name: 'Answers as a matrix' }).click()
  await app.waitForURL(/\/compare\/[0-9a-f-]{36}\/matrix$/)
  await expect(rowsSaid(app)).toHaveText('120 rows')
}

test('a run group leads to its matrix, which is filtered by disagreement and by the verdict of a model', async ({
  app,
  group,
  complaints,
}) => {
  await openMatrix(app, group)
  const grid = app.getByRole('grid', { name: 'Answers by task and model' })
  await expect(grid.getByRole('row').nth(1)).toContainText(/Correct|Wrong/)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await grid.focus()
  await app.keyboard.press('d')
  await expect(app).toHaveURL(/agreement=different/)
  await expect(rowsSaid(app)).not.toHaveText('120 rows')
  await app.keyboard.press('d')
  await app.getByRole('button', { name: 'Filter by the verdicts of Simulated model (90 %)' }).click()
  await app.getByRole('menuitem', { name: 'Wrong' }).click()
  await expect(app).toHaveURL(/pattern=.w./)
  await expect(rowsSaid(app)).not.toHaveText('120 rows')
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(4)).toContainText('Wrong')
  // No task is partly right; the filter is still shown, and cleared by itself.
  await app.getByRole('button', { name: 'Filter by the verdicts of Simulated model (90 %)' }).click()
  await app.getByRole('menuitem', { name: 'Partial' }).click()
  await expect(app.getByText('No tasks match these filters')).toBeVisible()
  await app.getByRole('button', { name: 'Clear filter Partial: Simulated model (90 %)' }).click()
  await expect(rowsSaid(app)).toHaveText('120 rows')
  expect(complaints).toEqual([])
})

test('a cell opens every answer to its task, which arrows and letters walk through', async ({ app, group, complaints }) => {
  await openMatrix(app, group)
  const grid = app.getByRole('grid', { name: 'Answers by task and model' })
  await grid.getByRole('row').nth(2).getByRole('gridcell').last().click()
  const panel = app.getByRole('complementary', { name: 'Answers' })
  await expect(panel.getByRole('region', { name: 'Answers: baseline' })).toBeVisible()
  await expect(panel.getByRole('region', { name: 'Answers: Echo' })).toHaveAttribute('data-chosen', 'true')
  await app.keyboard.press('ArrowLeft')
  await expect(panel.getByRole('region', { name: 'Answers: Simulated model (90 %)' })).toHaveAttribute('data-chosen', 'true')
  const title = panel.getByRole('heading', { level: 2 }).first()
  const first = (await title.textContent()) ?? ''
  await panel.getByRole('button', { name: 'Next task (j)' }).click()
  await expect(title).not.toHaveText(first)
  await app.keyboard.press('k')
  await expect(title).toHaveText(first)
  await app.reload()
  await expect(title).toHaveText(first)
  await expect(grid.getByRole('row', { selected: true })).toContainText(first)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await grid.focus()
  await app.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a search finds what an answer says', async ({ app, group }) => {
  await openMatrix(app, group)
  const grid = app.getByRole('grid', { name: 'Answers by task and model' })
  const task = (await grid.getByRole('rowheader').first().textContent()) ?? ''
  await app.getByRole('searchbox', { name: 'Search tasks and answers' }).fill(task)
  await expect(rowsSaid(app)).toHaveText('1 row')
  await app.getByRole('searchbox', { name: 'Search tasks and answers' }).fill('nothing-says-this')
  await expect(app.getByRole('heading', { name: 'No tasks match these filters' })).toBeVisible()
})
