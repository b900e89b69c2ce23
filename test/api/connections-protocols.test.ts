import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Connection, SampleDetail } from '../../src/contract/index.ts'
import { startAgentServer } from '../journeys/model-server/agent-server.ts'
import { startCompletionsServer } from '../journeys/model-server/completions-server.ts'
import { type ScriptedChat, type ScriptedReply, startScriptedChat } from '../journeys/model-server/scripted-chat.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
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
    const created = await client.call('createConnection', {
      body: { kind: 'agent_to_agent', name: 'an agent', agent_card_url: server.cardUrl, api_key: key },
    })
    expect(created).toMatchObject({ kind: 'agent_to_agent', protocol: 'agent_to_agent', has_api_key: true, base_url: server.cardUrl })
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
      agent_card_url: 'http://127.0.0.1:59997/card',
      base_url: 'http://127.0.0.1:59997/v1',
      model: 'm',
    }
    expect(await service.client.refusal('createConnection', { body: mixed })).toMatchObject({ status: 422, code: 'validation_error' })
    const denied = await service.client.refusal('createConnection', {
      body: { kind: 'agent_to_agent', name: 'x', agent_card_url: 'http://169.254.169.254/card' },
    })
    expect(denied.detail[0]?.loc).toEqual(['body', 'agent_card_url'])
    const agent = await service.client.call('createConnection', {
      body: { kind: 'agent_to_agent', name: 'x', agent_card_url: 'http://127.0.0.1:59997/card' },
    })
    const changed = await service.client.refusal('updateConnection', { params: { connection_id: agent.id }, body: { model: 'm' } })
    expect(changed).toMatchObject({ status: 422, detail: [{ loc: ['body', 'model'], type: 'not_for_agents' }] })
  })
})

describe('a capability', () => {
  test('that the check proves is the connection’s, until it is changed', async () => {
    const base_url = await scripted(({ tools }) => (tools ? { tool: 'report_colour', arguments: { colour: 'blue' } } : 'ready'))
    const { id, capabilities } = await service.client.call('createConnection', {
      body: { name: 'tools', base_url, model: 'm', probes: ['tools'] },
    })
    expect(capabilities).toEqual(['chat'])
    const checked = await check(id)
    expect(checked.capabilities).toEqual(['chat', 'tools'])
    expect(checked.last_check?.capabilities).toEqual([
      { capability: 'tools', proved: true, detail: expect.stringContaining('the model did') },
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
    expect(last_check?.capabilities.map(({ proved, detail }) => [proved, detail])).toEqual([
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
    if (tools[0]?.function.name === 'report_colour') return { tool: 'report_colour', arguments: { colour: 'blue' } }
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

test('presets ship with the product, every one of a known protocol and with whole rates', async () => {
  const { version, presets } = await service.client.call('listConnectionPresets', {})
  expect(version).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(presets.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai-chat', 'anthropic', 'ollama', 'llama-cpp', 'vllm']))
  for (const { place, base_url } of presets) expect(new URL(base_url).protocol).toBe(place === 'hosted' ? 'https:' : 'http:')
})

test('a look for runtimes registers nothing', async () => {
  const before = await service.client.call('listConnections', { query: { limit: 100 } })
  const { items } = await service.client.call('discoverRuntimes', {})
  for (const { base_url } of items) expect(base_url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+/)
  const after = await service.client.call('listConnections', { query: { limit: 100 } })
  expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id))
})
