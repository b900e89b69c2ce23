import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { answersFromGsm8k } from '../journeys/model-server/replay-files.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { connectJudge } from '../support/judging.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { backfill, connect, providers, resourcesOf, startProvider, type TestedProvider } from '../support/trace-providers/connected.ts'
import { type FakeItem, fakeTraces, fixedUuid, iso, type ScriptedServer } from '../support/trace-providers/scripted-server.ts'

let service: TestService
const servers: ScriptedServer[] = []

beforeAll(async () => {
  service = await startTestService()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => service.close())

const fakeItems = (count: number): FakeItem[] =>
  Array.from({ length: count }, (_, i) => ({
    id: fixedUuid(2, i),
    question: `Question ${i}?`,
    answer: `Answer ${i}`,
    output: `Output ${i}`,
  }))

async function start(provider: TestedProvider, items: readonly FakeItem[]) {
  const server = await startProvider(provider, [], items)
  servers.push(server)
  const { id: integration_id } = await connect(service.client, provider, server.url)
  const { id: dataset_id } = await service.client.call('createDataset', { body: { name: `from ${provider}`, task: 'answer' } })
  return { server, integration_id, dataset_id }
}

type Body = Request<Api['addWorkloadSource']>['body']

/** Every page, and what they did together. */
async function readAll(dataset_id: string, body: Body) {
  const sum = { created: 0, revised: 0, unchanged: 0, skipped: 0, pages: 0, digest: '', version: '' }
  for (let cursor: string | undefined; ; ) {
    const { source, next_cursor } = await service.client.call('addWorkloadSource', {
      params: { dataset_id },
      body: { ...body, ...(cursor === undefined ? {} : { cursor }) },
    })
    sum.created += source.created
    sum.revised += source.revised
    sum.unchanged += source.unchanged
    sum.skipped += source.skipped.length
    sum.pages += 1
    sum.digest = source.digest
    if (sum.version !== '') expect(source.version).toBe(sum.version)
    sum.version = source.version
    if (next_cursor === null) return sum
    cursor = next_cursor
  }
}

describe.each(providers)('%s', provider => {
  test('a dataset is read page by page at one version; reading it again adds nothing', async () => {
    const { server, integration_id, dataset_id } = await start(provider, fakeItems(250))
    const body = { integration_id, kind: 'dataset', resource_id: resourcesOf[provider].dataset, limit: 100 } as const
    const first = await readAll(dataset_id, body)
    expect(first).toMatchObject({ created: 250, revised: 0, unchanged: 0, skipped: 0, pages: 3 })
    expect(await readAll(dataset_id, body)).toMatchObject({ created: 0, unchanged: 250, digest: first.digest })
    const { items } = await service.client.call('listExamples', { params: { dataset_id }, query: { limit: 100 } })
    const example = items.find(({ input }) => input === 'Question 42?')
    expect(example).toMatchObject({
      expected: 'Answer 42',
      output: null,
      origin: {
        kind: 'provider_dataset',
        ref: {
          integration_id,
          kind: 'dataset',
          resource_id: resourcesOf[provider].dataset,
          item_id: fixedUuid(2, 42),
          version: first.version,
        },
      },
    })
    // Nothing but reads: no route that writes or grades was called.
    const allowed = /projects|dataset|observations|examples|sessions|workspaces|organization|project|btql$/
    expect(server.requests.filter(({ path }) => !allowed.test(path)).map(({ path }) => path)).toEqual([])
  })

  test('an experiment brings the candidate’s answers, and never as what is expected', async () => {
    const { integration_id, dataset_id } = await start(provider, fakeItems(3))
    const body = { integration_id, kind: 'experiment', resource_id: resourcesOf[provider].experiment } as const
    expect(await readAll(dataset_id, body)).toMatchObject({ created: 3 })
    const { items } = await service.client.call('listExamples', { params: { dataset_id } })
    expect(items.map(({ input, output, expected }) => ({ input, output, expected }))).toContainEqual({
      input: 'Question 0?',
      output: 'Output 0',
      expected: 'Answer 0',
    })
  })
})

test('a changed item becomes a revision, an archived one is skipped with the reason, and an item without input too', async () => {
  const items = fakeItems(3)
  const { server, integration_id, dataset_id } = await start('langfuse', items)
  const body = { integration_id, kind: 'dataset', resource_id: 'GSM8K' } as const
  const first = await readAll(dataset_id, body)
  items[0] = { ...fakeItems(1)[0], id: fixedUuid(2, 0), question: 'Question 0?', answer: 'Corrected' }
  items[1] = { id: fixedUuid(2, 1), question: 'Question 1?', answer: 'Answer 1', archived: true }
  items.push({ id: fixedUuid(2, 3), question: '', answer: 'x' })
  await server.close()
  servers.length = 0
  const again = await start('langfuse', items)
  const moved = await readAll(again.dataset_id, { ...body, integration_id: again.integration_id })
  expect(moved).toMatchObject({ created: 2, skipped: 2 })
  expect(moved.digest).not.toBe(first.digest)
})

test('a mapping takes the values that its paths select, and says which path is wrong', async () => {
  const { integration_id, dataset_id } = await start('langsmith', fakeItems(2))
  const body = { integration_id, kind: 'dataset', resource_id: resourcesOf.langsmith.dataset } as const
  const mapping = { input: '$.inputs', expected: "$['outputs'].answer", output: '$.name' }
  expect(await readAll(dataset_id, { ...body, mapping })).toMatchObject({ created: 2 })
  const { items } = await service.client.call('listExamples', { params: { dataset_id } })
  expect(items[0]?.output).toMatch(/^0000/)
  const refusal = await service.client.refusal('addWorkloadSource', {
    params: { dataset_id },
    body: { ...body, mapping: { input: 'inputs.question' } },
  })
  expect(refusal).toMatchObject({ status: 422, detail: [{ loc: ['body', 'mapping', 'input'] }] })
  const cursor = Buffer.from('["x"]').toString('base64url')
  expect(await service.client.refusal('addWorkloadSource', { params: { dataset_id }, body: { ...body, cursor } })).toMatchObject({
    code: 'invalid_cursor',
  })
})

test('traces become examples with a preview, once each, and keep where they came from', async () => {
  const begin = Date.parse('2026-11-10T00:00:00Z')
  const server = await startProvider('langfuse', fakeTraces(3, begin))
  servers.push(server)
  const { id } = await connect(service.client, 'langfuse', server.url)
  await backfill(service.client, id, { from: iso(begin), to: iso(begin + 60_000) })
  const { items: traces } = await service.client.call('listTraces', { query: { integration_id: id } })
  const trace_ids = traces.map(trace => trace.id)
  const { id: dataset_id } = await service.client.call('createDataset', { body: { name: 'from traces', task: 'answer' } })
  const add = (more: object) => service.client.call('addTraceSource', { params: { dataset_id }, body: { trace_ids, ...more } })
  const preview = await add({ dry_run: true })
  expect(preview).toMatchObject({ created: 0, examples: [{ input: 'What is 2 + 2?', output: 'It is 4.', expected: null }, {}, {}] })
  expect((await service.client.call('listExamples', { params: { dataset_id } })).items).toEqual([])
  expect(await add({})).toMatchObject({ created: 3, duplicates: 0, skipped: [] })
  expect(await add({})).toMatchObject({ created: 0, duplicates: 3 })
  const mapped = await add({ mapping: { expected: '$.spans[0].output_messages[0].content' }, dry_run: true })
  expect(mapped.examples[0]).toMatchObject({ expected: 'It is 4.' })
  const { items } = await service.client.call('listExamples', { params: { dataset_id } })
  expect(items[0]?.origin).toMatchObject({ kind: 'trace', ref: { source: 'langfuse', integration_id: id } })
})

const gsm8k = new URL('../../../shared/data/gsm8k/test.jsonl', import.meta.url)
const solutions = new URL('../../../shared/data/gsm8k/example_model_solutions.jsonl', import.meta.url)

describe.skipIf(!existsSync(gsm8k))('the real GSM8K (skipped where ../shared/data/gsm8k is absent)', () => {
  test('goes from the provider to 458 right answers of 1,319, and each score leads back to the provider’s item', async () => {
    const Row = z.object({ question: z.string(), answer: z.string() })
    const rows = readFileSync(gsm8k, 'utf8')
      .trim()
      .split('\n')
      .map(line => Row.parse(JSON.parse(line)))
    const items = rows.map(({ question, answer }, i) => ({ id: fixedUuid(3, i), question, answer: answer.split('#### ')[1] ?? '' }))
    const { integration_id, dataset_id } = await start('braintrust', items)
    const read = await readAll(dataset_id, { integration_id, kind: 'dataset', resource_id: resourcesOf.braintrust.dataset })
    expect(read).toMatchObject({ created: 1319, skipped: 0, pages: 14 })
    const seen = new Map<string, string>()
    for (let cursor: string | undefined; ; ) {
      const page = await service.client.call('listExamples', {
        params: { dataset_id },
        query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
      })
      for (const { id, input, origin, revision } of page.items) {
        seen.set(String(origin.ref?.['item_id']), typeof input === 'string' ? input : '')
        await service.client.call('reviewExample', { params: { dataset_id, example_id: id }, body: { revision, decision: 'approve' } })
      }
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }
    expect(items.every(({ id, question }) => seen.get(id) === question)).toBe(true)
    const version = await service.client.call('createDatasetVersion', { params: { dataset_id }, body: {} })
    expect(version.example_count).toBe(1319)

    const { id: evaluator_version_id } = await service.client.call('createEvaluator', {
      body: {
        name: 'Answer line',
        definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: { extraction: 'answer_line', remove: [','] } },
      },
    })
    const benchmark = await service.client.call('createDatasetBenchmark', {
      params: { dataset_id, version_id: version.id },
      body: { name: 'GSM8K of the team', evaluator_version_id },
    })
    const models = await startModelServer({ answers: answersFromGsm8k(fileURLToPath(solutions), '175b_finetuning') })
    try {
      const connection_id = await connectJudge(service.client, models, { concurrency: 32 })
      const { id: quoteId } = await quote(service.client, {
        model: { kind: 'connection', connection_id },
        profiles: [benchmark.profile_id],
      })
      const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId)).id)
      const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
      expect(metrics[0]?.estimate).toMatchObject({ n: 1319 })
      expect(Math.round((metrics[0]?.estimate.mean ?? 0) * 1319)).toBe(458)
      const { items: samples } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 5 } })
      for (const { id } of samples) {
        const { example, messages } = await service.client.call('getSample', { params: { run_id: run.id, sample_id: id } })
        const item = items.find(({ id: itemId }) => itemId === example?.origin.ref?.['item_id'])
        expect(messages.at(-1)?.content).toBe(item?.question)
        expect(example).toMatchObject({
          dataset_id,
          dataset_version_id: version.id,
          revision: 1,
          origin: { kind: 'provider_dataset', ref: { integration_id, resource_id: resourcesOf.braintrust.dataset } },
        })
      }
    } finally {
      await models.close()
    }
  })
})
