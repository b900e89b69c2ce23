import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('tasks are recommended for an objective, each with a reason, and become a suite', async ({ app, workstation, complaints }) => {
  await app.goto('/suites')
  await app.getByRole('link', { name: 'What should I run?' }).click()
  await expect(app.getByRole('heading', { name: 'No request yet' })).toBeVisible()
  const ask = app.getByRole('button', { name: 'Recommend' })
  await expect(ask).toBeDisabled()
  await app.getByLabel('What do you want to find out?').fill('arithmetic word problems, and programming in Python')
  await app.getByLabel('Tasks at most').fill('8')
  await app.getByLabel('What do you want to find out?').press('Tab')
  await ask.click()

  const answer = app.getByRole('region', { name: 'Recommendation', exact: true })
  await expect(answer).toContainText('8 tasks from')
  await expect(answer).toContainText('A result on these tasks is not a full benchmark score.')
  const grid = app.getByRole('grid', { name: 'Recommended tasks' })
  await expect(grid.getByRole('row').nth(1)).toContainText(/Names |Its benchmark fits/)
  await answer.getByText(/left out$/).click()
  await expect(answer).toContainText('cannot be run now')
  expect(await violations(app)).toEqual([])

  await grid.focus()
  await app.keyboard.press('Home')
  await app.keyboard.press('Enter')
  await expect(app.getByText('1 task chosen')).toBeVisible()
  await app.getByRole('button', { name: 'Add all 7' }).click()
  await expect(app.getByText('8 tasks chosen')).toBeVisible()
  await expect(app.getByRole('region', { name: 'Cost' })).toContainText(/About \d+ tokens of tasks/)
  await app.getByText('From a benchmark').click()
  await app.getByText('What should I run for …').click()
  await expect(app.getByRole('button', { name: 'All chosen' })).toBeDisabled()
  await app.getByLabel('Name', { exact: false }).fill('Recommended')
  await app.getByRole('button', { name: 'Save suite' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Recommended' })).toBeVisible()
  const { items } = await ownerClient(workstation).call('listSuites', { query: { q: 'Recommended' } })
  expect(items.map(suite => [suite.name, suite.tasks])).toEqual([['Recommended', 8]])
  expect(complaints).toEqual([])
})

test('words that no task holds find nothing, and it says so', async ({ app }) => {
  await app.goto('/suites/new?way=objective')
  await app.getByLabel('What do you want to find out?').fill('xyzzy frobnicate')
  await app.getByRole('button', { name: 'Recommend' }).click()
  await expect(app.getByRole('heading', { name: 'No task fits' })).toBeVisible()
  await expect(app.getByText('Use other words, import a benchmark')).toBeVisible()
})

test('a recommendation has no serious accessibility fault and fits at 200 % zoom', async ({ app }) => {
  await app.goto('/suites/new?way=objective')
  await app.getByLabel('What do you want to find out?').fill('instruction following')
  await app.getByRole('button', { name: 'Recommend' }).click()
  await app.getByRole('grid', { name: 'Recommended tasks' }).getByRole('row').nth(1).waitFor()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await expectWholeAtDoubleZoom(app)
})
