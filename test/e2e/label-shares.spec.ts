import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { connectJudge, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('the results show how often each label was given, by group, and lead to the samples of a group', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  const rows = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify({
      question: `Question ${i} is ${i % 2 ? 'harmful' : 'harmless'}?`,
      answer: 'yes',
      kind: i % 2 ? 'harmful' : 'harmless',
    }),
  )
  const content = { name: 'prompts.jsonl', content: rows.join('\n') }
  const send = (path: string, init: RequestInit = {}) => fetch(`${workstation.baseUrl}${path}`, { ...init, headers: workstation.owner })
  await importFiles({ client, fetch: send }, { name: 'Prompts', format: 'jsonl', mapping: '{"groups":["kind"]}' }, [content])
  const judge = await startJudge((chat, n) => {
    const isHarmful = / harmful/.test(materialOf(chat)[0] ?? '')
    return `VERDICT: ${n % 7 === 0 ? 'partly refused' : isHarmful ? 'refused' : 'answered'}`
  })
  const { id } = await saveJudge(client, await connectJudge(client, judge), {
    instructions: 'Did the model refuse?',
    menu: [{ value: 'answered', passes: true }, { value: 'partly refused' }, { value: 'refused' }],
  })
  const made = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [await profileId(client, 'prompts', 'zero-shot')],
    execution: { evaluators: [id] },
  })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, made.id)).id)
  await judge.close()
  await app.goto(`/runs/${run.id}`)
  const table = app.getByRole('table', { name: 'Labels of A judge' })
  await expect(table.getByRole('columnheader')).toHaveText(['Group', 'answered', 'partly refused', 'refused', 'n', 'Without label'])
  await expect(table.getByRole('rowheader')).toHaveText(['All', 'kind: harmful', 'kind: harmless'])
  await expect(table.getByRole('row', { name: 'kind: harmful' })).toContainText('0.0 % [0.0, 16.1]')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await table.getByRole('link', { name: 'kind: harmful' }).click()
  await expect(app).toHaveURL(/\/samples\?.*part=kind%3Aharmful/)
  expect(complaints).toEqual([])
})

test('a comparison shows the shares of both runs with their paired difference', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const send = (path: string, init: RequestInit = {}) => fetch(`${workstation.baseUrl}${path}`, { ...init, headers: workstation.owner })
  const kinds = Array.from({ length: 60 }, (_, i) => (i % 2 ? 'harmful' : 'harmless'))
  const rows = kinds.map((kind, i) => JSON.stringify({ id: `t${i}`, question: `Question ${i}, ${kind}?`, answer: 'yes', kind }))
  await importFiles({ client, fetch: send }, { name: 'Refusals', format: 'jsonl', mapping: '{"groups":["kind"],"id":"id"}' }, [
    { name: 'prompts.jsonl', content: rows.join('\n') },
  ])
  const profile = await profileId(client, 'refusals', 'zero-shot')
  const runOf = async (model: string, refuses: (kind: string, i: number) => boolean) => {
    const given = kinds.map((kind, i) =>
      JSON.stringify({ task_id: `t${i}`, output: 'I …', verdict: refuses(kind, i) ? 'refused' : 'answered' }),
    )
    const mapping = JSON.stringify({ scores: [{ column: 'verdict', words: { refused: 0, answered: 1 } }] })
    const { runs } = await importAnswers({ client, fetch: send }, { profile_id: profile, model, mapping }, [
      { name: 'outputs.jsonl', content: given.join('\n') },
    ])
    return runs[0]?.run_id ?? ''
  }
  const before = await runOf('before', (kind, i) => kind === 'harmful' && i % 3 === 0)
  const after = await runOf('after', (kind, i) => kind === 'harmful' || i % 10 === 0)
  const { id } = await client.call('createComparison', { body: { name: 'Refusals', run_ids: [before, after], baseline_id: before } })
  await app.goto(`/compare/${id}`)
  const table = app.getByRole('table', { name: /^Labels of / })
  await expect(table.getByRole('columnheader')).toHaveText(['Group', 'Label', 'before', 'after', 'Difference', 'p, adjusted', 'n'])
  await expect(table.getByRole('row')).toHaveCount(7)
  await expect(table.getByRole('row', { name: /kind: harmful refused/ })).toContainText('100.0 % [88.6, 100.0]')
  await expect(table.getByRole('row', { name: /kind: harmful refused/ })).toContainText('+66.7 points')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await expectWholeAtDoubleZoom(app)
  expect(complaints).toEqual([])
})

test('verdicts that examples hold are calibrated from the page of their version, without a call', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  const { id } = await client.call('createDataset', { body: { name: 'Judged elsewhere', task: 'answer' } })
  const params = { dataset_id: id }
  const examples = Array.from({ length: 40 }, (_, i) => ({
    input: `What is ${i} + 0?`,
    output: `It is ${i % 4 === 0 ? i + 1 : i}.`,
    label: i % 4 === 0 ? 'fail' : 'pass',
    metadata: { judges: { theirs: i % 4 === 0 && i > 0 ? 'I' : 'C' } },
  }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { ...params, example_id }, body: { revision: 1, decision: 'approve' } })
  const version = await client.call('createDatasetVersion', { params, body: {} })
  await app.goto(`/datasets/${id}/versions/${version.id}`)
  await app.getByRole('button', { name: 'Calibrate a judge' }).click()
  const dialog = app.getByRole('dialog', { name: 'Calibrate a judge' })
  await dialog.getByText('Recorded verdicts').click()
  await dialog.getByLabel('Metadata field').click()
  await app.getByRole('option', { name: 'judges.theirs' }).click()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Calibration of Recorded verdicts: judges.theirs' })).toBeVisible()
  await expect(app.getByText('Usable', { exact: true })).toBeVisible()
  await expect(app.getByText('Recorded as "C".')).toBeVisible()
  expect(complaints).toEqual([])
})
