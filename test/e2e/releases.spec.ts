import { readFileSync } from 'node:fs'
import { ownerClient } from './support/owner-client.ts'
import { startAndFollow } from '../support/releases.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

test('a release manager gets from a model and a benchmark to an approved, signed decision', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const { latest_version: latest } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const tasks = [{ source_ref: latest?.source_ref ?? '', task_id: 'awp-0001' }]
  await client.call('createIssueEvent', { body: { type: 'open', title: 'Adds folders wrong', severity: 'high', tasks } })
  await app.goto('/releases')
  await expect(app.getByRole('heading', { name: 'No decisions yet' })).toBeVisible()
  await app.getByRole('link', { name: 'Plan a decision' }).click()
  const plan = app.getByRole('button', { name: 'Plan decision' })
  await expect(plan).toBeDisabled()
  await expect(app.getByText('Still missing: a suite, a candidate, a baseline, a name')).toBeVisible()

  await app.getByRole('combobox', { name: 'Benchmark' }).click()
  await app.getByRole('option', { name: 'Arithmetic word problems' }).click()
  await app.getByLabel('Tasks', { exact: true }).fill('80')

  const rules = app.getByRole('list', { name: 'Rules' })
  await expect(rules).toContainText('The candidate’s score on the whole suite is at least 50 %, shown with 95 % confidence.')
  await app.getByLabel('Margin (points)').fill('10')
  await expect(rules).toContainText('worse than the baseline’s by less than 10 points')

  const candidate = app.getByRole('region', { name: '3. Candidate' })
  await candidate.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (90 %)' }).click()
  const baseline = app.getByRole('region', { name: '4. Baseline' })
  await baseline.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (50 %)' }).click()
  expect(await violations(app)).toEqual([])
  await plan.click()

  await expect(app).toHaveURL(/\/releases\/[0-9a-f-]{36}$/)
  await expect(app.getByText('Draft')).toBeVisible()
  await expect(app.getByText('80 tasks × 2 models = 160 samples')).toBeVisible()
  await app.getByRole('button', { name: 'Start' }).click()
  // It continues by itself.
  const verdict = app.getByRole('region', { name: 'Your verdict' })
  await expect(verdict).toBeVisible({ timeout: 40_000 * patience() })
  const checklist = app.getByRole('list', { name: 'Rules' })
  await expect(checklist.getByText('Pass', { exact: true })).toHaveCount(3)
  await expect(
    checklist.getByRole('img', { name: /Estimate \d.*, at least .* \(one-sided, 95 %\), the rule asks for at least 50\.0 %, n = 80/ }),
  ).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.getByRole('link', { name: 'Label samples' }).click()
  await expect(app.getByText('1 of 160')).toBeVisible()
  await expect(app.getByText('Oracle')).toHaveCount(0)
  await app.keyboard.press('p')
  await expect(app.getByText('2 of 160')).toBeVisible()
  await expect(app.getByText('1 labeled')).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.goBack()

  // Whether the oracle knows this one task is up to its draw: either way its answer says something of the issue.
  const proposed = app.getByRole('list', { name: 'Proposed issue events' })
  await expect(proposed).toContainText('Adds folders wrong')
  await proposed.getByRole('button', { name: /^Mark as (reproduced|fixed): Adds folders wrong/ }).click()
  await expect(app.getByText('The issue was updated.')).toBeVisible()

  await verdict.getByRole('button', { name: 'Approve' }).click()
  await app.getByRole('dialog', { name: 'Approve?' }).getByRole('button', { name: 'Approve and sign' }).click()
  await expect(app.getByText('Approved').first()).toBeVisible()
  const record = app.getByRole('button', { name: 'Download record' })
  for (const [format, expected] of [
    ['JSON', /"recommendation":"approve"/],
    ['HTML, to read', /<html/],
    ['DSSE, signed', /"payloadType"/],
  ] as const) {
    await record.click()
    const download = app.waitForEvent('download')
    await app.getByRole('menuitem', { name: format, exact: true }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(expected)
  }
  await app.goto('/releases')
  const grid = app.getByRole('grid', { name: 'Decisions' })
  await expect(grid.getByRole('row').nth(1)).toContainText('Approved')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('link', { name: 'Suites and policies' }).click()
  await expect(app.getByRole('table', { name: 'Release suites' })).toContainText(/Arithmetic word problems.*: 80 tasks, weight 100 %/)
  const policies = app.getByRole('table', { name: 'Policies' })
  await expect(policies).toContainText('worse than the baseline’s by less than 10 points')
  await expect(policies).toContainText('One person approves.')
  expect(await violationsInBothSchemes(app)).toEqual([])
  const { items } = await client.call('listReleaseDecisions', { query: {} })
  expect(items).toMatchObject([{ status: 'approved', recommendation: 'approve', attempt: 1 }])
  expect(complaints).toEqual([])
})

test('evidence is imported and analyzed, issues are reported, coverage is shown, and nothing has a serious accessibility fault', async ({
  app,
  workstation,
  complaints,
}) => {
  await app.goto('/releases/evidence')
  await expect(app.getByRole('heading', { name: 'No evidence yet' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  const report = '<testsuite><testcase classname="a" name="one"/><testcase classname="a" name="two"><failure/></testcase></testsuite>'
  await app.locator('input[type=file]').setInputFiles({ name: 'report.xml', mimeType: 'text/xml', buffer: Buffer.from(report) })
  await expect(app.getByLabel('Tool')).toHaveValue('JUnit')
  await app.getByRole('button', { name: 'Import' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'report.xml' })).toBeVisible()
  // What would be analyzed is shown before anything is stored.
  await expect(app.getByRole('region', { name: 'Preview' })).toContainText('2 of 2 rows belong to a task.')
  await app.getByRole('button', { name: 'Analyze' }).click()
  await expect(app.getByRole('table', { name: 'Metrics' })).toContainText('0.5')
  await expect(app.getByRole('table', { name: 'Tasks' })).toContainText('a::two')
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.goto('/releases/evidence')
  await app.getByText('Statement', { exact: true }).click()
  await app.getByLabel('Name').fill('Red team, week 47')
  await app.getByLabel('Source').fill('Red team')
  await app.getByRole('textbox', { name: 'Statement' }).fill('Two of forty attacks got through.')
  await app.getByRole('button', { name: 'Add figure' }).click()
  await app.getByLabel('Metric').fill('withstood')
  await app.getByRole('button', { name: 'Keep statement' }).hover()
  await expect(app.getByRole('tooltip')).toContainText('Each figure needs a metric and a value.')
  await app.getByLabel('Value').fill('0.95')
  await app.getByLabel('n', { exact: true }).fill('40')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Keep statement' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Red team, week 47' })).toBeVisible()
  await expect(app.getByText('Two of forty attacks got through.')).toBeVisible()

  // What was analyzed can be made part of a plan, which freezes it.
  await app.goto('/releases/new')
  await app.getByRole('combobox', { name: 'Benchmark' }).click()
  await app.getByRole('option', { name: 'Arithmetic word problems' }).click()
  await app.getByLabel('Tasks', { exact: true }).fill('10')
  for (const [region, model] of [
    ['3. Candidate', 'Simulated model (90 %)'],
    ['4. Baseline', 'Simulated model (50 %)'],
  ] as const) {
    await app.getByRole('region', { name: region }).getByRole('combobox', { name: 'Model' }).click()
    await app.getByRole('option', { name: model }).click()
  }
  await app.getByRole('combobox', { name: 'Evidence for the candidate' }).click()
  await app.getByRole('option', { name: 'report.xml, analysis 1' }).click()
  await app.keyboard.press('Escape')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Plan decision' }).click()
  await expect(app).toHaveURL(/\/releases\/[0-9a-f-]{36}$/)
  const client = ownerClient(workstation)
  const decision = await client.call('getReleaseDecision', { params: { decision_id: app.url().slice(-36) } })
  expect(decision.plan.evidence).toMatchObject([{ analysis: 1, side: 'candidate' }])

  await app.goto('/releases/issues')
  await app.getByRole('button', { name: 'Report issue' }).click()
  const dialog = app.getByRole('dialog', { name: 'Report issue' })
  await dialog.getByLabel('Title').fill('Adds wrong')
  await dialog.getByRole('button', { name: 'Report issue' }).click()
  await expect(app.getByRole('table', { name: 'Issues' })).toContainText('Adds wrong')
  await app.getByRole('button', { name: 'Close: Adds wrong' }).click()
  await app.getByRole('dialog', { name: 'Close issue' }).getByRole('button', { name: 'Close issue' }).click()
  await expect(app.getByRole('table', { name: 'Issues' })).toContainText('Closed')
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.goto('/releases/coverage')
  await app.getByRole('heading', { level: 1, name: 'Coverage' }).waitFor()
  expect(await violations(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('the losses of a decision are read and run again as a selection, not a score', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const { latest_version: latest } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const ids = Array.from({ length: 60 }, (_, i) => `awp-${String(i + 1).padStart(4, '0')}`)
  const selection = { task_selections: [{ source_ref: latest?.source_ref ?? '', split: 'test' as const, task_ids: ids }] }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Sixty', groups: [{ key: 'all', title: 'All', weight: 1, critical: false, selection }] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Close', rules: [{ kind: 'non_inferiority', key: 'close', margin: 0.5 }] },
  })
  const { id } = await client.call('createReleaseDecision', {
    body: {
      name: 'Swap',
      candidate: { label: 'new', model: { kind: 'managed', route_id: 'assay/oracle-50' } },
      baseline: { label: 'old', model: { kind: 'managed', route_id: 'assay/oracle-75' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  await startAndFollow({ client }, id)
  await app.goto(`/releases/${id}`)
  const section = app.getByRole('region', { name: 'Gains and losses' })
  await expect(section).toContainText(/Of 60 tasks with both scores, the candidate gains \d+ and loses \d+\./)
  await section.getByText(/^Losses \(\d+\)$/).click()
  await expect(section.getByRole('grid', { name: 'Gains and losses' })).not.toContainText('Gained')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await section
    .getByRole('link', { name: /, sample of the candidate, / })
    .first()
    .click()
  await expect(app).toHaveURL(/\/runs\/[0-9a-f-]{36}\/samples\?open=/)
  await app.goBack()
  await section.getByRole('link', { name: /^Run on th/ }).click()
  await expect(app.getByRole('heading', { level: 1, name: /^Run on \d+ tasks?$/ })).toBeVisible()
  await expect(app.getByText('never a benchmark score')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Start evaluation' }).click()
  await expect(app.getByRole('region', { name: 'Score' })).toContainText('biased selection', { timeout: 40_000 * patience() })
  expect(complaints).toEqual([])
})
