import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { connectJudge, jobEnd, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const scale = { mode: 'score', menu: [{ value: '0' }, { value: '5' }, { value: '10' }] }

/** A judge that gives the verdict at the end of the graded answer. */
const startReader = () => startJudge(chat => `VERDICT: ${/\d+$/.exec(materialOf(chat)[1] ?? '')?.[0]}`)

async function land(name: string, rows: readonly object[], mapping: object) {
  const file = { name: 'x.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') }
  const record = await importToEnd(service, { fields: { format: 'jsonl', name, mapping: JSON.stringify(mapping) }, files: [file] })
  expect(record).toMatchObject({ status: 'imported' })
  return profileId(service.client, name.toLowerCase(), 'zero-shot')
}

/** A model whose first answers earn 10 and whose second answers earn 5. */
async function answered(profile: string, evaluators: string[]) {
  const { client, baseUrl } = service
  const models = await startModelServer({ answers: question => (question.startsWith('And') ? 'second 5' : 'first 10') })
  const { id: connection_id } = await client.call('createConnection', {
    body: { name: 'talker', base_url: models.baseUrl, model: 'replay' },
  })
  await client.call('checkConnection', { params: { connection_id } })
  const quoted = await quote(client, { model: { kind: 'connection', connection_id }, profiles: [profile], execution: { evaluators } })
  const { id } = await submit(client, quoted.id, 'talk')
  const run = await runToEnd(client, baseUrl, id)
  return { quoted, run }
}

const metricsOf = async (runId: string) => {
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: runId }, query: {} })
  return metrics.filter(({ evaluator }) => evaluator)
}

test('a judge grades the last answer, that to a turn, or each with their mean, and the quote counts its calls', async () => {
  const judge = await startReader()
  const connection = await connectJudge(service.client, judge)
  const save = (change: object) => saveJudge(service.client, connection, { ...scale, ...change })
  const [last, first, second, each] = await Promise.all([save({}), save({ turns: 1 }), save({ turns: 2 }), save({ turns: 'each' })])
  const profile = await land(
    'Talk',
    [
      { turns: ['One?', 'And two?'], target: 'x' },
      { turns: ['Alone?'], target: 'x' },
    ],
    {
      input: 'turns',
      target: 'target',
    },
  )
  const { quoted, run } = await answered(profile, [last.id, first.id, second.id, each.id])
  expect(quoted.counts).toMatchObject({ samples: 2, judge_calls: 2 + 2 + 2 + 3 })
  expect((await metricsOf(run.id)).map(({ estimate, unscored }) => [estimate.mean, unscored])).toEqual([
    [0.75, 0],
    [1, 0],
    [0.5, 1],
    [0.875, 0],
  ])
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 10 } })
  const details = await Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: run.id, sample_id: id } })))
  const talk = details.find(({ messages }) => messages.length > 1)
  const alone = details.find(({ messages }) => messages.length === 1)
  expect(talk?.score_details.at(-1)?.explanation).toMatch(/^Turn 1: .* Turn 2: /)
  expect(alone?.score_details.at(-2)?.explanation).toBe('The judge grades turn 2, and the conversation has 1 turn.')
  // The answer to a turn is shown with what was said before it, and nothing after.
  const shown = judge.asked.map(materialOf)
  expect(shown).toContainEqual(['One?', 'first 10'])
  expect(shown).toContainEqual(['USER:\nOne?\n\nASSISTANT:\nfirst 10\n\nUSER:\nAnd two?', 'second 5'])
  await judge.close()
})

test('each turn is judged by its own reference answer, live and when graded later', async () => {
  const judge = await startReader()
  const connection = await connectJudge(service.client, judge)
  const save = (reference: string) => saveJudge(service.client, connection, { ...scale, turns: 'each', reference })
  const [expected, ifGiven] = await Promise.all([save('expected'), save('if_given')])
  const profile = await land('Gold', [{ turns: ['One?', 'And two?'], gold: ['ten', null] }], { input: 'turns', turn_targets: 'gold' })
  const { run } = await answered(profile, [expected.id])
  expect(await metricsOf(run.id)).toMatchObject([{ estimate: { mean: 1 } }])
  expect(judge.asked.map(materialOf)).toEqual([['One?', 'first 10', 'ten']])
  const params = { run_id: run.id }
  const { id: regrade_quote_id, judge_calls } = await service.client.call('createRegradeQuote', {
    params,
    body: { evaluator_version_id: ifGiven.id, max_charge_microusd: '1000000' },
  })
  expect(judge_calls).toBe(2)
  await service.client.call('regradeRun', { params, body: { evaluator_version_id: ifGiven.id, regrade_quote_id } })
  const { items } = await service.client.call('listJobs', { query: { kind: 'regrade' } })
  await jobEnd(service.client, items.find(({ subject }) => subject?.id === run.id)?.id ?? '')
  expect((await metricsOf(run.id)).map(({ estimate }) => estimate.mean)).toEqual([1, 0.75])
  const later = judge.asked.slice(1).map(materialOf)
  expect(later).toContainEqual(['One?', 'first 10', 'ten'])
  // Nothing is said of a reference where there is none.
  expect(later).toContainEqual(['USER:\nOne?\n\nASSISTANT:\nfirst 10\n\nUSER:\nAnd two?', 'second 5'])
  await judge.close()
})

test('MT-Bench is imported from FastChat’s file and judged by its preset', async () => {
  const rows = [
    { question_id: 81, category: 'writing', turns: ['One?', 'And two?'] },
    { question_id: 111, category: 'math', turns: ['Three?', 'And four?'], reference: ['3', '4'] },
  ]
  const content = rows.map(row => JSON.stringify(row)).join('\n')
  const fields = { recipe: 'mt-bench' }
  const record = await importToEnd(service, { fields, files: [{ name: 'question.jsonl', content }] })
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
  const { presets } = await service.client.call('getEvaluatorOptions', {})
  const judge = await startReader()
  const preset = presets.find(({ id }) => id === 'mt_bench')?.definition
  const { id } = await saveJudge(service.client, await connectJudge(service.client, judge), preset)
  const { quoted, run } = await answered(await profileId(service.client, 'mt-bench', 'two-turns'), [id])
  expect(quoted.counts.judge_calls).toBe(4)
  // The mean of 10 and 5 on a scale that begins at 1.
  expect((await metricsOf(run.id))[0]?.estimate.mean).toBeCloseTo((1 + 4 / 9) / 2, 10)
  const shown = judge.asked.map(materialOf)
  expect(shown).toContainEqual(['Three?', 'first 10', '3'])
  expect(shown).toContainEqual(['One?', 'first 10'])
  await judge.close()
})

test('a pairwise judge of turns is refused', async () => {
  const made = saveJudge(service.client, '0190c4f0-0000-7000-8000-000000000001', { mode: 'pairwise', menu: [], turns: 'each' })
  await expect(made).rejects.toThrow('last answers of their conversations')
})
