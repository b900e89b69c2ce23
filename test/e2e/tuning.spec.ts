import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('a session is begun from code, its prompt and cases edited, and its grader tried', async ({ app, complaints }) => {
  await app.goto('/tuning')
  await expect(app.getByRole('heading', { name: 'No tuning sessions yet' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])

  const fromCode = app.getByRole('link', { name: 'From code' })
  await fromCode.focus()
  await app.keyboard.press('Enter')
  await app.getByRole('textbox', { name: 'Name' }).fill('Ticket triage')
  await app.getByRole('textbox', { name: 'Code' }).fill('client.chat(model="large", prompt=f"Sort this ticket: {ticket}")')
  await app.getByRole('button', { name: 'Create draft' }).click()
  await expect(app.getByText('Choose the model that you call today.')).toBeVisible()
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: /Echo/ }).first().click()
  await app.getByRole('textbox', { name: 'Prompt template' }).fill('Sort this ticket: {input}')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Create draft' }).click()

  await expect(app.getByRole('heading', { level: 1, name: 'Ticket triage' })).toBeVisible()
  await expect(app.getByText('Not ready to approve')).toBeVisible()
  await app.getByRole('textbox', { name: 'Input', exact: true }).fill('My card was charged twice')
  await app.getByRole('textbox', { name: 'Expected answer' }).fill('billing')
  await app.getByRole('button', { name: 'Add case' }).click()
  await expect(app.getByRole('table', { name: 'Cases' })).toContainText('My card was charged twice')
  await app.getByRole('combobox', { name: 'Grader' }).click()
  await app
    .getByRole('option', { name: /^Exact match/ })
    .first()
    .click()
  const answer = app.getByRole('textbox', { name: 'Answer to case 1' })
  await expect(answer).toHaveValue('billing')
  await expect(app.getByText('correct', { exact: true })).toBeVisible()
  await answer.fill('shipping')
  await answer.press('Enter')
  await expect(app.getByText('wrong', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('a monitor is created, checks its benchmark, and shows the outputs behind an alarm', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles: [profile] })
  const run = await submit(client, quoteId, 'Today')
  await runToEnd(client, workstation.baseUrl, run.id)
  await client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, target_from: 'expected' } },
  })

  await app.goto('/tuning/monitors')
  await expect(app.getByRole('heading', { name: 'No monitors yet' })).toBeVisible()
  await app.getByRole('link', { name: 'New monitor' }).first().click()
  await app.getByRole('textbox', { name: 'Name' }).fill('Production')
  await app.getByRole('combobox', { name: 'Baseline run' }).click()
  await app.getByRole('option', { name: /^Today/ }).click()
  await app.getByRole('combobox', { name: 'Evaluator of new outputs' }).click()
  await app.getByRole('option', { name: /^Exact/ }).click()
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Create monitor' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Production' })).toBeVisible()
  await expect(app.getByRole('heading', { name: 'No checks yet' })).toBeVisible()

  await app.getByRole('button', { name: 'Check now' }).click()
  await expect(app.getByRole('link', { name: 'Open the run' })).toBeVisible({ timeout: 20_000 })
  const monitor = (await client.call('listTuneMonitors', { query: {} })).find(({ name }) => name === 'Production')
  const outputs = Array.from({ length: 200 }, (_, i) => ({
    id: `reply-${i}`,
    input: `Question ${i}`,
    output: (i * 37) % 100 < (i < 100 ? 75 : 10) ? 'right' : 'wrong',
    expected: 'right',
    at: new Date(Date.parse('2026-11-20T00:00:00.000Z') + i * 60_000).toISOString(),
  }))
  await client.call('queueTuneWorkload', { params: { monitor_id: monitor?.id ?? '' }, body: { outputs } })
  await app.reload()
  await expect(app.getByRole('img', { name: 'Drift detector' })).toBeVisible({ timeout: 20_000 })
  await expect(app.getByRole('heading', { name: /^Outputs behind the regression/ })).toBeVisible()
  await app.getByRole('button', { name: /Show as table/ }).click()
  await expect(app.getByRole('table', { name: 'Drift detector' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Pause' }).focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('button', { name: 'Resume' })).toBeVisible()
  expect(complaints).toEqual([])
})
