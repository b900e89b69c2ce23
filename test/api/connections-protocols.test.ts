import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Connection } from '../../src/contract/connections/connections.schemas.ts'
import type { FoundRuntime } from '../../src/contract/connections/presets.schemas.ts'
import type { SampleDetail } from '../../src/contract/runs/samples.schemas.ts'
import { storeFoundRuntimes } from '../../src/service/connections/found-runtimes.store.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { startAgentServer } from '../journeys/model-server/agent-server.ts'
import { startCompletionsServer } from '../journeys/model-server/completions-server.ts'
import { type ScriptedChat, type ScriptedReply, startScriptedChat } from '../journeys/model-server/scripted-chat.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const check = (id: string): Promise<Connection> => service.client.call('checkConnection', { params: { connection_id: id } })

async function samplesOf(runId: string): Promise<SampleDetail[]> {
  const { items } = await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 100 } })
  return Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: runId, sample_id: id } })))
}

async function scripted(reply: (chat: ScriptedChat) => ScriptedReply): Promise<string> {
  const server = await startScriptedChat(reply)
  onTestFinished(() => server.close())
  return server.baseUrl
}

describe('an agent', () => {
  const key = 'sk-agent-canary-123456'

  test('is registered by its card, checked without being set to work, and asked like a model', async () => {
    const server = await startAgentServer({
      binding: 'JSONRPC',
      key,
      says: () => '#### 7',
      taskStates: ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
    })
    onTestFinished(() => server.close())
    const { client, baseUrl } = service
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' }
    const created = await client.call('createConnection', {
      body: { kind: 'agent_to_agent', name: 'an agent', agent_card_url: server.cardUrl, api_key: key, rates },
    })
    expect(created).toMatchObject({ kind: 'agent_to_agent', has_api_key: true, base_url: server.cardUrl, rates })
    const checked = await check(created.id)
    expect(checked).toMatchObject({ status: 'ready', last_check: { ok: true, message: 'It is there: Scripted agent 1.2, JSONRPC.' } })
    expect(server.operations()).toEqual(['GetTask'])
    const { profile_ids } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
    const quoted = await quote(client, {
      model: { kind: 'connection', connection_id: created.id },
      profiles: profile_ids.slice(0, 1),
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
    expect(run).toMatchObject({ status: 'complete', progress: { scored: 2 } })
    const [sample] = await samplesOf(run.id)
    expect(sample?.output).toBe('#### 7')
    expect(sample?.attempt_log[0]?.earlier_calls).toHaveLength(1)
    expect(sample?.attempt_log[0]?.notes.map(({ message }) => message).join()).toMatch(/no “temperature”.*no “max_output_tokens”/)
    expect(JSON.stringify(sample)).not.toContain(key)
  })

  test('takes exactly one of the two bodies and no fields of the other', async () => {
    const mixed = {
      kind: 'agent_to_agent' as const,
      name: 'x',
      agent_card_url: 'http://127.0.0.1:29997/card',
      base_url: 'http://127.0.0.1:29997/v1',
      model: 'm',
    }
    expect(await service.client.refusal('createConnection', { body: mixed })).toMatchObject({ status: 422, code: 'validation_error' })
    const denied = await service.client.refusal('createConnection', {
      body: { kind: 'agent_to_agent', name: 'x', agent_card_url: 'http://169.254.169.254/card' },
    })
    expect(denied.detail[0]?.loc).toEqual(['body', 'agent_card_url'])
    const agent = await service.client.call('createConnection', {
      body: { kind: 'agent_to_agent', name: 'x', agent_card_url: 'http://127.0.0.1:29997/card' },
    })
    const changed = await service.client.refusal('updateConnection', { params: { connection_id: agent.id }, body: { model: 'm' } })
    expect(changed).toMatchObject({ status: 422, detail: [{ loc: ['body', 'model'], type: 'not_for_agents' }] })
  })
})

describe('a capability', () => {
  test('that the check proves is the connection’s, until it is changed', async () => {
    const base_url = await scripted(({ tools }) => (tools ? { tool: 'report_color', arguments: { color: 'blue' } } : 'ready'))
    const { id, capabilities } = await service.client.call('createConnection', {
      body: { name: 'tools', base_url, model: 'm', probes: ['tools'] },
    })
    expect(capabilities).toEqual(['chat'])
    const checked = await check(id)
    expect(checked.capabilities).toEqual(['chat', 'tools'])
    expect(checked.last_check?.capabilities).toEqual([
      { capability: 'tools', verified: true, detail: expect.stringContaining('the model did') },
    ])
    const changed = await service.client.call('updateConnection', { params: { connection_id: id }, body: { model: 'other' } })
    expect(changed).toMatchObject({ capabilities: ['chat'], status: 'unchecked' })
  })

  test('that it cannot prove is not, and the check tells why', async () => {
    const base_url = await scripted(() => 'blue')
    const { id } = await service.client.call('createConnection', {
      body: { name: 'no tools', base_url, model: 'm', probes: ['tools', 'loglikelihood'] },
    })
    const { status, capabilities, last_check } = await check(id)
    expect({ status, capabilities }).toEqual({ status: 'ready', capabilities: ['chat'] })
    expect(last_check?.capabilities.map(({ verified, detail }) => [verified, detail])).toEqual([
      [false, 'Asked to use a tool, the model answered in text.'],
      [false, 'The protocol of this connection has no log-likelihoods.'],
    ])
  })

  test('of completions is proved by their echo', async () => {
    const server = await startCompletionsServer({ echo: 'honest' })
    onTestFinished(() => server.close())
    const { id } = await service.client.call('createConnection', {
      body: { name: 'base', protocol: 'openai_completions', base_url: server.baseUrl, model: 'base', probes: ['loglikelihood'] },
    })
    expect((await check(id)).capabilities).toEqual(['chat', 'loglikelihood'])
  })
})

test('an environment is played by native tool calls, every turn kept, and ends where the model ends it', async () => {
  const { client, baseUrl } = service
  const base_url = await scripted(({ messages, tools }) => {
    if (!tools) return 'ready'
    if (tools[0]?.function.name === 'report_color') return { tool: 'report_color', arguments: { color: 'blue' } }
    const done = messages.filter(({ role }) => role === 'tool')
    const email = /from (\S+):/.exec(messages.find(({ role }) => role === 'user')?.content ?? '')?.[1] ?? ''
    return done.length === 0 ? { tool: 'find_orders', arguments: { email } } : `I looked: ${done[0]?.content ?? ''}`
  })
  const { id } = await client.call('createConnection', { body: { name: 'looker', base_url, model: 'm', probes: ['tools'] } })
  await check(id)
  const desk = await client.call('getEnvironment', { params: { family: 'customer-desk' } })
  const native = desk.profile_ids.find(profile => profile.endsWith('native-tools')) ?? ''
  const quoted = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [native],
    coverage: { mode: 'sample', sample_count: 3, seed: 1 },
  })
  expect(quoted.compatibility.status).toBe('compatible')
  const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
  expect(run.status).toBe('complete')
  for (const sample of await samplesOf(run.id)) {
    expect(sample).toMatchObject({ passed: false, input_tokens: 20, output_tokens: 10, episode: { ended: 'answered', turns: 2 } })
    expect(sample.episode?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant'])
    expect(sample.episode?.messages[2]?.tool_calls[0]?.name).toBe('find_orders')
    expect(sample.episode?.answer).toMatch(/^I looked: A\d{5}: /)
    const [attempt] = sample.attempt_log
    expect(attempt?.earlier_calls).toHaveLength(1)
    expect(attempt?.request).toContain('"role":"tool"')
    expect(attempt?.earlier_calls[0]?.request).not.toContain('"role":"tool"')
  }
})

test('presets ship with the product, every one of a known protocol and every price with its page', async () => {
  const { version, presets } = await service.client.call('listConnectionPresets', {})
  expect(version).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(presets.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai-chat', 'anthropic', 'ollama', 'llama-cpp', 'vllm']))
  for (const { place, base_url } of presets) expect(new URL(base_url).protocol).toBe(place === 'hosted' ? 'https:' : 'http:')
  const models = presets.flatMap(preset => preset.models)
  expect(models.length).toBeGreaterThan(0)
  for (const { cache_source: ofCache, ...model } of models) {
    const {
      input_microusd_per_million: input,
      cached_input_microusd_per_million: cached,
      cache_write_microusd_per_million: written,
    } = model
    expect(Number(cached)).toBeLessThan(Number(input))
    expect(Number(written)).toBeGreaterThan(Number(input))
    if (!ofCache) throw new Error(`The cache rates of ${model.model} have no page.`)
    for (const { source, source_date, read } of [model, ofCache]) {
      expect(new URL(source).protocol).toBe('https:')
      expect((source_date ?? read) <= version).toBe(true)
    }
  }
})

test('a look for runtimes registers no connection', async () => {
  const before = await service.client.call('listConnections', { query: { limit: 100 } })
  const { items } = await service.client.call('discoverRuntimes', {})
  for (const { base_url } of items) expect(base_url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+/)
  const after = await service.client.call('listConnections', { query: { limit: 100 } })
  expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id))
})

describe('a managed route', () => {
  const routes = async (q: string) => (await service.client.call('listModels', { query: { q, limit: 100 } })).items
  /** Nobody can be asked for a vendor's real answer here, nor for the usual ports, so that what a check or a look stores is stored by hand. */
  function store(change: (db: Database) => void): void {
    const db = openDatabase(`${service.dataDir}/assay.db`)
    try {
      change(db)
    } finally {
      db.close()
    }
  }
  const profiles = async () => [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')]
  const coverage = { mode: 'sample', sample_count: 2, seed: 1 } as const

  test('is each model of a runtime that was found on this machine, and costs nothing', async () => {
    const base_url = await scripted(() => 'A: 7')
    const runtime: FoundRuntime = {
      title: 'LM Studio',
      protocol: 'openai_chat',
      base_url,
      needs_key: false,
      models: [
        { model: 'tiny', context_tokens: 4096, leaves_machine: false },
        { model: 'tiny-cloud', context_tokens: null, leaves_machine: true },
      ],
    }
    store(db => storeFoundRuntimes(db, service.workspaceId, [runtime], '2026-11-22T00:00:00.000Z'))
    const [route, ...others] = await routes('tiny')
    expect(others).toEqual([])
    expect(route).toMatchObject({
      route_id: `local/${new URL(base_url).host}/tiny`,
      kind: 'local',
      is_model: true,
      rates: { input_microusd_per_million: '0', output_microusd_per_million: '0' },
      limits: { context_tokens: 4096 },
      availability: { status: 'ready' },
    })
    const model = { kind: 'managed', route_id: route?.route_id ?? '' } as const
    const quoted = await quote(service.client, { model, profiles: await profiles(), coverage, execution: { effort: 'low' } })
    expect(quoted).toMatchObject({
      compatibility: { status: 'compatible' },
      cost: { upper_bound_microusd: '0' },
      execution: { effort: 'low' },
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id)).id)
    expect(run).toMatchObject({ status: 'complete', progress: { scored: 2 } })
    const [sample] = await samplesOf(run.id)
    expect(sample?.attempt_log[0]?.request).toContain('"reasoning_effort":"low"')
    const results = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(results.reproducibility.execution.effort).toBe('low')

    const fromCache = { model, profiles: await profiles(), coverage, execution: { cache: true } }
    const ended = async () =>
      runToEnd(service.client, service.baseUrl, (await submit(service.client, (await quote(service.client, fromCache)).id)).id)
    expect((await ended()).progress.cached).toBe(0)
    expect((await ended()).progress.cached).toBe(2)

    store(db => storeFoundRuntimes(db, service.workspaceId, [], '2026-11-22T00:00:00.000Z'))
    expect(await routes('tiny')).toEqual([])
    const again = { params: { run_id: run.id }, body: { sample_ids: [sample?.id ?? ''] } }
    expect(await service.client.refusal('retrySamples', again)).toMatchObject({ status: 409, message: expect.stringContaining('is gone') })
  })

  test('is each model with a known price of a vendor whose key is stored, and needs credit', async () => {
    expect(await routes('claude')).toEqual([])
    const { id } = await service.client.call('createConnection', {
      body: {
        name: 'vendor',
        protocol: 'anthropic_messages',
        base_url: 'https://api.anthropic.com/v1',
        model: 'other',
        api_key: 'sk-ant-x',
      },
    })
    const found = await routes('claude-sonnet-5-5')
    expect(found).toMatchObject([
      {
        route_id: 'anthropic/claude-sonnet-5-5',
        kind: 'hosted',
        provider: 'anthropic',
        rates: { input_microusd_per_million: '2000000', output_microusd_per_million: '10000000' },
        limits: { context_tokens: 1_000_000, max_output_tokens: 128_000 },
        availability: { status: 'unavailable', reasons: [expect.stringContaining('has not been checked')] },
      },
    ])
    const model = { kind: 'managed', route_id: 'anthropic/claude-sonnet-5-5' } as const
    const body = { model, selection: { profile_ids: await profiles() }, coverage, max_charge_microusd: '1000000' }
    expect((await service.client.call('createQuote', { body })).compatibility.status).toBe('incompatible')
    store(db => db.prepare(`update connections set status = 'ready' where id = ?`).run(id))
    const quoted = await service.client.call('createQuote', { body })
    expect(quoted.compatibility.status).toBe('compatible')
    expect(BigInt(quoted.cost.upper_bound_microusd)).toBeGreaterThan(0n)
    const refused = await service.client.refusal('submitRun', {
      body: { quote_id: quoted.id, name: 'paid' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_credit' })
    const minimal = await service.client.call('createQuote', { body: { ...body, execution: { effort: 'minimal' } } })
    expect(minimal.compatibility).toMatchObject({
      status: 'incompatible',
      checks: expect.arrayContaining([
        expect.objectContaining({ check: 'model_capabilities', status: 'fail', detail: expect.stringContaining('low') }),
      ]),
    })
    await service.client.call('disableConnection', { params: { connection_id: id } })
    expect(await routes('claude')).toEqual([])
  })
})

test('the price of a connection without rates is unknown in its quote, never nothing', async () => {
  const base_url = await scripted(() => 'ready')
  const { id } = await service.client.call('createConnection', { body: { name: 'unpriced', base_url, model: 'm' } })
  await check(id)
  const { cost } = await quote(service.client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
  })
  expect(cost.provider_billed_estimate_microusd).toBeNull()
  expect(cost.components.map(({ rate_microusd, estimated_microusd }) => [rate_microusd, estimated_microusd])).toEqual([
    [null, null],
    [null, null],
  ])
})
