import { runToEnd } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('a suite is built from two sources, saved, followed by a version and run as an evaluation', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  await app.goto('/suites/new')
  const save = app.getByRole('button', { name: 'Save suite' })
  await expect(save).toBeDisabled()
  const source = app.getByRole('combobox', { name: 'Source' })
  await source.click()
  await app.getByRole('option', { name: 'Arithmetic word problems' }).click()
  const grid = app.getByRole('grid', { name: 'Tasks to choose from' })
  await grid.getByRole('row').nth(1).click()
  await grid.focus()
  await app.keyboard.press('j')
  await app.keyboard.press('Enter')
  await expect(app.getByText('2 tasks chosen')).toBeVisible()
  await expect(app.getByLabel('Tasks by capability')).toContainText('2')

  await source.click()
  await app.getByRole('option', { name: 'Instruction following', exact: false }).click()
  await grid.getByRole('row').nth(1).click()
  await expect(app.getByText('3 tasks chosen')).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.getByLabel('Name', { exact: false }).fill('Smoke suite')
  await save.click()
  await expect(app.getByRole('heading', { level: 1, name: 'Smoke suite' })).toBeVisible()
  await expect(app.getByRole('grid', { name: 'Tasks of the suite' }).getByRole('row')).toHaveCount(4)

  await app.getByRole('link', { name: 'New version' }).click()
  await app.getByRole('button', { name: 'Leave out Instruction following', exact: false }).click()
  await app.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(app.getByText('version 2', { exact: true })).toBeVisible()
  const { items } = await client.call('listSuites', { query: { q: 'Smoke suite' } })
  expect(items.map(suite => [suite.name, suite.version, suite.tasks])).toEqual([['Smoke suite', 2, 2]])

  await app.getByRole('link', { name: 'Run as evaluation' }).click()
  const start = app.getByRole('button', { name: 'Start evaluation' })
  await expect(app.getByRole('list', { name: 'Still needed' })).toHaveText('Choose a model.')
  await expect(start).toHaveCount(0)
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (75 %)' }).click()
  await expect(app.getByText('2 calls', { exact: false })).toBeVisible()
  await start.click()
  await expect(app).toHaveURL(/\/suites\/evaluations\/[0-9a-f-]{36}$/)
  const [evaluation] = (await client.call('listEvaluations', { query: {} })).items
  expect(app.url()).toContain(evaluation?.id ?? 'no evaluation')
  const run = await runToEnd(client, workstation.baseUrl, evaluation?.run_id ?? '')
  expect(run.progress.frozen).toBe(2)
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText('n = 2')
  await expect(app.getByRole('link', { name: 'Smoke suite, version 2' })).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.getByRole('link', { name: 'Results' }).click()
  await expect(app).toHaveURL(new RegExp(`/runs/${run.id}$`))
  expect(complaints).toEqual([])
})

test('a public suite is found and read; the pages have no serious accessibility fault and fit at 200 % zoom', async ({ app }) => {
  await app.goto('/suites?from=bundled')
  const grid = app.getByRole('grid', { name: 'Suites' })
  await grid.getByRole('row').nth(1).waitFor()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await grid.getByRole('row').nth(1).getByRole('link').click()
  const task = app.getByRole('grid', { name: 'Tasks of the suite' }).getByRole('row').nth(1)
  await task.waitFor()
  await expect(task).not.toContainText('eval://')
  await expect(app.getByRole('link', { name: 'New version' })).toHaveCount(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await expectWholeAtDoubleZoom(app)
})

test('a suite that is not there says so', async ({ app }) => {
  await app.goto('/suites/01900000-0000-7000-8000-000000000099')
  await expect(app.getByRole('heading', { name: 'Couldn’t load the suite' })).toBeVisible()
  await expect(app.getByRole('heading', { level: 1, name: 'Suite' })).toBeVisible()
})

test('a cell that is cut shows its text to pointer and keyboard, and a table that goes on to the side says so', async ({ app }) => {
  await app.goto('/suites')
  const grid = app.getByRole('grid', { name: 'Suites' })
  const window = grid.locator('xpath=..')
  const cell = grid.getByRole('gridcell', { name: /^Arithmetic word problems, / })
  await cell.hover()
  await expect(cell).toHaveAttribute('title', 'Arithmetic word problems, Instruction following')
  const whole = grid.getByRole('gridcell', { name: 'Instruction following', exact: true })
  await whole.hover()
  await expect(whole).not.toHaveAttribute('title')
  await expect(cell).not.toHaveAttribute('title')
  await grid.focus()
  await app.keyboard.press('Home')
  const tooltip = app.getByRole('tooltip')
  for (let row = 1; row < (await grid.getByRole('row').count()); row++) {
    if (await grid.locator('tr[data-active="true"]', { has: cell }).count()) break
    await app.keyboard.press('ArrowDown')
  }
  await expect(tooltip).toContainText('Arithmetic word problems, Instruction following')
  await app.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await expect(window).not.toHaveClass(/table-wide/)
  await app.setViewportSize({ width: 640, height: 400 })
  await expect(window).toHaveClass(/table-wide/)
})
