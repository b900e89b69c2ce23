import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchedUsage, type BatchProvider, startBatchProvider } from '../support/batch-provider.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const samples = 6
const rates = { input_microusd_per_million: '2000000', output_microusd_per_million: '8000000' }
/** Micro-USD of one call at half the rates. */
const half = (batchedUsage.prompt * 2 + batchedUsage.answer * 8) / 2

let service: TestService
let profile: string
const providers = {} as Record<'openai' | 'anthropic', BatchProvider>
const connections = {} as Record<'openai' | 'anthropic', string>
beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  for (const kind of ['openai', 'anthropic'] as const) {
    providers[kind] = await startBatchProvider(kind)
    const { id } = await service.client.call('createConnection', {
      body: {
        name: kind,
        base_url: providers[kind].baseUrl,
        model: 'm',
        protocol: kind === 'openai' ? 'openai_chat' : 'anthropic_messages',
        api_key: 'sk-batched-1234567890',
        rates,
      },
    })
    const checked = await service.client.call('checkConnection', { params: { connection_id: id } })
    expect(checked.last_check?.ok).toBe(true)
    connections[kind] = id
  }
})
afterAll(async () => {
  await service.close()
  await Promise.all(Object.values(providers).map(provider => provider.close()))
})
beforeEach(() => {
  for (const provider of Object.values(providers)) {
    provider.finish(true)
    provider.script(() => 'answer')
  }
})

const quoted = (kind: 'openai' | 'anthropic', execution: object = {}, profiles = [profile]) =>
  quote(service.client, {
    model: { kind: 'connection', connection_id: connections[kind] },
    profiles,
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
    execution: { mode: 'batch', ...execution },
  })
const begin = async (kind: 'openai' | 'anthropic', execution: object = {}) =>
  (await submit(service.client, (await quoted(kind, execution)).id)).id
const end = (id: string) => runToEnd(service.client, service.baseUrl, id)
const batchesOf = async (id: string) => (await service.client.call('listRunBatches', { params: { run_id: id } })).items

describe.each(['openai', 'anthropic'] as const)('a run in batch mode: %s', kind => {
  test('is quoted at half the rates and answered by one batch, each call once', async () => {
    const provider = providers[kind]
    const [live, before] = [provider.live(), provider.batches.length]
    const made = await quoted(kind)
    expect(made.compatibility.status).toBe('compatible')
    expect(made.model.rates).toMatchObject({ input_microusd_per_million: '1000000', output_microusd_per_million: '4000000' })
    expect(made.warnings.map(({ code }) => code)).toContain('batch_mode')
    const run = await end((await submit(service.client, made.id)).id)
    expect(run).toMatchObject({ status: 'complete', accounting: { provider_billed_microusd: String(samples * half) } })
    expect(provider.live()).toBe(live)
    expect(provider.batches.slice(before).map(({ customIds }) => customIds.length)).toEqual([samples])
    expect(await batchesOf(run.id)).toMatchObject([{ state: 'ended', calls: samples, provider_batch_id: provider.batches.at(-1)?.id }])
  })

  test('is found again after a restart, and nothing is submitted twice', async () => {
    const provider = providers[kind]
    const before = provider.batches.length
    provider.finish(false)
    const id = await begin(kind)
    await expect.poll(async () => (await batchesOf(id)).map(({ state }) => state)).toEqual(['submitted'])
    await service.restart()
    provider.finish(true)
    const run = await end(id)
    expect(run).toMatchObject({ status: 'complete', accounting: { provider_billed_microusd: String(samples * half) } })
    expect(provider.batches).toHaveLength(before + 1)
    const { items } = await service.client.call('listSamples', { params: { run_id: id }, query: { limit: 50 } })
    expect(items.map(({ attempts }) => attempts)).toEqual(items.map(() => 1))
  })

  test('keeps what was answered, and asks again what expired, which costs nothing', async () => {
    const provider = providers[kind]
    const before = provider.batches.length
    // The attempt is the last part of a custom id.
    provider.script(customId => (customId.endsWith('-1') && /[024]-1$/.test(customId) ? 'expired' : 'answer'))
    const run = await end(await begin(kind))
    expect(run).toMatchObject({ status: 'complete', accounting: { provider_billed_microusd: String(samples * half) } })
    // Retries pause for times of their own, so that they may be in one batch or in several.
    const [first, ...later] = provider.batches.slice(before).map(({ customIds }) => customIds.length)
    expect([first, later.reduce((sum, n) => sum + n, 0)]).toEqual([samples, samples / 2])
  })

  test('fails a call that the provider refuses, with its words, and no other', async () => {
    providers[kind].script(customId => (/-3-\d+$/.test(customId) ? 'refused' : 'answer'))
    const run = await end(await begin(kind))
    expect(run).toMatchObject({ status: 'partial', progress: { failed: 1, scored: samples - 1 } })
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 50, status: 'failed' } })
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    expect(sample.attempt_log[0]).toMatchObject({ http_status: 400, provider_billed_microusd: '0' })
    expect(JSON.stringify(sample.attempt_log[0]?.error)).toContain('Unsupported value')
  })

  test('is cancelled at the provider when the run is', async () => {
    const provider = providers[kind]
    provider.finish(false)
    const id = await begin(kind)
    await expect.poll(async () => (await batchesOf(id)).map(({ state }) => state)).toEqual(['submitted'])
    await service.client.call('cancelRun', { params: { run_id: id } })
    expect((await end(id)).status).toBe('cancelled')
    await expect.poll(() => provider.batches.at(-1)?.status).toBe('cancelled')
  })

  test('is cancelled at the provider when the run is cancelled while the batch is submitted', async () => {
    const provider = providers[kind]
    provider.finish(false)
    const before = provider.batches.length
    const answerSubmission = provider.holdSubmissions()
    const id = await begin(kind)
    await expect.poll(() => provider.batches.length).toBe(before + 1)
    await service.client.call('cancelRun', { params: { run_id: id } })
    expect((await end(id)).status).toBe('cancelled')
    answerSubmission()
    await expect.poll(() => provider.batches.at(-1)?.status).toBe('cancelled')
    expect(await batchesOf(id)).toMatchObject([{ state: 'ended', provider_batch_id: provider.batches.at(-1)?.id }])
  })

  test('counts a call without a result as possibly billed, and asks it again', async () => {
    providers[kind].script(customId => (customId.endsWith('-2-1') ? 'left out' : 'answer'))
    const run = await end(await begin(kind))
    expect(run).toMatchObject({ status: 'complete', accounting: { possibly_billed_twice: 1 } })
  })

  test('counts the calls of a batch that its provider no longer knows as possibly billed', async () => {
    const provider = providers[kind]
    provider.finish(false)
    const id = await begin(kind)
    await expect.poll(async () => (await batchesOf(id)).map(({ state }) => state)).toEqual(['submitted'])
    provider.refuseReads(404, 1)
    await expect.poll(async () => (await batchesOf(id)).map(({ state }) => state)).toEqual(['ended', 'submitted'])
    provider.finish(true)
    expect(await end(id)).toMatchObject({ status: 'complete', accounting: { possibly_billed_twice: samples } })
  })
})

test('a submission whose reply was cut off is looked for until its provider can be asked', async () => {
  const provider = providers.openai
  const before = provider.batches.length
  provider.cutOff()
  provider.refuseReads(503, 2)
  const run = await end(await begin('openai'))
  expect(run).toMatchObject({
    status: 'complete',
    accounting: { provider_billed_microusd: String(samples * half), possibly_billed_twice: 0 },
  })
  expect(provider.batches).toHaveLength(before + 1)
})

test('a submission whose reply was cut off is found by its token and not made again', async () => {
  const provider = providers.openai
  const before = provider.batches.length
  provider.cutOff()
  const run = await end(await begin('openai'))
  expect(run).toMatchObject({ status: 'complete', accounting: { provider_billed_microusd: String(samples * half) } })
  expect(provider.batches).toHaveLength(before + 1)
})

test('one that cannot be found counts as possibly billed', async () => {
  const provider = providers.anthropic
  provider.cutOff()
  const run = await end(await begin('anthropic'))
  expect(run.status).toBe('complete')
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
  const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
  expect(sample.attempt_log.map(({ provider_billed_microusd: billed }) => billed)).toEqual([null, String(half)])
})

describe('a quote in batch mode is incompatible', () => {
  test('with a model that has no batches', async () => {
    const { compatibility } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      profiles: [profile],
      execution: { mode: 'batch' },
    })
    expect(compatibility.checks.find(({ status }) => status === 'fail')?.detail).toContain('has no batch interface')
  })

  test('with an environment, whose turns follow each other', async () => {
    const made = await quoted('openai', {}, [await profileId(service.client, 'customer-desk', 'text-tools')])
    expect(made.compatibility.checks.find(({ status }) => status === 'fail')?.detail).toContain('plays episodes')
  })

  test('with limits of time', async () => {
    const made = await quoted('openai', { run_timeout_ms: 60_000 })
    expect(made.compatibility.checks.find(({ status }) => status === 'fail')?.detail).toContain('must be left out')
  })
})
