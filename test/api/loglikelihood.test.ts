import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCompletionsServer } from '../journeys/model-server/completions-server.ts'
import { bundledContent } from '../support/bundled-content.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'logic-choice', 'loglikelihood')
})
afterAll(() => service.close())

const { tasks } = bundledContent('logic-choice')

/** A base model that knows the answers: the next word of the right choice, wherever in it the text stands. */
function nextWord(context: string): string {
  const task = tasks.find(({ fields }) => context.includes(fields['question'] ?? '\0'))
  const right = task?.choices?.[(task.targets[0] ?? 'A').charCodeAt(0) - 65] ?? 'Paris'
  const said = context.split('Answer:')[1]?.trim().split(/\s+/).filter(Boolean).length ?? 0
  return right.split(' ')[task ? said : 0] ?? 'end'
}

async function connect(echo: 'honest' | 'ignored') {
  const server = await startCompletionsServer({ echo, likely: nextWord })
  onTestFinished(() => server.close())
  const { id } = await service.client.call('createConnection', {
    body: { name: echo, protocol: 'openai_completions', base_url: server.baseUrl, model: 'base', probes: ['loglikelihood'] },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return { kind: 'connection', connection_id: id } as const
}

test('choices are scored by the likelihoods that a proved endpoint gives, every call kept', async () => {
  const { client, baseUrl } = service
  const quoted = await quote(client, {
    model: await connect('honest'),
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 20, seed: 3 },
  })
  expect(quoted).toMatchObject({ compatibility: { status: 'compatible' }, counts: { samples: 20, model_calls: 80 } })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
  const results = await client.call('getRunResults', { params: { run_id: run.id } })
  expect(results.metrics.find(({ metric }) => metric === 'acc')?.estimate).toMatchObject({ n: 20, mean: 1 })
  const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
  const sample = await client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
  expect(sample.attempt_log[0]?.earlier_calls).toHaveLength(3)
  expect(sample.score_details[0]?.explanation).toContain('The most likely choice is')
})

test('without verified log-likelihoods the profile is not quoted, and nothing replaces it', async () => {
  const { compatibility } = await quote(service.client, { model: await connect('ignored'), profiles: [profile] })
  expect(compatibility.status).toBe('incompatible')
  expect(compatibility.checks.find(({ status }) => status === 'fail')?.detail).toContain('has no log-likelihoods')
})

test.each([
  ['assay/oracle-100', 1, 1],
  ['assay/random', 0.15, 0.35],
])('%s measures between %d and %d', async (route_id, low, high) => {
  const { client, baseUrl } = service
  const quoted = await quote(client, { model: { kind: 'managed', route_id }, profiles: [profile] })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
  const { metrics } = await client.call('getRunResults', { params: { run_id: run.id } })
  expect(metrics[0]?.estimate.mean).toBeGreaterThanOrEqual(low)
  expect(metrics[0]?.estimate.mean).toBeLessThanOrEqual(high)
})
