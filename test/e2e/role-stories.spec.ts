import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { pricedModel } from '../support/tuning.ts'
import { packageZip, sums } from '../support/packages.ts'
import { countClicks } from './support/count-clicks.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

// What each role does, with a hand that is counted. Fields are clicked before they are typed into, as people do.
test.use({ viewport: { width: 1280, height: 800 } })

// First, while there is nothing: the home page of a first visit leads to its form.
test('a researcher compares four models on one benchmark from nothing in at most 10 clicks', async ({ app, workstation, complaints }) => {
  const clicks = await countClicks(app)
  await app.goto('/')
  await app.getByRole('link', { name: 'Sample size and settings' }).click()
  // The home page has a field of the same name.
  await expect(app.getByRole('heading', { level: 1, name: 'New run' })).toBeVisible()
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (50 %)' }).click()
  const others = app.getByRole('combobox', { name: 'Compare with' })
  await others.click()
  for (const model of ['Simulated model (75 %)', 'Simulated model (90 %)', 'Echo'])
    await app.getByRole('option', { name: model, exact: true }).click()
  await others.press('Escape')
  await expect(app.getByRole('table', { name: 'Quote by model and benchmark' }).getByRole('row')).toHaveCount(5)
  await app.getByRole('button', { name: 'Run 4 models' }).click()
  await app.getByRole('button', { name: 'Compare 4 models' }).click({ timeout: 60_000 * patience() })
  await expect(app.getByRole('heading', { level: 1, name: /^4 models on / })).toBeVisible()
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(10)
  const { items } = await ownerClient(workstation).call('listRuns', { query: {} })
  expect(items).toHaveLength(4)
  expect(complaints).toEqual([])
})

test('a release manager decides between two models from nothing in at most 20 clicks', async ({ app, workstation, complaints }) => {
  const clicks = await countClicks(app)
  await app.goto('/releases')
  await app.getByRole('link', { name: 'Plan a decision' }).click()
  await app.getByRole('combobox', { name: 'Benchmark' }).click()
  await app.getByRole('option', { name: 'Arithmetic word problems' }).click()
  const tasks = app.getByLabel('Tasks', { exact: true })
  await tasks.click()
  await tasks.fill('80')
  for (const [region, model] of [
    ['3. Candidate', 'Simulated model (90 %)'],
    ['4. Baseline', 'Simulated model (50 %)'],
  ] as const) {
    await app.getByRole('region', { name: region }).getByRole('combobox', { name: 'Model' }).click()
    await app.getByRole('option', { name: model }).click()
  }
  // What these tasks can tell, and what they take, before anything is frozen.
  const figures = app.getByRole('region', { name: '6. What it can detect and what it takes' })
  await expect(figures).toContainText('80 tasks × 2 models = 160 samples')
  await expect(figures.getByRole('list', { name: 'What these tasks can detect' })).toContainText(/detectable difference \d+(\.\d)? points/)
  await expect(figures.getByRole('table', { name: 'Calls, time and price' }).getByRole('row').nth(2)).toContainText('80')
  await app.getByRole('button', { name: 'Plan decision' }).click()
  await app.getByRole('button', { name: 'Start' }).click()
  const verdict = app.getByRole('region', { name: 'Your verdict' })
  await expect(verdict).toBeVisible({ timeout: 40_000 * patience() })
  const sides = app.getByRole('table', { name: 'Sides' })
  await expect(sides.getByRole('row')).toHaveCount(3)
  await expect(sides).toContainText(/Candidate: Simulated model \(90 %\).*%/)
  await verdict.getByRole('button', { name: 'Approve' }).click()
  const dialog = app.getByRole('dialog', { name: 'Approve?' })
  await expect(dialog).toContainText('The record is signed with the workspace’s key')
  await dialog.getByRole('button', { name: 'Approve and sign' }).click()
  await expect(app.getByText('Approved').first()).toBeVisible()
  await app.getByRole('button', { name: 'Compare answers' }).click()
  await expect(app).toHaveURL(/\/compare\/[0-9a-f-]{36}/)
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(20)
  const { items } = await ownerClient(workstation).call('listReleaseDecisions', { query: {} })
  expect(items).toMatchObject([{ status: 'approved' }])
  expect(complaints).toEqual([])
})

test('a decision’s form keeps what was typed while another page is open, and an inconclusive one is planned again with more tasks', async ({
  app,
  workstation,
}) => {
  await app.goto('/releases/new')
  await app.getByLabel('Name', { exact: true }).fill('Half a plan')
  await app.getByLabel('Tasks', { exact: true }).fill('17')
  await app.getByRole('link', { name: 'Cancel' }).click()
  await app
    .getByRole('link', { name: /^(Plan a decision|New decision)$/ })
    .first()
    .click()
  await expect(app.getByLabel('Name', { exact: true })).toHaveValue('Half a plan')
  await expect(app.getByLabel('Tasks', { exact: true })).toHaveValue('17')

  // A finished run as its side: twenty tasks decide nothing about a threshold five points below what was measured.
  const client = ownerClient(workstation)
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const coverage = { mode: 'sample' as const, sample_count: 20, seed: 1 }
  const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-50' }, profiles, coverage })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, quoteId, 'Twenty')).id)
  const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  const threshold = (metrics.find(({ primary }) => primary)?.estimate.mean ?? 0) - 0.05
  const groups = [{ key: 'all', title: 'All', weight: 1, selection: { run_id: run.id } }]
  const suite = await client.call('createReleaseSuite', { body: { name: 'Small', groups } })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Half', rules: [{ key: 'score', kind: 'min_score', threshold }] },
  })
  const { id } = await client.call('createReleaseDecision', {
    body: {
      name: 'Too small',
      candidate: { label: 'Half', run_ids: { all: run.id } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  await app.goto(`/releases/${id}`)
  await app.getByRole('button', { name: 'Start' }).click()
  const decision = () => client.call('getReleaseDecision', { params: { decision_id: id } })
  await expect.poll(async () => (await decision()).status, { timeout: 40_000 * patience() }).toBe('awaiting_human')
  const { recommendation, rules } = await decision()
  const needed = rules?.[0]?.tasks_needed
  expect({ recommendation, isMore: (needed ?? 0) > 20 }).toEqual({ recommendation: 'inconclusive', isMore: true })
  await app.getByRole('link', { name: /^Plan again with [\d,]+ tasks$/ }).click()
  await expect(app.getByLabel('Tasks', { exact: true })).toHaveValue(String(needed))
  await expect(app.getByRole('region', { name: '3. Candidate' }).getByRole('combobox', { name: 'Model' })).toHaveValue(
    'Simulated model (50 %)',
  )
})

test('a data lead learns whether a judge can be trusted in at most 25 clicks', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const definition = { kind: 'deterministic' as const, scorer: 'assay/exact_match', options: {}, target_from: 'expected' as const }
  await client.call('createEvaluator', { body: { name: 'Exact', definition } })
  const clicks = await countClicks(app)
  await app.goto('/datasets')
  await app.getByRole('button', { name: 'New dataset' }).first().click()
  await app.getByLabel('Name', { exact: false }).fill('Judged answers')
  await app.getByRole('button', { name: 'Create dataset' }).click()
  await app.getByRole('link', { name: 'Import a file' }).click()
  const rows = Array.from({ length: 40 }, (_, i) => {
    const output = i % 4 === 0 ? String(i + 1) : String(i)
    const ann = i % 4 === 0 ? 'fail' : 'pass'
    // Two people disagree about the first four.
    return {
      input: `What is ${i} + 0?`,
      output,
      expected: String(i),
      label_ann: ann,
      label_ben: i < 4 ? (ann === 'pass' ? 'fail' : 'pass') : ann,
    }
  })
  await app.locator('input[type=file]').setInputFiles({
    name: 'judged.jsonl',
    mimeType: 'application/json',
    buffer: Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')),
  })
  await expect(app.getByRole('table', { name: 'First examples' })).toContainText('What is 0 + 0?')
  await app.getByRole('button', { name: 'Import 40 examples' }).click()
  await expect(app.getByText('40 examples added.')).toBeVisible()
  const [dataset] = (await client.call('listDatasets', { query: {} })).items
  expect(dataset?.label_coverage).toMatchObject({ labeled: 36, tied: 4 })
  await app
    .getByRole('link', { name: /^Judged answers$|^Back to/ })
    .first()
    .click()
  await app.getByRole('button', { name: 'Review', exact: true }).click()
  await app.getByRole('menuitem', { name: 'Approve all 40 open examples' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(app.getByText('Approved: 36. Left open: 4 with tied annotators.')).toBeVisible()
  await app.getByRole('link', { name: 'Agreement, versions, imports and scans' }).click()
  await app.getByRole('button', { name: 'Freeze 36 approved examples' }).click()
  await app.getByRole('button', { name: 'Calibrate a judge' }).click()
  const dialog = app.getByRole('dialog', { name: 'Calibrate a judge' })
  await dialog.getByRole('combobox', { name: 'Evaluator' }).click()
  await app.getByRole('option', { name: 'Exact v1' }).click()
  await expect(dialog).toContainText('36 examples, no judge calls')
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click()
  await expect(
    app.getByText(
      /^The evaluator agrees with people on 100 % \(kappa 1\.00\); your annotators agree with each other at 0\.\d\d; 4 disputed examples are left out\.$/,
    ),
  ).toBeVisible({ timeout: 30_000 * patience() })
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(25)
  expect(complaints).toEqual([])
})

test('a prompt engineer gets a cheaper call out of a finished run in at most 14 clicks', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const answers = new Map<string, string>()
  const right = (question: string) => [...answers].find(([asked]) => question.includes(asked))?.[1] ?? ''
  const large = await pricedModel(client, 'Large', right, 10_000_000)
  const small = await pricedModel(client, 'Small', right, 1_000_000)
  try {
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const route = { kind: 'managed' as const, route_id: 'assay/oracle-75' }
    const known = await submit(client, (await quote(client, { model: route, profiles: [profile] })).id, 'Answers')
    await runToEnd(client, workstation.baseUrl, known.id)
    const params = { run_id: known.id }
    for (let cursor: string | undefined, isMore = true; isMore; ) {
      const { items, next_cursor: next } = await client.call('listSamples', { params, query: { limit: 100, cursor } })
      for (const { id } of items) {
        const { messages, targets } = await client.call('getSample', { params: { ...params, sample_id: id } })
        const asked = messages.at(-1)?.content
        if (typeof asked === 'string') answers.set(asked, targets[0] ?? '')
      }
      cursor = next ?? undefined
      isMore = next !== null
    }
    const model = { kind: 'connection' as const, connection_id: large.id }
    const coverage = { mode: 'sample' as const, sample_count: 100, seed: 1 }
    const run = await submit(client, (await quote(client, { model, profiles: [profile], coverage })).id, 'Today')
    await runToEnd(client, workstation.baseUrl, run.id)
    const clicks = await countClicks(app)
    await app.goto(`/runs/${run.id}`)
    await app.getByRole('button', { name: 'More for this run' }).click()
    await app.getByRole('menuitem', { name: 'Find a cheaper call…' }).click()
    await expect(app.getByRole('textbox', { name: 'Name' })).toHaveValue('Tune Today')
    await app.getByRole('button', { name: 'Create draft' }).click()
    await expect(app.getByRole('heading', { name: 'Cases (100)' })).toBeVisible()
    await app.getByRole('button', { name: 'Approve' }).click()
    const dialog = app.getByRole('dialog')
    await expect(dialog).toContainText(/100 cases show a candidate to be at most \d+(\.\d)? points worse four times in five/)
    await dialog.getByRole('button', { name: 'Approve revision 1' }).click()
    const fields = app.getByRole('group', { name: 'Candidate 1' })
    const label = fields.getByRole('textbox', { name: 'Label' })
    await label.click()
    await label.fill('Small')
    await fields.getByRole('combobox', { name: 'Model' }).click()
    await app.getByRole('option', { name: 'Small' }).click()
    await app.getByRole('button', { name: 'Get quote' }).click()
    await app.getByRole('button', { name: /^Start/ }).click()
    await expect(app.getByRole('region', { name: 'Result' })).toContainText(/Small costs \d+ % less than current and is/, {
      timeout: 45_000 * patience(),
    })
    expect(clicks()).toBeGreaterThan(0)
    expect(clicks()).toBeLessThanOrEqual(14)
  } finally {
    for (const { server } of [large, small]) await server.close()
  }
  expect(complaints).toEqual([])
})

test('an observability engineer makes a benchmark of 60 traces in at most 15 clicks', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const spans = Array.from({ length: 60 }, (_, i) => ({
    traceId: (i + 1).toString(16).padStart(32, '0'),
    spanId: (i + 1).toString(16).padStart(16, '0'),
    name: 'answer',
    startTimeUnixNano: String(BigInt(Date.now() - i * 1000) * 1_000_000n),
    attributes: [
      { key: 'input.value', value: { stringValue: `Which order is number ${i}?` } },
      { key: 'output.value', value: { stringValue: `Order ${i}` } },
      { key: 'gold.answer', value: { stringValue: `Order ${i}` } },
    ],
  }))
  await fetch(`${workstation.baseUrl}/v1/traces`, {
    method: 'POST',
    headers: { ...workstation.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  const clicks = await countClicks(app)
  await app.goto('/traces?source=otlp')
  await app.getByRole('button', { name: 'Select all that match' }).click()
  await app.getByRole('button', { name: 'Add 60 to dataset' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add 60 traces to a dataset' })
  await dialog.getByRole('combobox', { name: 'Dataset' }).click()
  await app.getByRole('option', { name: 'New dataset' }).click()
  await dialog.getByRole('textbox', { name: 'Name of the dataset' }).fill('Orders')
  await dialog.getByRole('combobox', { name: 'Expected answer' }).click()
  await app.getByRole('option', { name: /^gold\.answer of answer: Order \d+$/ }).click()
  await dialog.getByRole('button', { name: 'Add to dataset' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await app.getByRole('button', { name: 'Review', exact: true }).click()
  await app.getByRole('menuitem', { name: 'Approve all 60 open examples' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await app.getByRole('link', { name: 'Agreement, versions, imports and scans' }).click()
  await app.getByRole('button', { name: 'Freeze 60 approved examples' }).click()
  await app.getByRole('button', { name: 'Make a benchmark' }).click()
  const making = app.getByRole('dialog', { name: 'Make a benchmark' })
  await expect(making.getByLabel('Name')).toHaveValue('Orders')
  await expect(making.getByRole('combobox', { name: 'Graded by' })).toHaveValue('Exact v1')
  await making.getByRole('button', { name: 'Make benchmark' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(15)
  const { items } = await client.call('listBenchmarks', { query: { q: 'Orders' } })
  expect(items.filter(({ title }) => title === 'Orders')).toMatchObject([
    { title: 'Orders', latest_version: { task_counts: { test: 60 } } },
  ])
  expect(complaints).toEqual([])
})

test('a benchmark author gets a package from a file to a run in at most 15 clicks', async ({ app, complaints }) => {
  const clicks = await countClicks(app)
  await app.goto('/creator')
  await app.getByRole('link', { name: 'Upload a package' }).first().click()
  // The namespace comes first, and the file stays where it is meanwhile.
  const buffer = Buffer.from(packageZip(sums(120)))
  await app.locator('input[type=file]').setInputFiles({ name: 'small-sums.zip', mimeType: 'application/zip', buffer })
  await app.getByRole('button', { name: 'Register a namespace' }).click()
  const dialog = app.getByRole('dialog', { name: 'New namespace' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('acme-research')
  const title = dialog.getByRole('textbox', { name: 'Title' })
  await title.click()
  await title.fill('Acme Research')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(app.getByText('Registered acme-research.')).toBeVisible()
  await expect(app.getByText('small-sums.zip')).toBeVisible()
  await app.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Small sums' })).toBeVisible()
  await expect(app.getByText('In review', { exact: true })).toBeVisible({ timeout: 60_000 * patience() })
  await app.getByRole('textbox', { name: 'Note' }).fill('Read five tasks.')
  await app.getByRole('button', { name: 'Approve' }).click()
  await app.getByRole('button', { name: 'Publish' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(app.getByText('Published', { exact: true }).first()).toBeVisible()
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(15)
  expect(complaints).toEqual([])
})
