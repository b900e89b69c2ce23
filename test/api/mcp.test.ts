import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Scope } from '../../src/contract/scopes.ts'
import { allot, pricedRoute } from '../support/priced-quote.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { slowness } from '../support/machine-speed.ts'
import { program } from '../support/program.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

type Era = 'legacy' | 'modern'

/** An official client. Without capabilities, as an agent's plainest client is. */
function newClient(era: Era, capabilities: ClientCapabilities = {}): Client {
  const pinned = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
  return new Client({ name: 'test', version: '1' }, { capabilities, ...pinned })
}

/** A client that shows pages; what was shown, and what its person says. */
function showsPages(era: Era, action: 'accept' | 'decline' = 'accept', act = async (): Promise<void> => {}) {
  const client = newClient(era, { elicitation: { url: {} } })
  const shown: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') throw new Error('Only pages are shown.')
    shown.push(params.url)
    await act()
    return { action }
  })
  return { client, shown }
}

/** Headers of a key with the scopes; of the local key when none are given. */
async function keyHeaders(scopes?: readonly Scope[], ceiling?: string): Promise<Record<string, string>> {
  if (scopes === undefined) return { authorization: `Bearer ${service.file.api_key}` }
  const body = { name: 'an agent', scopes: [...scopes], ...(ceiling === undefined ? {} : { ceiling_microusd: ceiling }) }
  const { key } = await service.client.call('createApiKey', { body })
  return { authorization: `Bearer ${key}` }
}

/** Over HTTP and without X-Workspace-ID: the key has one workspace. */
async function connected(era: Era, headers?: Record<string, string>, client = newClient(era)): Promise<Client> {
  const requestInit = { headers: headers ?? (await keyHeaders()) }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

const Content = z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1)

/** The text of a tool's answer, and whether it is a refusal. */
async function answerOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<{ text: string; refused: boolean }> {
  const result = await client.callTool({ name, arguments: args })
  return { text: Content.parse(result.content)[0]?.text ?? '', refused: result.isError === true }
}

async function call<Schema extends z.ZodType>(client: Client, schema: Schema, name: string, args: object = {}): Promise<z.output<Schema>> {
  const { text, refused } = await answerOf(client, name, { ...args })
  if (refused) throw new Error(text)
  return schema.parse(JSON.parse(text))
}

const Refusal = z.object({ error: z.object({ code: z.string() }), a_person_can_do_this_at: z.string().optional() })
const RunAnswer = z.object({ run_id: z.uuid(), final: z.boolean(), status: z.string() })
const Quoted = z.object({ quote_id: z.uuid(), compatible: z.boolean() })

async function finishedRun(client: Client, model: string): Promise<string> {
  const quote = await call(client, Quoted, 'create_quote', {
    model,
    profile_ids: [await wordProblems(client)],
    sample_count: 120,
    seed: 7,
  })
  const key = { quote_id: quote.quote_id, idempotency_key: crypto.randomUUID() }
  const { run_id: id } = await call(client, RunAnswer, 'submit_run', key)
  expect(await call(client, RunAnswer, 'submit_run', key)).toMatchObject({ run_id: id })
  expect(await call(client, RunAnswer, 'wait_run', { run_id: id, seconds: 50 })).toMatchObject({ final: true, status: 'complete' })
  return id
}

const Listed = z.object({ items: z.array(z.object({ slug: z.string(), ready: z.boolean(), profile_ids: z.array(z.string()) })) })

async function wordProblems(client: Client): Promise<string> {
  const { items } = await call(client, Listed, 'list_benchmarks', { query: 'word problems' })
  const id = items.find(({ ready }) => ready)?.profile_ids[0]
  if (id === undefined) throw new Error('No benchmark of word problems is ready.')
  return id
}

describe.each(['legacy', 'modern'] as const)('the %s protocol', era => {
  test('lists tools with closed schemas, and prompts and resource templates', async () => {
    const client = await connected(era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_benchmarks', 'create_quote', 'submit_run', 'compare_runs']))
    for (const tool of tools) expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    // An agent reads the list at the start of every conversation.
    expect(countTokens(JSON.stringify(tools))).toBeLessThan(4_800)
    for (const { name } of tools) expect(name).not.toMatch(/key|secret|member|ceiling|restore|remote/)
    expect((await client.listPrompts()).prompts).toHaveLength(2)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2)
  })

  test.each(['math', 'word problems', 'which model is better at math word problems?'])('finds tasks for "%s"', async objective => {
    const client = await connected(era)
    const Recommended = z.object({
      sources: z.array(z.object({ source_ref: z.string(), profile_id: z.string() })),
      untrusted_data: z.object({ titles: z.record(z.string(), z.string()) }),
    })
    const { sources, untrusted_data } = await call(client, Recommended, 'recommend_tasks', { objective })
    expect(sources[0]?.profile_id).toContain('arithmetic-word-problems')
    expect(untrusted_data.titles[sources[0]?.source_ref ?? '']).toBe('Arithmetic word problems')
    const listed = await call(client, Listed, 'list_benchmarks', { query: objective.split(' ').includes('math') ? 'math' : objective })
    expect(listed.items.filter(({ ready }) => ready)).toMatchObject([{ slug: 'arithmetic-word-problems' }])
  })

  test('takes "which of two models is better at word problems" to a verdict in under 15 calls and 10,000 tokens', async () => {
    const client = await connected(era)
    const answers: string[] = []
    const step = async <Schema extends z.ZodType>(schema: Schema, name: string, args: object = {}) => {
      const { text, refused } = await answerOf(client, name, { ...args })
      answers.push(text)
      expect({ name, text, refused }).toMatchObject({ refused: false })
      return schema.parse(JSON.parse(text))
    }
    const { items } = await step(Listed, 'list_benchmarks', { query: 'word problems' })
    const profile = items.find(({ ready }) => ready)?.profile_ids[0]
    const { routes } = await step(z.object({ routes: z.array(z.object({ model: z.string(), ready: z.boolean() })) }), 'list_models')
    const models = ['assay/oracle-75', 'assay/oracle-90']
    expect(routes).toEqual(expect.arrayContaining(models.map(model => expect.objectContaining({ model, ready: true }))))
    const runs: string[] = []
    for (const model of models) {
      const quote = await step(Quoted, 'create_quote', { model, profile_ids: [profile], sample_count: 200 })
      expect(quote.compatible).toBe(true)
      const run = await step(RunAnswer, 'submit_run', { quote_id: quote.quote_id, idempotency_key: `${era}-${quote.quote_id}` })
      runs.push(run.run_id)
    }
    for (const id of runs) {
      for (let final = false; !final; ) final = (await step(RunAnswer, 'wait_run', { run_id: id, seconds: 50 })).final
    }
    const Verdict = z.object({
      differences: z.array(z.object({ verdict: z.string(), n: z.int(), interval: z.object({ low: z.number() }) })),
    })
    const { differences } = await step(Verdict, 'compare_runs', { baseline: runs[0], candidates: [runs[1]], only: 'flips' })
    expect(differences).toMatchObject([{ verdict: 'better', n: 200 }])
    expect(differences[0]?.interval.low).toBeGreaterThan(0)
    expect(answers.length).toBeLessThan(15)
    const tokens = answers.reduce((sum, text) => sum + countTokens(text), 0)
    expect(tokens).toBeLessThan(10_000)
  })
})

describe('keys', () => {
  test('are refused without a scope, as over HTTP', async () => {
    const client = await connected('modern', await keyHeaders(['catalog:read']))
    expect((await answerOf(client, 'list_benchmarks')).refused).toBe(false)
    const { text, refused } = await answerOf(client, 'get_run', { run_id: crypto.randomUUID() })
    expect(refused).toBe(true)
    expect(Refusal.parse(JSON.parse(text)).error.code).toBe('missing_scope')
  })

  test('meet their spending limit with the page where a person can submit', async () => {
    const { models, routeId } = await pricedRoute(service)
    onTestFinished(() => models.close())
    await allot(service, '1000000')
    const client = await connected('modern', await keyHeaders(['catalog:read', 'quotes:write', 'runs:write'], '10'))
    const terms = { profile_ids: [await wordProblems(client)], sample_count: 5, max_charge_microusd: '100000' }
    const { quote_id: id } = await call(client, Quoted, 'create_quote', { model: routeId, ...terms })
    const { text, refused } = await answerOf(client, 'submit_run', { quote_id: id, idempotency_key: 'over' })
    expect({ refused, ...Refusal.parse(JSON.parse(text)) }).toEqual({
      refused: true,
      error: { code: 'spend_ceiling_reached' },
      a_person_can_do_this_at: `${service.baseUrl}/quotes/${id}`,
    })
  })

  test('are retried after a client has shown the page, and do what a person allowed there', async () => {
    const { models, routeId } = await pricedRoute(service)
    onTestFinished(() => models.close())
    await allot(service, '1000000')
    const scopes: readonly Scope[] = ['catalog:read', 'quotes:write', 'runs:write']
    const { key, id: key_id } = await service.client.call('createApiKey', {
      body: { name: 'short of money', scopes: [...scopes], ceiling_microusd: '10' },
    })
    const { client, shown } = showsPages('modern', 'accept', async () => {
      await service.client.call('setKeyCeiling', { params: { key_id }, body: { ceiling_microusd: '1000000' } })
    })
    await connected('modern', { authorization: `Bearer ${key}` }, client)
    const terms = { profile_ids: [await wordProblems(client)], sample_count: 5, max_charge_microusd: '100000' }
    const { quote_id: id } = await call(client, Quoted, 'create_quote', { model: routeId, ...terms })
    const submitted = await answerOf(client, 'submit_run', { quote_id: id, idempotency_key: 'after-the-page' })
    expect({ shown, ...submitted }).toMatchObject({ shown: [`${service.baseUrl}/quotes/${id}`], refused: false })
  })

  test('are not trusted with a person’s word: an accepted page lifts no limit', async () => {
    const { models, routeId } = await pricedRoute(service)
    onTestFinished(() => models.close())
    await allot(service, '1000000')
    for (const action of ['accept', 'decline'] as const) {
      const { client, shown } = showsPages('modern', action)
      await connected('modern', await keyHeaders(['catalog:read', 'quotes:write', 'runs:write'], '10'), client)
      const terms = { profile_ids: [await wordProblems(client)], sample_count: 5, max_charge_microusd: '100000' }
      const { quote_id: id } = await call(client, Quoted, 'create_quote', { model: routeId, ...terms })
      const { text, refused } = await answerOf(client, 'submit_run', { quote_id: id, idempotency_key: `over-${action}` })
      expect({ refused, shown }).toEqual({ refused: true, shown: [`${service.baseUrl}/quotes/${id}`] })
      expect(text).toContain(action === 'accept' ? 'spend_ceiling_reached' : 'did not open the page')
    }
  })

  test.each([{}, { authorization: 'Bearer asy_wrong' }, { cookie: 'assay_session=asn_x' }])(
    'are needed for every request: %j',
    async headers => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const reply = await fetch(`${service.baseUrl}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify(message),
      })
      expect(reply.status).toBe(401)
    },
  )

  test('are refused to other web pages', async () => {
    const reply = await fetch(`${service.baseUrl}/mcp`, {
      method: 'POST',
      headers: { ...(await keyHeaders()), 'content-type': 'application/json', origin: 'https://example.org' },
      body: '{}',
    })
    expect(reply.status).toBe(403)
  })

  test.each(['GET', 'HEAD', 'DELETE'])('are not made with %s', async method => {
    const reply = await fetch(`${service.baseUrl}/mcp`, { method, headers: { ...(await keyHeaders()), accept: 'text/event-stream' } })
    expect(reply.status).toBe(405)
  })

  test('are batched up to twenty, and a list that is asked for twenty times is made once', async () => {
    const batch = async (length: number) =>
      fetch(`${service.baseUrl}/mcp`, {
        method: 'POST',
        headers: { ...(await keyHeaders()), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
      })
    const refused = await batch(21)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('The batch has 21 messages.')])
    let listed = 0
    const took = await longestTurnCpuMs(async () => {
      listed = (await (await batch(20)).text()).split('"name":"list_benchmarks"').length - 1
    })
    expect(listed).toBe(20)
    expect(took).toBeLessThan(150 * slowness())
  })

  test('use up no connection with the calls of tools', async () => {
    const client = await connected('modern')
    const unknown = crypto.randomUUID()
    // More than a key may have connections.
    for (let round = 0; round < 210; round++) expect((await answerOf(client, 'get_run', { run_id: unknown })).text).toContain('not_found')
  })
})

describe('content', () => {
  test('is excluded by default and marked as data', async () => {
    const client = await connected('modern')
    const id = await finishedRun(client, 'assay/oracle-50')
    const Samples = z.object({ items: z.array(z.object({ sample_id: z.uuid(), passed: z.boolean() })), total: z.int() })
    const { items, total } = await call(client, Samples, 'list_samples', { run_id: id, passed: false, limit: 1 })
    expect(total).toBeGreaterThan(1)
    const sample = { run_id: id, sample_id: items[0]?.sample_id }
    expect((await answerOf(client, 'get_sample', sample)).text).not.toMatch(/"(?:messages|reasoning|targets|answers)":/)
    const { untrusted_data: data } = await call(
      client,
      z.object({ untrusted_data: z.object({ notice: z.string(), output: z.string() }) }),
      'get_sample',
      { ...sample, include_content: true },
    )
    expect(data.notice).toContain('data')
    const report = await client.readResource({ uri: `assay://runs/${id}/report` })
    expect(report.contents[0]).toMatchObject({ mimeType: 'text/markdown' })
  })
})

describe('what a person decides', () => {
  test('is answered with the page, and nothing is changed', async () => {
    const client = await connected('modern')
    const { text, refused } = await answerOf(client, 'commit_import')
    expect({ refused, ...JSON.parse(text) }).toMatchObject({ done: false, a_person_can_do_this_at: `${service.baseUrl}/catalog/import` })
  })

  test('is shown by a client that can show pages, and still changes nothing', async () => {
    const { client, shown } = showsPages('modern')
    await connected('modern', undefined, client)
    expect(JSON.parse((await answerOf(client, 'commit_import')).text)).toMatchObject({ done: false })
    expect(shown).toEqual([`${service.baseUrl}/catalog/import`])
  })

  test('can be prepared: a preview imports nothing and repeats no content', async () => {
    const client = await connected('modern')
    const file = { format: 'jsonl', file_name: 'a.jsonl', name: 'Secret sums', content: '{"input":"What is 2+2?","target":"4"}\n' }
    const { text } = await answerOf(client, 'import_preview', file)
    expect(JSON.parse(text)).toMatchObject({ status: 'previewed', rows: { read: 1, valid: 1, invalid: 0 }, error_count: 0 })
    expect(text).not.toContain('2+2')
    expect(await call(client, Listed, 'list_benchmarks', { query: 'Secret sums' })).toMatchObject({ items: [] })
  })
})

describe('assay mcp', () => {
  const spawned = () => new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', '--data-dir', service.dataDir] })

  test('serves the same tools on standard input and output', async () => {
    const { client, shown } = showsPages('legacy')
    await client.connect(spawned())
    onTestFinished(() => client.close())
    const overHttp = await (await connected('legacy')).listTools()
    expect((await client.listTools()).tools).toEqual(overHttp.tools)
    expect(await wordProblems(client)).toMatch(/arithmetic-word-problems/)
    const { text, refused } = await answerOf(client, 'get_run', { run_id: crypto.randomUUID() })
    expect({ refused, code: Refusal.parse(JSON.parse(text)).error.code }).toEqual({ refused: true, code: 'not_found' })
    expect(JSON.parse((await answerOf(client, 'commit_import')).text)).toMatchObject({ done: false })
    expect(shown).toEqual([`${service.baseUrl}/catalog/import`])
  })

  test('end with a sentence at a message that is too long', async () => {
    const child = spawn(process.execPath, [program, 'mcp', '--data-dir', service.dataDir], { stdio: ['pipe', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    // It reads no further.
    child.stdin.on('error', () => undefined).write('x'.repeat(11_000_000))
    const [code]: unknown[] = await once(child, 'close')
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('A message of the client has more than 10 MB') as string })
  })
})
