import { profileId } from '../support/runs.ts'
import { connectJudge, startJudge } from '../support/judging.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('four models on one benchmark to their comparison', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const routes = (await client.call('listModels', { query: { limit: 100 } })).items
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&route=assay/oracle-50`)
  const others = app.getByRole('combobox', { name: 'Compare with' })
  await others.click()
  for (const id of ['assay/oracle-75', 'assay/oracle-90', 'assay/echo']) {
    const title = routes.find(route => route.route_id === id)?.title ?? id
    await app.getByRole('option', { name: title, exact: true }).click()
  }
  await others.press('Escape')
  await expect(app.getByRole('table', { name: 'Quote by model and benchmark' }).getByRole('row')).toHaveCount(5)
  for (const table of ['Quote by model and benchmark', 'Profiles'])
    expect(await app.getByRole('region', { name: table }).evaluate(frame => frame.scrollWidth - frame.clientWidth)).toBe(0)
  await app.getByRole('button', { name: 'Run 4 models' }).click()
  await app.waitForURL(/\/run-groups\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('table', { name: 'Runs of the group' }).getByRole('row')).toHaveCount(5)
  const compare = app.getByRole('button', { name: 'Compare 4 models' })
  await expect(compare).toBeEnabled()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await compare.click()
  await app.waitForURL(/\/compare\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('heading', { level: 1, name: /^4 models on / })).toBeVisible()
})

test('a group whose price is unknown says so within its sentence', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const server = await startJudge(() => '7')
  for (const name of ['First of two', 'Second of two']) {
    const id = await connectJudge(client, server, { model: name })
    await client.call('updateConnection', { params: { connection_id: id }, body: { name } })
  }
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}`)
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'First of two' }).click()
  await app.getByRole('combobox', { name: 'Compare with' }).click()
  await app.getByRole('option', { name: 'Second of two' }).click()
  await expect(app.getByText(/^2 runs, \d+ calls, price unknown$/)).toBeVisible()
  const selection = app.getByRole('complementary', { name: 'Your selection' })
  for (const name of ['First of two', 'Second of two']) await expect(selection.getByText(name, { exact: true })).toBeVisible()
  await server.close()
})
