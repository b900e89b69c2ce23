import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { agentTrace } from '../support/agent-traces.ts'
import { patience } from '../support/machine-speed.ts'
import { readableSpans, recordSpans } from '../support/otlp.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  const { authorization = '' } = service.keyClient.headers
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', service.baseUrl)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=${encodeURIComponent(authorization)},X-Workspace-ID=${service.workspaceId}`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

/** Spans are sent one by one, all at once. */
const exporter = () => new OTLPTraceExporter({ concurrencyLimit: 1_000, timeoutMillis: 120_000 })

async function sent(agents: readonly Parameters<typeof agentTrace>[0][]): Promise<string[]> {
  await recordSpans(agents.map(agentTrace), exporter())
  return Promise.all(
    agents.map(async ({ name }) => {
      const { items } = await service.client.call('listTraces', { query: { q: name } })
      return items.find(item => item.name === name)?.id ?? ''
    }),
  )
}

test('a trace becomes a test whose recorded calls pass, without its secrets and contact details', async () => {
  const [id = ''] = await sent([
    {
      name: 'refund of last night',
      asked: 'I am ada.lovelace@corp.test, refund order A1 please.',
      calls: [
        { tool: 'find_orders', given: { email: 'ada.lovelace@corp.test' }, result: '["A1"] key sk-abcdefghijklmnopqrstuv' },
        { tool: 'job_status', given: { id: 7 }, result: 'pending' },
        { tool: 'job_status', given: { id: 7 }, result: 'done' },
        { tool: 'refund', given: { order: 'A1', amount: 42.5 }, result: 'refunded' },
      ],
      answer: 'Order A1 was refunded.',
    },
  ])
  const { client, baseUrl } = service
  const draft = await client.call('draftEnvironment', { body: { trace_ids: [id] } })
  const text = JSON.stringify(draft)
  expect(text).not.toMatch(/lovelace|sk-abc/)
  expect(draft.replaced).toEqual({ secrets: 1, personal: 1 })
  expect(draft.definition).toMatchObject({
    instructions: 'You work at the desk of a shop.',
    tasks: [{ id, messages: [{ role: 'user', content: 'I am person1@example.com, refund order A1 please.' }] }],
  })
  expect(draft.definition.tools.map(({ name }) => name)).toEqual(['find_orders', 'job_status', 'refund'])
  expect(draft.tasks).toMatchObject([{ task_id: id, status: 'passed', notes: [expect.stringMatching(/^Order: job_status/)] }])
  const made = await client.call('createEnvironment', { body: { slug: draft.slug, ...draft.definition } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-100' },
    profiles: made.profile_ids.slice(0, 1),
    coverage: { mode: 'full' },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
  const results = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  expect(results.metrics[0]?.estimate.mean).toBe(1)
})

test('what cannot be reproduced is named', async () => {
  const [id = ''] = await sent([
    {
      name: 'lost result',
      asked: 'What is the weather?',
      calls: [{ tool: 'weather', given: { at: new Date().toISOString() }, result: null }],
      answer: 'Sunny.',
    },
  ])
  const draft = await service.client.call('draftEnvironment', { body: { trace_ids: [id] } })
  expect(draft.tasks).toMatchObject([
    { status: 'world_error', notes: [expect.stringMatching(/^Missing result: .*weather/), expect.stringMatching(/^Time: weather/)] },
  ])
})

test('many traces make one world: shared results are shared, and differing ones belong to their task', async () => {
  const agent = (n: number) => ({
    name: `many ${n}.`,
    asked: `Where is order ${n}?`,
    calls: [
      { tool: 'policy', given: {}, result: 'Be kind.' },
      { tool: 'today', given: { zone: 'UTC' }, result: `day ${n % 4}` },
      { tool: 'locate', given: { order: n }, result: `shelf ${n}` },
    ],
    answer: `It is on shelf ${n}.`,
  })
  const ids = await sent(Array.from({ length: 8 }, (_, n) => agent(n)))
  const draft = await service.client.call('draftEnvironment', { body: { trace_ids: ids, title: 'Desk' } })
  expect(draft.tasks.map(({ status }) => status)).toEqual(ids.map(() => 'passed'))
  const entries = Object.fromEntries(
    draft.definition.tools.map(({ name, behavior }) => [name, behavior.kind === 'canned' ? behavior.results : []]),
  )
  expect(entries['policy']).toEqual([{ arguments: {}, result: 'Be kind.' }])
  expect(entries['today']).toHaveLength(8)
  expect(entries['today']?.every(({ tasks }) => tasks?.length === 1)).toBe(true)
  expect(entries['locate']?.some(({ tasks }) => tasks !== undefined)).toBe(false)
})

test('many traces are drafted in the background, and what a world cannot hold is left out by name', async () => {
  const agent = (n: number, tool: string) => ({
    name: `desk ${n}.`,
    asked: `Where is order ${n}?`,
    calls: [{ tool, given: { order: n }, result: `shelf ${n}` }],
    answer: `It is on shelf ${n}.`,
  })
  const agents = [...Array.from({ length: 24 }, (_, n) => agent(n, 'locate')), agent(24, 'locate me!')]
  const ids = await sent(agents)
  const missing = crypto.randomUUID()
  const { client } = service
  const started = await client.call('startEnvironmentDraft', { body: { trace_ids: [...ids, missing], title: 'Desk of many' } })
  expect(started).toMatchObject({ title: 'Desk of many', worlds: null })
  await vi.waitFor(
    async () => expect((await client.call('getJob', { params: { job_id: started.job_id } })).state).toBe('succeeded'),
    60_000 * patience(),
  )
  const job = await client.call('getJob', { params: { job_id: started.job_id } })
  expect(job).toMatchObject({ kind: 'world_draft', progress: { total: 2 * (ids.length + 1), message: 'Replaying recorded calls' } })
  const draft = await client.call('getEnvironmentDraft', { params: { environment_draft_id: started.id } })
  const { key } = await client.call('createApiKey', { body: { name: 'without traces', scopes: ['catalog:read', 'catalog:write'] } })
  const other = clientFor(service.baseUrl, key, service.workspaceId)
  expect(await other.refusal('getEnvironmentDraft', { params: { environment_draft_id: started.id } })).toMatchObject({
    code: 'missing_scope',
  })
  const [made] = draft.worlds ?? []
  expect(made?.tasks.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 'passed'))
  expect(made?.left_out).toEqual([
    { id: missing, name: missing, reason: 'was not found.' },
    { id: ids[24], name: 'desk 24.', reason: 'calls a tool with a name that no world may have: "locate me!".' },
  ])
  expect(made && (await client.call('createEnvironment', { body: { slug: made.slug, ...made.definition } })).task_count).toBe(24)
  const lost = await client.call('startEnvironmentDraft', { body: { trace_ids: [missing] } })
  await vi.waitFor(async () => expect((await client.call('getJob', { params: { job_id: lost.job_id } })).state).toBe('failed'), 60_000)
})

test('a hundred recorded agents of different shapes become worlds whose replay passes', async () => {
  const values = (n: number) => [
    n,
    `order ${n}`,
    n % 2 === 0,
    null,
    [n, { deep: `ü${n}` }],
    { nested: { list: [1, 2, n] } },
    1.5 * n,
    `{"quoted": ${n}}`,
  ]
  const agents = Array.from({ length: 100 }, (_, n) => ({
    name: `agent ${n}.`,
    asked: `Case ${n}: what do I do?\n\n“quoted” <b>${n}</b>`,
    calls: Array.from({ length: n % 6 }, (_, i) => ({
      tool: `tool_${(n + i) % 4}`,
      given: { case: n, [`field_${i % 3}`]: values(n)[(n + i) % 8] },
      result: i % 5 === 4 ? `error: step ${i}` : JSON.stringify({ step: i, of: n, text: 'x'.repeat((n * 37) % 400) }),
    })),
    answer: `Answer ${n} in ${n % 6} steps.`,
  }))
  // By the official SDK in few requests, as a batching exporter sends them.
  const ids: string[] = []
  for (let from = 0; from < agents.length; from += 20) {
    const spans = await readableSpans(agents.slice(from, from + 20).map(agentTrace))
    const body = ProtobufTraceSerializer.serializeRequest(spans)
    const reply = await service.fetch('/v1/traces', {
      method: 'POST',
      body: new Uint8Array(body ?? []),
      headers: { 'content-type': 'application/x-protobuf' },
    })
    expect(reply.status).toBe(200)
  }
  const { items } = await service.client.call('listTraces', { query: { q: 'agent', limit: 100 } })
  for (const { id, name } of items) if (/^agent \d+\.$/.test(name)) ids.push(id)
  expect(ids).toHaveLength(100)
  const statuses: string[] = []
  for (let from = 0; from < ids.length; from += 20) {
    const draft = await service.client.call('draftEnvironment', {
      body: { trace_ids: ids.slice(from, from + 20), title: `Agents ${from}` },
    })
    statuses.push(...draft.tasks.map(({ status, explanation }) => (status === 'passed' ? status : `${status}: ${explanation}`)))
  }
  expect(statuses).toEqual(ids.map(() => 'passed'))
})

test('a trace without a message of a user, and one that is not there, are refused', async () => {
  await recordSpans([{ name: 'nothing said', attributes: {} }], exporter())
  const { items } = await service.client.call('listTraces', { query: { q: 'nothing said' } })
  const refused = await service.client.refusal('draftEnvironment', { body: { trace_ids: [items[0]?.id ?? ''] } })
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.message).toContain('holds no message of a user')
  expect(await service.client.refusal('draftEnvironment', { body: { trace_ids: [crypto.randomUUID()] } })).toMatchObject({ status: 404 })
})

test('recordings that become more than a request can create are refused', async () => {
  const answer = 'x '.repeat(50_000)
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', description: 'y '.repeat(1_000_000) } } }]
  const conversations = Array.from({ length: 34 }, (_, i) => ({
    messages: [
      { role: 'user' as const, content: `Which of ${i}?` },
      { role: 'assistant' as const, content: answer },
    ],
    ...(i === 0 && { tools }),
  }))
  const refused = await service.client.refusal('draftEnvironment', { body: { conversations } })
  expect(refused).toMatchObject({
    status: 422,
    message: expect.stringContaining('become an environment that would have more than the 8 MB'),
  })
})
