import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddingServer, connectEmbeddings, startEmbeddings } from '../support/embedding-server.ts'
import { importFiles } from '../support/imports.ts'
import { jobEnd } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type TestService, startTestService } from '../support/service.ts'

const echo = { kind: 'managed', route_id: 'assay/echo' } as const
/** Texts about weather lie on one axis, all else on the other. */
const vectorOf = (text: string) => (text.includes('refused') ? undefined : /rain|wet/.test(text) ? [1, 0.1] : [0, 1])

let service: TestService
let server: EmbeddingServer
let connection = ''
beforeAll(async () => {
  service = await startTestService()
  server = await startEmbeddings(vectorOf)
  connection = await connectEmbeddings(service.client, server, true)
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const evaluator = async (more: object = {}) => {
  const definition = { kind: 'embedding' as const, connection_id: connection, ...more }
  return service.client.call('createEvaluator', { body: { name: 'Similar', definition } })
}

describe('a connection of embeddings', () => {
  test('is checked, says that it embeds, and is neither a model of runs nor a judge', async () => {
    const { client } = service
    const { items } = await client.call('listConnections', { query: {} })
    expect(items.find(({ id }) => id === connection)).toMatchObject({
      status: 'ready',
      capabilities: ['embeddings'],
      last_check: { ok: true, reports_usage: true },
    })
    const model = { kind: 'connection', connection_id: connection } as const
    const { compatibility } = await quote(client, {
      model,
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 1, seed: 1 },
    })
    expect(compatibility.status).toBe('incompatible')
    expect(compatibility.checks.map(({ detail }) => detail).join(' ')).toContain('returns embeddings, not answers')
    const judge = {
      kind: 'model_graded' as const,
      judges: [{ model }],
      mode: 'score' as const,
      instructions: 'x',
      menu: [{ value: '0' }, { value: '1' }],
    }
    expect(await client.refusal('createEvaluator', { body: { name: 'Judge', definition: judge } })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining("returns embeddings and can't judge"),
    })
  })
})

describe('promptfoo’s "similar"', () => {
  const config = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: It will rain}, assert: [{type: similar, value: wet day}]}',
    '  - {vars: {q: A cat}, assert: [{type: similar, value: [wet day, rain], threshold: 0.8}]}',
    '  - {vars: {q: A dog}, assert: [{type: "not-similar:dot", value: wet day}, {type: contains, value: dog}]}',
    '  - {vars: {q: refused text}, assert: [{type: similar, value: wet day}]}',
  ].join('\n')

  test('grades each test by its own values and thresholds, by calls that are priced, stored and never made twice', async () => {
    const { client, baseUrl } = service
    const files = [{ name: 'promptfooconfig.yaml', content: config }]
    const refused = await importFiles(service, { format: 'promptfoo_yaml', name: 'Refused' }, files)
    expect(refused.errors[0]?.message).toBe(
      'The assertion "similar" compares embeddings. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.',
    )
    const record = await importFiles(service, { format: 'promptfoo_yaml', name: 'Weather', leave_out: 'true' }, files)
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 4 } })
    expect(record.evaluators).toEqual([
      { assertion: 'similar', preset: 'embedding_similarity', tasks: 3 },
      { assertion: 'not-similar:dot', preset: 'embedding_similarity', tasks: 1 },
    ])
    const { id, requires } = await evaluator()
    expect(requires.model_calls_per_output).toBe(1)
    const made = await quote(client, {
      model: echo,
      profiles: [await profileId(client, 'weather', 'zero-shot')],
      execution: { evaluators: [id] },
    })
    expect(made.counts.judge_calls).toBe(4)
    expect(Number(made.cost.provider_billed_upper_bound_microusd)).toBeGreaterThan(Number(made.cost.provider_billed_estimate_microusd))
    server.asked.length = 0
    const run = await runToEnd(client, baseUrl, (await submit(client, made.id)).id)
    const params = { run_id: run.id }
    expect(server.asked).toContainEqual(['It will rain', 'wet day'])
    expect(run.accounting.provider_billed_microusd).toBe('35')
    const { metrics, notices } = await client.call('getRunResults', { params })
    expect(metrics.find(metric => metric.evaluator)).toMatchObject({
      unscored: 1,
      estimate: { n: 3, mean: 2 / 3 },
      evaluator: { judged: false, statement: 'evaluator score, not calibrated' },
    })
    expect(notices.map(({ message }) => message)).toContainEqual(expect.stringContaining('because an embedding model did not answer'))
    const { items } = await client.call('listSamples', { params })
    const told = await Promise.all(items.map(({ id: sample_id }) => client.call('getSample', { params: { ...params, sample_id } })))
    expect(told.map(({ score_details }) => score_details.at(-1)?.explanation)).toEqual(
      expect.arrayContaining([
        'The cosine similarity to "wet day" is 1.0000; to pass it is at least 0.75.',
        'The cosine similarity to "wet day" is 0.0995; to pass it is at least 0.8.',
        'The dot product to "wet day" is 0.1000; to pass it is at most 0.75.',
        expect.stringContaining('The embedding model Embeddings did not answer.'),
      ]),
    )

    const calls = server.asked.length
    const { id: other } = await evaluator({ threshold: 0.9 })
    expect(await client.refusal('regradeRun', { params, body: { evaluator_version_id: other } })).toMatchObject({
      message: expect.stringContaining('this evaluator calls models'),
    })
    const quoted = await client.call('createRegradeQuote', { params, body: { evaluator_version_id: other, max_charge_microusd: '1' } })
    await client.call('regradeRun', { params, body: { evaluator_version_id: other, regrade_quote_id: quoted.id } })
    const { items: jobs } = await client.call('listJobs', { query: { kind: 'regrade' } })
    await jobEnd(client, jobs[0]?.id ?? '')
    expect(await client.call('getJob', { params: { job_id: jobs[0]?.id ?? '' } })).toMatchObject({
      state: 'failed',
      error: {
        code: 'spending_limit_reached',
        message: expect.stringContaining('the next call of the embedding model Embeddings could cost'),
      },
    })
    expect(server.asked).toHaveLength(calls)
  })
})

describe('an embedding evaluator', () => {
  test('shows the texts that it would send, and needs a connection of embeddings', async () => {
    const { client } = service
    const definition = { kind: 'embedding' as const, connection_id: connection }
    expect(await client.call('tryEvaluator', { body: { definition, output: 'rain', expected: ['wet', 'dry'] } })).toMatchObject({
      kind: 'prompt',
      questions: [{ messages: [{ content: 'rain' }, { content: 'wet' }, { content: 'dry' }] }],
      model_calls_per_output: 1,
    })
    expect(await client.call('tryEvaluator', { body: { definition, output: 'rain' } })).toMatchObject({ kind: 'verdict', value: null })
    const missing = { ...definition, connection_id: '0190c4f0-0000-7000-8000-000000000001' }
    expect((await client.refusal('createEvaluator', { body: { name: 'x', definition: missing } })).code).toBe('validation_error')
  })
})
