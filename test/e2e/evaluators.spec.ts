import { connectEmbeddings, startEmbeddings } from '../support/embedding-server.ts'
import { connectJudge, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

type Client = ReturnType<typeof ownerClient>

/** Forty labeled examples, approved one by one as a person does, and frozen. */
async function frozenDataset(client: Client, name: string): Promise<string> {
  const { id } = await client.call('createDataset', { body: { name, task: 'answer' } })
  const params = { dataset_id: id }
  const examples = Array.from({ length: 40 }, (_, i) => ({
    input: `What is ${i} + 0?`,
    output: `It is ${i % 4 === 0 ? i + 1 : i}.`,
    expected: String(i),
    label: i % 4 === 0 ? 'fail' : 'pass',
  }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { dataset_id: id, example_id }, body: { revision: 1, decision: 'approve' } })
  const { id: versionId } = await client.call('createDatasetVersion', { params, body: {} })
  return versionId
}

test('an evaluator is drafted, taken into the editor, previewed, saved, calibrated, and its disagreements read', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  await frozenDataset(client, 'Sums')
  await app.goto('/evaluators')
  await expect(app.getByRole('heading', { name: 'No evaluators yet' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.getByRole('link', { name: 'Draft from a dataset' }).click()
  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Sums, version 1/ }).click()
  await app.getByRole('button', { name: 'Draft evaluators' }).click()
  await expect(app.getByText('Ready', { exact: true })).toBeVisible()
  await expect(app.getByText(/^1\. [A-Z].* \([a-z_]+\/[a-z_]+\)$/)).toBeVisible()
  await expect(app.getByText(/^\{"/)).toHaveCount(0)
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Use in editor' }).first().click()

  await expect(app.getByRole('heading', { level: 1, name: 'New evaluator' })).toBeVisible()
  await app.getByLabel('Name').fill('Sum is right')
  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Sums, version 1/ }).click()
  // The first example is labeled fail, the next two pass: a candidate that agrees says so.
  await expect(app.getByText('labeled fail')).toBeVisible()
  await expect(app.getByText('correct', { exact: true }).first()).toBeVisible()
  await app.getByRole('button', { name: 'Save evaluator' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Sum is right' })).toBeVisible()
  for (const list of ['/evaluators/drafts', '/evaluators'] as const) {
    await app.goto(list)
    await expect(app.getByRole('row').nth(1)).toContainText(/[A-Z][a-z ]+ \([a-z_]+\/[a-z_]+\)/)
  }
  await app.getByRole('link', { name: 'Sum is right' }).click()
  await expect(app.getByText('Not calibrated').first()).toBeVisible()

  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Sums, version 1/ }).click()
  await app.getByRole('button', { name: 'Calibrate' }).click()
  await expect(app.getByText('Usable', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  const cell = app.getByRole('button', { name: 'Labeled fail, judged fail: 10' })
  await cell.click()
  await expect(cell).toHaveAttribute('aria-pressed', 'true')
  const reader = app.getByRole('region', { name: 'Examples', exact: true })
  await expect(reader).toContainText('1 of 10')
  await expect(reader).toContainText('What is 0 + 0?')
  await reader.focus()
  await app.keyboard.press('j')
  await expect(reader).toContainText('What is 4 + 0?')
  await app.getByRole('button', { name: 'Send back to review' }).click()
  await expect(app.getByText('Sent back to review.')).toBeVisible()
  // The message announces itself; a second one would repeat it.
  await expect(app.getByRole('log', { name: 'Announcements' })).not.toContainText('Review saved')
  expect(complaints).toEqual([])
})

test('a judge shows its exact prompt before it is saved, stops at its spending limit, and shows disagreements with its reasons under a higher one', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  const judge = await startJudge(chat => `It ends in a digit.\nVERDICT: ${/1\d\.$/.test(materialOf(chat)[1] ?? '') ? 'fail' : 'pass'}`)
  await connectJudge(client, judge, { priced: true, concurrency: 1 })
  await frozenDataset(client, 'Judged sums')
  await app.goto('/evaluators/new')
  await app.getByLabel('Name').fill('Sum judge')
  await app.getByText('Judge', { exact: true }).click()
  await app.getByRole('combobox', { name: 'Judges' }).click()
  await app.getByRole('option', { name: 'judge', exact: true }).click()
  await app.keyboard.press('Escape')
  await app.getByLabel('Instructions').fill('Decide whether the sum is right.')
  const prompt = app.locator('.evaluators-prompt')
  await expect(prompt).toContainText('Decide whether the sum is right.')
  await expect(prompt).toContainText('VERDICT: <one of: pass, fail>')
  expect(judge.asked).toHaveLength(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Save evaluator' }).click()
  // The editor has a field of that name too.
  await expect(app.getByRole('heading', { level: 1, name: 'Sum judge' })).toBeVisible()
  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Judged sums, version 1/ }).click()
  const told = app.getByRole('region', { name: 'Judge', exact: true })
  await expect(told).toContainText('judge, temperature 0')
  await expect(told).toContainText('Decide whether the sum is right.')
  await app.getByLabel('Spending limit').fill('0.006')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Calibrate' }).click()
  await app.getByLabel('New spending limit').fill('0.005')
  await expect(app.getByText('Enter more than $0.006')).toBeVisible()
  await app.getByLabel('New spending limit').fill('5')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Raise limit and continue' }).click()
  await expect(app.getByText('Uninformative', { exact: true })).toBeVisible()
  await expect(app.getByText('It ends in a digit.').first()).toBeVisible()
  expect(judge.asked).toHaveLength(40)
  await judge.close()
  expect(complaints).toEqual([])
})

test('an unsaved judge runs on three outputs: calls and price before, verdict, reply and reason beside each, an error where it happens, and a stop', async ({
  app,
  workstation,
  complaints,
}, info) => {
  const client = ownerClient(workstation)
  const held = Promise.withResolvers<void>()
  let isHolding = true
  const judge = await startJudge(async chat => {
    if (isHolding) await held.promise
    const [question] = materialOf(chat)
    return question === 'What is 2 + 0?'
      ? 'I can’t tell.'
      : `It ends in a digit.\nVERDICT: ${question === 'What is 1 + 0?' ? 'pass' : 'fail'}`
  })
  const id = await connectJudge(client, judge, { priced: true, model: 'tried' })
  await client.call('updateConnection', { params: { connection_id: id }, body: { name: 'Tried judge' } })
  await frozenDataset(client, 'Tried sums')
  await app.goto('/evaluators/new')
  await app.getByLabel('Name').fill('Trial')
  await app.getByText('Judge', { exact: true }).click()
  await app.getByRole('combobox', { name: 'Judges' }).click()
  await app.getByRole('option', { name: 'Tried judge', exact: true }).click()
  await app.keyboard.press('Escape')
  await app.getByLabel('Instructions').fill('Decide whether the sum is right.')
  await expect(app.getByRole('button', { name: 'Run on this one' })).toBeVisible()
  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Tried sums, version 1/ }).click()
  const run = app.getByRole('button', { name: 'Run on these 3' })
  await expect(app.getByText(/^3 calls · (under|about) .* · \$0\.\d+$/)).toBeVisible()
  await app.screenshot({ path: info.outputPath('before.png'), fullPage: true })

  await app.getByLabel('Spending limit').fill('0.000001')
  await run.click()
  const failure = app.getByRole('alert')
  await expect(failure).toContainText('Couldn’t grade this output')
  await expect(failure).toContainText('Raise the limit')
  await expect(app.getByText('Failed: 0 of 3 graded')).toBeVisible()
  expect(judge.asked).toHaveLength(0)
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.getByLabel('Spending limit').fill('')
  await run.click()
  await expect(app.getByText('Waiting for the verdict')).toHaveCount(1)
  await app.getByRole('button', { name: 'Stop' }).click()
  await expect(app.getByText('Stopped: 0 of 3 graded')).toContainText('The provider may bill the call that was stopped')
  await expect(failure).toHaveCount(0)

  // A definition that changes meanwhile keeps the stop and the typed limit.
  const instructions = app.getByLabel('Instructions')
  await app.getByLabel('Spending limit').fill('0.5')
  await run.click()
  await expect(app.getByText('Waiting for the verdict')).toHaveCount(1)
  await instructions.fill('')
  await expect(app.getByText('Running with the definition before this change')).toBeVisible()
  await expect(run).toHaveCount(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.screenshot({ path: info.outputPath('changed.png'), fullPage: true })
  await app.getByRole('button', { name: 'Stop' }).click()
  await expect(app.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  await instructions.fill('Decide whether the sum is right.')
  await expect(app.getByText('Stopped: 0 of 3 graded')).toBeVisible()
  await expect(app.getByLabel('Spending limit')).toHaveValue('0.5')
  await app.getByLabel('Spending limit').fill('')
  isHolding = false
  held.resolve()

  await run.click()
  await expect(app.getByText('Finished: 3 of 3 graded')).toBeVisible()
  const results = app.getByRole('region', { name: 'Result' })
  await expect(results.nth(0)).toContainText(/wrong[^]*fail[^]*It ends in a digit\./)
  await expect(results.nth(1)).toContainText(/correct[^]*pass[^]*It ends in a digit\./)
  await expect(results.nth(2)).toContainText(/unscored[^]*verdict/)
  await expect(results.nth(2).getByText('It replied: "I can’t tell."')).toHaveCount(1)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.screenshot({ path: info.outputPath('after.png'), fullPage: true })
  expect((await client.call('listEvaluators', { query: { q: 'Trial' } })).items).toEqual([])

  await app.getByLabel('Instructions').fill('Decide whether the sum is wrong.')
  await expect(results).toHaveCount(0)
  await judge.close()
  expect(complaints).toEqual([])
})

test('a price that is unknown is a part of the sentence', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const judge = await startJudge(() => 'VERDICT: pass')
  const id = await connectJudge(client, judge, { model: 'unpriced' })
  await client.call('updateConnection', { params: { connection_id: id }, body: { name: 'Unpriced judge' } })
  await frozenDataset(client, 'Unpriced sums')
  await app.goto('/evaluators/new')
  await app.getByLabel('Name').fill('Unpriced')
  await app.getByText('Judge', { exact: true }).click()
  await app.getByRole('combobox', { name: 'Judges' }).click()
  await app.getByRole('option', { name: 'Unpriced judge', exact: true }).click()
  await app.keyboard.press('Escape')
  await app.getByLabel('Instructions').fill('Decide whether the sum is right.')
  await expect(app.getByText(/^1 call · (under|about) .* · price unknown$/)).toBeVisible()
  await app.getByRole('button', { name: 'Save evaluator' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Unpriced' })).toBeVisible()
  await app.getByRole('combobox', { name: 'Dataset version' }).click()
  await app.getByRole('option', { name: /^Unpriced sums, version 1/ }).click()
  await expect(app.getByText(/^40 examples, 40 judge calls, .*, price unknown$/)).toBeVisible()

  // Grading a run says the same before it starts.
  const coverage = { mode: 'sample' as const, sample_count: 5, seed: 1 }
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const quoted = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-50' }, profiles, coverage })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, quoted.id, 'To be graded')).id)
  await app.goto(`/runs/${run.id}`)
  await app.getByRole('button', { name: 'More for this run' }).click()
  await app.getByRole('menuitem', { name: /^Grade with an evaluator/ }).click()
  await app.getByRole('combobox', { name: 'Evaluator' }).click()
  await app.getByRole('option', { name: 'Unpriced v1' }).click()
  await expect(app.getByText(/^5 judge calls, (under|about) .*, price unknown$/)).toBeVisible()
  expect(await violations(app)).toEqual([])
  await judge.close()
})

test('a judge is made for a frozen version by keyboard, and calibrated on it without choosing it again', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  const judge = await startJudge(() => 'VERDICT: pass')
  await client.call('updateConnection', {
    params: { connection_id: await connectJudge(client, judge, { model: 'kept' }) },
    body: { name: 'Kept judge' },
  })
  const version = await frozenDataset(client, 'Kept sums')
  const [dataset] = (await client.call('listDatasets', { query: { q: 'Kept sums' } })).items
  await app.goto(`/datasets/${dataset?.id}/versions/${version}`)
  await app.getByRole('button', { name: 'Calibrate a judge' }).press('Enter')
  await app.getByRole('link', { name: 'New judge' }).press('Enter')
  await expect(app.getByRole('radio', { name: 'Judge', exact: true })).toBeChecked()
  const chosen = app.getByRole('combobox', { name: 'Dataset version' })
  await expect(chosen).toHaveValue('Kept sums, version 1 (pass or fail, 40 examples)')
  await app.getByLabel('Name').fill('Kept')
  const judges = app.getByRole('combobox', { name: 'Judges' })
  await judges.press('ArrowDown')
  await judges.pressSequentially('Kept judge')
  await app.getByRole('option', { name: 'Kept judge', exact: true }).waitFor()
  await judges.press('ArrowDown')
  await judges.press('Enter')
  await judges.press('Escape')
  await app.getByLabel('Instructions').fill('Decide whether the sum is right.')
  // Every fourth output is labeled wrong, the first among them.
  await app.getByRole('button', { name: 'Run on these 3' }).press('Enter')
  const results = app.getByRole('region', { name: 'Result' })
  await expect(results.first()).toContainText('disagrees with the label')
  await expect(results.nth(1)).toContainText(/correct.*(?<!dis)agrees with the label/)
  await app.getByRole('button', { name: 'Save evaluator' }).press('Enter')
  await expect(app.getByRole('heading', { level: 1, name: 'Kept' })).toBeVisible()
  await expect(chosen).toHaveValue(/^Kept sums, version 1/)
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Calibrate', exact: true }).press('Enter')
  await expect(app.getByText(/^The judge agrees with people on 75 %/)).toBeVisible()
  await judge.close()
  expect(complaints).toEqual([])
})

test('a calibration that is cancelled midway says how far its judge came, and that it was cancelled', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  // Answers twice, then leaves the calibration waiting.
  const judge = await startJudge((_, n) => (n <= 2 ? 'VERDICT: pass' : new Promise<string>(() => undefined)))
  const connection = await connectJudge(client, judge, { model: 'slow', concurrency: 1 })
  const { id } = await saveJudge(client, connection, {}, 'Slow')
  const version = await frozenDataset(client, 'Slow sums')
  await app.goto(`/evaluators/${id}?version=${version}`)
  await app.getByRole('button', { name: 'Calibrate', exact: true }).click()
  await expect(app.getByText('0 of 40 examples, 3 judge calls so far')).toBeVisible()
  await app.getByRole('button', { name: 'Cancel calibration' }).click()
  await expect(app.getByText('Calibration cancelled')).toBeVisible()
  await expect(app.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(app.getByText('Failed')).toHaveCount(0)
  expect(await violations(app)).toEqual([])
  await app.goto(`/evaluators/${id}`)
  await expect(app.getByRole('table', { name: 'Calibrations' })).toContainText('Cancelled')
  await judge.close()
})

test('a limit that stops a regrade is said on the run, and grading with no limit typed takes what the quote can cost', async ({
  app,
  workstation,
}) => {
  const client = ownerClient(workstation)
  const judge = await startJudge(() => 'VERDICT: pass')
  const connection = await connectJudge(client, judge, { model: 'dear', priced: true })
  await saveJudge(client, connection, {}, 'Dear')
  const coverage = { mode: 'sample' as const, sample_count: 5, seed: 1 }
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const quoted = await quote(client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles, coverage })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, quoted.id, 'To be judged')).id)
  await app.goto(`/runs/${run.id}`)
  await app.getByRole('button', { name: 'More for this run' }).click()
  await app.getByRole('menuitem', { name: /^Grade with an evaluator/ }).click()
  const dialog = app.getByRole('dialog', { name: 'Grade with an evaluator' })
  await dialog.getByRole('combobox', { name: 'Evaluator' }).click()
  // The first quote fails: its error offers another attempt, and is gone with the choice that it was about.
  await app.route(/\/regrade-quotes$/, route => route.abort(), { times: 1 })
  await app.getByRole('option', { name: 'Dear v1' }).click()
  await expect(dialog.getByText('Couldn’t get a quote')).toBeVisible()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('Couldn’t get a quote')).toBeHidden()
  await expect(dialog.getByText(/^5 judge calls, .*\$0\.\d+, at most \$0\.\d+$/)).toBeVisible()
  await dialog.getByLabel('Spending limit').fill('0.000001')
  await dialog.getByRole('button', { name: 'Grade run' }).click()
  await expect(app.getByText('Regrade failed')).toBeVisible()
  await expect(app.getByText(/^Spending limit reached: the next call of the judge/)).toBeVisible()
  expect(await violations(app)).toEqual([])

  await app.getByRole('button', { name: 'Grade again…' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Evaluator' })).toHaveValue('Dear v1')
  await expect(dialog.getByLabel('Spending limit')).toHaveAttribute('placeholder', /^0\.\d+$/)
  await dialog.getByRole('button', { name: 'Grade run' }).click()
  await expect(app.getByText('Regrade failed')).toBeHidden()
  await expect.poll(async () => (await client.call('getRun', { params: { run_id: run.id } })).result_version).toBe(2)
  await judge.close()
})

test('a remote scorer is registered, its secret shown once, tested and disabled', async ({ app, complaints }) => {
  await app.goto('/evaluators/remote-scorers')
  await expect(app.getByRole('heading', { name: 'No remote scorers yet' })).toBeVisible()
  await app.getByRole('button', { name: 'New remote scorer' }).first().click()
  await app.getByLabel('Name').fill('House style')
  await app.getByLabel('Address').fill('http://169.254.169.254/score')
  await app.getByRole('button', { name: 'Register' }).click()
  await expect(app.getByText('Couldn’t register the scorer')).toBeVisible()
  await app.getByLabel('Address').fill('http://127.0.0.1:9/score')
  await app.getByLabel('Address').fill('http://127.0.0.1:28123/score')
  await app.getByRole('button', { name: 'Register' }).click()
  await expect(app.getByTestId('secret')).toHaveText(/^whsec_/)
  await app.getByRole('button', { name: 'I have saved it' }).click()
  const card = app.getByRole('region', { name: 'House style' })
  await card.getByRole('button', { name: 'Test' }).click()
  await expect(card.getByText('Failed')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await card.getByRole('button', { name: 'Disable' }).click()
  await app.getByRole('button', { name: 'Disable scorer' }).click()
  await expect(card.getByText('Disabled', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
})

test('what cannot be read says so and offers another try', async ({ app }) => {
  await app.route(/\/v1\/workload-evaluators(\?|$)/, route =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"error":{"code":"internal_error","message":"It broke.","request_id":"0190c4f0-0000-7000-8000-000000000001","feedback":{"url":"/v1/feedback","method":"POST","request_id":"0190c4f0-0000-7000-8000-000000000001","docs":"x"}}}',
    }),
  )
  await app.goto('/evaluators')
  await expect(app.getByText('Couldn’t load evaluators')).toBeVisible()
  await expect(app.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('options of a scorer are fields, and JSON for the rest; both are the same text', async ({ app, complaints }) => {
  await app.goto('/evaluators/new')
  await app.getByRole('checkbox', { name: 'Ignore case' }).check()
  await app.getByRole('combobox', { name: 'Extraction' }).click()
  await app.getByRole('option', { name: 'last number' }).click()
  await app.getByRole('button', { name: 'Edit options as JSON' }).click()
  const json = app.getByLabel('Options as JSON')
  await expect(json).toHaveValue(/"ignore_case": true[^]*"extraction": "last_number"/)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await json.fill('{"extraction": {"pattern": "x"}}')
  await expect(app.getByRole('combobox', { name: 'Extraction' })).toHaveValue('Set in JSON')
  await expect(app.getByRole('checkbox', { name: 'Ignore case' })).not.toBeChecked()
  await json.fill('[')
  await expect(app.getByText('Must be a JSON object, such as {}.')).toBeVisible()
  await expect(app.getByRole('checkbox', { name: 'Ignore case' })).toBeHidden()
  await json.fill('{}')
  await app.getByRole('combobox', { name: 'Scorer' }).fill('assay/pattern')
  await app.getByRole('option', { name: /assay\/pattern/ }).click()
  await app.getByLabel('Pattern', { exact: false }).last().fill('a+')
  expect(complaints).toEqual([])
})

test('an evaluator compares embeddings, whose connection is offered for nothing else', async ({ app, workstation, complaints }, info) => {
  const client = ownerClient(workstation)
  const server = await startEmbeddings(() => [1, 0])
  await connectEmbeddings(client, server)
  await app.goto('/evaluators/new')
  await app.getByLabel('Name').fill('Close to the reference')
  await app.getByText('Embeddings', { exact: true }).click()
  await app.getByRole('combobox', { name: 'Embedding model' }).click()
  await app.getByRole('option', { name: 'Embeddings' }).click()
  await expect(app.getByText('Texts sent for their embeddings')).toBeVisible()
  await app.getByLabel('Min similarity').fill('0.8')
  expect(await violations(app)).toEqual([])
  await app.screenshot({ path: info.outputPath('embedding-evaluator.png'), fullPage: true })
  await app.getByRole('button', { name: 'Save evaluator' }).click()
  await expect(app.getByText('Cosine similarity at least 0.8')).toBeVisible()
  await server.close()
  expect(complaints).toEqual([])
})

test('an evaluator is offered where one is chosen, however many are newer', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const definition = { kind: 'deterministic' as const, scorer: 'assay/exact_match', options: {}, target_from: 'expected' as const }
  for (const name of ['Oldest of many', ...Array.from({ length: 51 }, (_, i) => `Newer ${i}`)])
    await client.call('createEvaluator', { body: { name, definition } })
  await app.goto('/evaluators/new')
  await app.getByText('Composite', { exact: true }).click()
  await app.getByRole('combobox', { name: 'Parts' }).fill('Oldest of many')
  await app.getByRole('option', { name: 'Oldest of many v1' }).click()
  await expect(app.getByText('Oldest of many v1').first()).toBeVisible()
})
