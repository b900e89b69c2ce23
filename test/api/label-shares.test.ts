import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { connectJudge, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const sharesIn = async (runId: string) =>
  (await service.client.call('getRunResults', { params: { run_id: runId } })).label_shares?.map(
    ({ metric, dimension, value, label, samples, estimate }) => [metric, dimension, value, label, samples, estimate.n],
  )

const Content = z.tuple([z.object({ text: z.string() })])

async function byMcp(name: string, args: Record<string, unknown>): Promise<unknown> {
  const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const requestInit = { headers: { authorization: `Bearer ${service.file.api_key}` } }
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }))
  const { content } = await mcp.callTool({ name, arguments: args })
  await mcp.close()
  return JSON.parse(Content.parse(content)[0].text)
}

describe('labels of a judge', () => {
  test('are shown by group in results, report and Markdown', async () => {
    const rows = ['harmful', 'harmful', 'harmful', 'harmless', 'harmless'].map((kind, i) =>
      JSON.stringify({ question: `Question ${i} is ${kind}?`, answer: 'yes', kind }),
    )
    await importFiles(service, { name: 'Prompts', format: 'jsonl', mapping: JSON.stringify({ groups: ['kind'] }) }, [
      { name: 'prompts.jsonl', content: rows.join('\n') },
    ])
    const judge = await startJudge(chat => `VERDICT: ${/ harmful/.test(materialOf(chat)[0] ?? '') ? 'refused' : 'answered'}`)
    const { id } = await saveJudge(service.client, await connectJudge(service.client, judge), {
      instructions: 'Did the model refuse?',
      menu: [
        { value: 'answered', passes: true },
        { value: 'refused', passes: false },
      ],
    })
    const made = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(service.client, 'prompts', 'zero-shot')],
      execution: { evaluators: [id] },
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, made.id)).id)
    await judge.close()
    expect(await sharesIn(run.id)).toEqual([
      ['a_judge_v1', null, null, 'answered', 2, 5],
      ['a_judge_v1', null, null, 'refused', 3, 5],
      ['a_judge_v1', 'kind', 'harmful', 'answered', 0, 3],
      ['a_judge_v1', 'kind', 'harmful', 'refused', 3, 3],
      ['a_judge_v1', 'kind', 'harmless', 'answered', 2, 2],
      ['a_judge_v1', 'kind', 'harmless', 'refused', 0, 2],
    ])
    const html = await (await service.fetch(`/v1/runs/${run.id}/export?format=html`)).text()
    expect(html).toContain('Labels of A judge')
    expect(html).toContain('100.0 % [43.9, 100.0]')
    const markdown = await (await service.fetch(`/v1/runs/${run.id}/exports/markdown`)).text()
    expect(markdown).toContain('| kind&#58; harmful | 0.0 % [0.0, 56.1] | 100.0 % [43.9, 100.0] | 3 | 0 |')
  })
})

test('a table of outputs states verdicts in words, which are counted by group', async () => {
  const rows = ['a', 'a', 'b'].map((kind, i) => JSON.stringify({ id: `t${i}`, question: `Is ${i}?`, answer: 'yes', kind }))
  await importFiles(service, { name: 'Own prompts', format: 'jsonl', mapping: JSON.stringify({ groups: ['kind'], id: 'id' }) }, [
    { name: 'prompts.jsonl', content: rows.join('\n') },
  ])
  const given = ['refused', 'answered', 'refused'].map((verdict, i) => JSON.stringify({ task_id: `t${i}`, output: 'I …', verdict }))
  const send = async (words: object) =>
    importAnswers(
      service,
      {
        profile_id: await profileId(service.client, 'own-prompts', 'zero-shot'),
        model: 'm',
        mapping: JSON.stringify({ scores: [{ column: 'verdict', words }] }),
      },
      [{ name: 'outputs.jsonl', content: given.join('\n') }],
    )
  const { runs } = await send({ refused: 0, answered: 1 })
  expect(await sharesIn(runs[0]?.run_id ?? '')).toEqual([
    ['recorded_verdict', null, null, 'answered', 1, 3],
    ['recorded_verdict', null, null, 'refused', 2, 3],
    ['recorded_verdict', 'kind', 'a', 'answered', 1, 2],
    ['recorded_verdict', 'kind', 'a', 'refused', 1, 2],
    ['recorded_verdict', 'kind', 'b', 'answered', 0, 1],
    ['recorded_verdict', 'kind', 'b', 'refused', 1, 1],
  ])
  const others = await importAnswers(
    service,
    {
      profile_id: await profileId(service.client, 'own-prompts', 'zero-shot'),
      model: 'n',
      mapping: JSON.stringify({ scores: [{ column: 'verdict', words: { refused: 0, answered: 1 } }] }),
    },
    [{ name: 'outputs.jsonl', content: given.join('\n').replaceAll('"refused"', '"answered"') }],
  )
  const [one = '', other = ''] = [runs, others.runs].map(([run]) => run?.run_id)
  const comparison = await service.client.call('createComparison', {
    body: { name: 'Refusals', run_ids: [one, other], baseline_id: one },
  })
  expect(
    comparison.label_differences?.map(row => [row.value, row.label, row.n, row.baseline.mean, row.contender.mean, row.wins, row.losses]),
  ).toEqual([
    [null, 'answered', 3, 1 / 3, 1, 2, 0],
    [null, 'refused', 3, 2 / 3, 0, 0, 2],
    ['a', 'answered', 2, 0.5, 1, 1, 0],
    ['a', 'refused', 2, 0.5, 0, 0, 1],
    ['b', 'answered', 1, 0, 1, 1, 0],
    ['b', 'refused', 1, 1, 0, 0, 1],
  ])
  const report = await (await service.fetch(`/v1/comparisons/${comparison.id}/export?format=html`)).text()
  expect(report).toContain('Recorded score (verdict), kind: a')
  expect(await byMcp('compare_runs', { baseline: one, candidates: [other], only: 'labels' })).toMatchObject({
    label_differences: Array.from({ length: 6 }, () => ({ baseline_share: { interval: { method: 'wilson' } } })),
  })
  expect(await byMcp('get_results', { run_id: one, labels: true })).toMatchObject({
    label_shares: expect.arrayContaining([
      expect.objectContaining({ untrusted_data: { metric: 'recorded_verdict', label: 'refused', group: 'kind: a' } }),
    ]),
  })
  const { errors } = await send({ answered: 1 })
  expect(errors[0]?.message).toBe(
    'The field "verdict" must be a number, not "refused". State the values of words with "words" in "scores".',
  )
})

describe('verdicts in words of an imported log', () => {
  const log = (values: readonly (string | number | object)[]) =>
    JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 'refusals', model: 'one', scorers: [{ name: 'refusal' }], packages: { inspect_ai: '0.3.133' } },
      samples: values.map((value, i) => ({
        id: i + 1,
        epoch: 1,
        input: `Question ${i}?`,
        target: 'A long reference.',
        output: { choices: [{ message: { role: 'assistant', content: `Answer ${i}` }, stop_reason: 'stop' }] },
        scores: { refusal: { value, explanation: `Because of ${i}.` } },
      })),
    })

  test('are counted, named on their samples, and kept by a regrade', async () => {
    const record = await importAnswers(service, {}, [{ name: 'log.json', content: log(['C', 'refusal', 'C', '0.5', 1, 'I']) }])
    const id = record.runs[0]?.run_id ?? ''
    const counted = [
      ['recorded_refusal', null, null, 'C', 2, 4],
      ['recorded_refusal', null, null, 'I', 1, 4],
      ['recorded_refusal', null, null, 'refusal', 1, 4],
    ]
    expect(await sharesIn(id)).toEqual(counted)
    const { items } = await service.client.call('listSamples', { params: { run_id: id } })
    const sample = await service.client.call('getSample', { params: { run_id: id, sample_id: items[1]?.id ?? '' } })
    expect(sample.score_details[0]).toMatchObject({
      label: 'refusal',
      explanation: 'Recorded as "refusal", 0 on a scale from 0 to 1. Because of 1.',
    })
    await service.client.call('regradeRun', { params: { run_id: id }, body: {} })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: id } })).result_version).toBe(2)
    expect(await sharesIn(id)).toEqual(counted)
  })

  test('of several parts are counted apart', async () => {
    const record = await importAnswers(service, {}, [
      {
        name: 'log.json',
        content: log([
          { refused: 'yes', tone: 'kind' },
          { refused: 'no', tone: 'kind' },
        ]),
      },
    ])
    expect((await sharesIn(record.runs[0]?.run_id ?? ''))?.map(([metric, , , label]) => [metric, label])).toEqual([
      ['recorded_refusal_refused', 'no'],
      ['recorded_refusal_refused', 'yes'],
      ['recorded_refusal_tone', 'kind'],
    ])
  })
})
