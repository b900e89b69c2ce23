import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { pricedModel } from '../support/tuning.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

// Races and checks are real work of the service, beside the pages of other tests.
test('a session goes from an empty list to a recommendation, its export and a monitor of it', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const expected = new Map<string, string>()
  const right = (question: string) => [...expected].find(([input]) => question.includes(input))?.[1] ?? ''
  const large = await pricedModel(client, 'Large', right, 10_000_000)
  const small = await pricedModel(client, 'Small', right, 1_000_000)
  const tiny = await pricedModel(client, 'Tiny', () => 'none', 500_000)
  try {
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const { id: quoteId } = await quote(client, { model: { kind: 'connection', connection_id: large.id }, profiles: [profile] })
    const run = await submit(client, quoteId, 'Yesterday')
    await runToEnd(client, workstation.baseUrl, run.id)

    await app.goto('/tuning/monitors')
    await expect(app.getByRole('heading', { name: 'No monitors yet' })).toBeVisible()
    await app.getByRole('link', { name: 'Sessions' }).click()
    await expect(app.getByRole('heading', { name: 'No tuning sessions yet' })).toBeVisible()
    expect(await violationsInBothSchemes(app)).toEqual([])
    await app.getByRole('link', { name: 'From a run' }).click()
    await app.getByRole('textbox', { name: 'Name' }).fill('Word problems')
    await app.getByRole('combobox', { name: 'Run' }).click()
    await app.getByRole('option', { name: /^Yesterday/ }).click()
    await app.getByRole('button', { name: 'Create draft' }).click()
    await expect(app.getByRole('table', { name: 'Cases' })).toContainText('Run sample')
    const id = app.url().split('/').at(-1) ?? ''
    const { draft } = await client.call('getTuneSession', { params: { session_id: id } })
    for (const { input, expected: answer } of draft.cases)
      if (typeof input === 'string') expected.set(input, [answer ?? ''].flat()[0] ?? '')

    const approve = app.getByRole('button', { name: 'Approve' })
    // Prompt and grader are the run's, and the answer is found by them as it was there.
    await expect(app.getByRole('combobox', { name: 'Grader' })).not.toHaveValue('')
    await app.getByRole('textbox', { name: 'Acceptable loss (points)' }).fill('30')
    await app.getByRole('button', { name: 'Save objective' }).click()
    await expect(app.getByText('Revision 2')).toBeVisible()
    await approve.click()
    const dialog = app.getByRole('dialog')
    await expect(dialog).toContainText(`Revision 2 with ${draft.case_count} cases.`)
    await dialog.getByRole('checkbox', { name: /automatically/ }).check()
    await dialog.getByRole('button', { name: 'Approve revision 2' }).click()
    await expect(dialog.getByText('Enter a label for candidate 1.')).toBeVisible()
    expect(await violations(app)).toEqual([])
    await dialog.getByRole('checkbox', { name: /automatically/ }).uncheck()
    await dialog.getByRole('button', { name: 'Approve revision 2' }).click()

    const candidate = async (n: number, name: string) => {
      const fields = app.getByRole('group', { name: `Candidate ${n}` })
      await fields.getByRole('textbox', { name: 'Label' }).fill(name)
      await fields.getByRole('combobox', { name: 'Model' }).click()
      await app.getByRole('option', { name }).click()
    }
    await candidate(1, 'Small')
    await app.getByRole('button', { name: 'Add candidate' }).click()
    await candidate(2, 'Tiny')
    await app.getByRole('button', { name: 'Get quote' }).click()
    await expect(app.getByRole('table', { name: 'Arms of the quote' })).toContainText('Tiny')
    await expect(app.getByText('Detectable difference')).toBeVisible()
    expect(await violationsInBothSchemes(app)).toEqual([])
    await app.getByRole('button', { name: /^Start, billed about \$\d.* by providers$/ }).click()

    const result = app.getByRole('region', { name: 'Result' })
    await expect(result).toContainText(/Small costs 90 % less than current and is/, { timeout: 45_000 * patience() })
    const recommended = app.getByRole('region', { name: 'Recommended call' })
    await expect(recommended.getByText('Small', { exact: true })).toBeVisible()
    await expect(recommended.getByText(small.id)).toBeHidden()
    await recommended.getByText('As JSON').click()
    await expect(recommended.getByText(small.id)).toBeVisible()
    const arms = app.getByRole('table', { name: 'Arms of group 1' })
    await expect(arms).toContainText('Dropped')
    await expect(arms).toContainText(`of ${draft.case_count}`)
    // The interval that is drawn below: of a bound that early looks do not invalidate.
    await expect(arms).toContainText(/\] ?\d+(\.\d+)? % interval, look \d/)
    await expect(arms).not.toContainText('95 % interval')
    await expect(app.getByRole('img', { name: 'Difference by look' })).toBeVisible()
    await app
      .getByRole('region', { name: 'Difference by look' })
      .getByRole('button', { name: /Show as table/ })
      .click()
    await expect(app.getByRole('table', { name: 'Difference by look' })).toContainText('Look 1')
    await app.getByRole('button', { name: 'Export' }).click()
    const download = app.waitForEvent('download')
    await app.getByRole('menuitem', { name: /JSON/ }).click()
    expect((await download).suggestedFilename()).toBe('Word-problems.json')
    expect(await violationsInBothSchemes(app)).toEqual([])

    await app.getByRole('link', { name: 'Create monitor' }).click()
    await expect(app.getByRole('textbox', { name: 'Name' })).toHaveValue('Word problems: monitor')
    await expect(app.getByRole('combobox', { name: 'Baseline' })).toHaveValue(/^current: 100/)
    await expect(app.getByText('Small (Small)')).toBeVisible()
    expect(await violations(app)).toEqual([])
    // What the provider bills counts toward the month.
    await app.getByLabel('Limit per month').fill('5')
    await app.getByRole('button', { name: 'Create monitor' }).click()
    await app.getByRole('button', { name: 'Check now' }).click()
    await expect(app.getByRole('table', { name: 'Checks' })).toContainText('OK', { timeout: 45_000 * patience() })
  } finally {
    for (const { server } of [large, small, tiny]) await server.close()
  }
  expect(complaints).toEqual([])
})

test('a session is begun from code, its prompt and cases edited, and its grader tried', async ({ app, complaints }) => {
  await app.goto('/tuning')
  const begin = app.getByRole('link', { name: 'New session' })
  await begin.focus()
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
  await app.getByRole('textbox', { name: 'Input', exact: true }).fill('Where is my parcel?')
  await app.getByRole('textbox', { name: 'Cluster' }).fill('thread 7')
  await app.getByRole('button', { name: 'Add case' }).click()
  const cases = app.getByRole('table', { name: 'Cases' })
  await expect(cases).toContainText('thread 7')
  await cases.getByRole('button', { name: /^Edit/ }).nth(1).click()
  await app.getByRole('textbox', { name: 'Expected answer' }).fill('shipping\ndelivery')
  await app.getByRole('button', { name: 'Save case' }).click()
  await expect(cases).toContainText('shipping or delivery')
  await cases
    .getByRole('button', { name: /^Remove/ })
    .nth(1)
    .click()
  await expect(cases).not.toContainText('Where is my parcel?')
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
  await expect(app.getByRole('link', { name: 'Open the run' })).toBeVisible({ timeout: 45_000 * patience() })
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
  await expect(app.getByRole('img', { name: 'Drift detector' })).toBeVisible({ timeout: 45_000 * patience() })
  await expect(app.getByRole('heading', { name: /^Outputs behind the regression/ })).toBeVisible()
  await app.getByRole('button', { name: /Show as table/ }).click()
  await expect(app.getByRole('table', { name: 'Drift detector' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Pause' }).focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('button', { name: 'Resume' })).toBeVisible()

  // It waits for a person on Home until it is archived.
  await app.goto('/')
  await expect(app.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: /Production/ })).toBeVisible()
  await app.goto('/tuning/monitors')
  await app.getByRole('button', { name: 'Archive Production' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await expect(app.getByRole('button', { name: 'Archive Production' })).toHaveCount(0)
  await app.goto('/')
  await expect(app.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await expect(app.getByRole('link', { name: /Production/ }).filter({ hasText: 'Worse than' })).toHaveCount(0)
  await app.goto('/runs')
  await app.getByRole('button', { name: 'Date' }).click()
  await app.getByRole('button', { name: 'Today' }).click()
  await expect(app).toHaveURL(/\bfrom=\d{4}-\d{2}-\d{2}/)
  await expect(app.getByRole('grid', { name: 'Runs' }).getByText('Today', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByLabel('Until').fill('2020-01-01')
  await app.keyboard.press('Escape')
  await expect(app.getByRole('grid', { name: 'Runs' }).getByText('Today', { exact: true })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('code that is pasted fills in the call, and what a person typed stays', async ({ app, workstation, complaints }) => {
  const model = await pricedModel(ownerClient(workstation), 'gpt-6-mini', () => 'ok', 1_000_000)
  try {
    await app.goto('/tuning/new')
    await app.getByLabel('Name').fill('Tickets')
    const code = app.getByLabel('Code', { exact: true })
    await code.fill(
      'ask(model="gpt-6-mini", temperature=0.2, top_p=0.9, seed=7, max_tokens=64, system="Be brief.", messages=[{"role": "user", "content": f"Sort: {t}"}])',
    )
    await expect(
      app.getByText('Found: model, temperature 0.2, top p 0.9, seed 7, max output tokens 64, system prompt, prompt template.'),
    ).toBeVisible()
    await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-6-mini')
    await expect(app.getByLabel('System prompt')).toHaveValue('Be brief.')
    await app.getByLabel('Prompt template').fill('Sort this: {input}')
    await code.fill('ask(model="gpt-7", temperature=0.2, top_p=0.9, seed=7, max_tokens=64, system="Be brief.", prompt=f"Sort: {t}")')
    await expect(app.getByText('which has no ready connection', { exact: false })).toBeVisible()
    await app.getByRole('combobox', { name: 'Model' }).click()
    await app.getByRole('option', { name: 'gpt-6-mini' }).click()
    await expect(app.getByLabel('Prompt template')).toHaveValue('Sort this: {input}')
    await app.getByRole('button', { name: 'Create draft' }).click()
    await expect(app.getByRole('heading', { level: 1, name: 'Tickets' })).toBeFocused()
    await expect(app.getByLabel('Temperature')).toHaveValue('0.2')
    const { items } = await ownerClient(workstation).call('listTuneSessions', { query: { q: 'Tickets' } })
    const { draft } = await ownerClient(workstation).call('getTuneSession', { params: { session_id: items[0]?.id ?? '' } })
    expect(draft.call).toMatchObject({
      system_prompt: 'Be brief.',
      prompt_template: 'Sort this: {input}',
      parameters: { temperature: 0.2, max_output_tokens: 64, top_p: 0.9, seed: 7 },
      source: { kind: 'code' },
    })
    expect(complaints).toEqual([])
  } finally {
    await model.server.close()
  }
})
