import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { discoverRuntimes } from '../../../src/engine/clients/discovery/discover-runtimes.ts'
import { listModels } from '../../../src/engine/clients/discovery/list-models.ts'
import { listen } from '../../journeys/model-server/listen.ts'

const signal = new AbortController().signal
const policy = createAddressPolicy({ ownOrigin: null })

/** A server that answers these paths and 404 to all others; its port, and what it was asked. @param before each answer */
async function runtime(answers: Readonly<Record<string, object>>, status = 200, before: () => unknown = () => undefined) {
  const asked: string[] = []
  const server = createServer(({ method, url = '', headers }, response) => {
    before()
    asked.push(`${method} ${url} ${headers.authorization ?? ''}`.trim())
    const body = answers[url]
    response.writeHead(body ? 200 : status === 200 ? 404 : status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: { message: 'no' } }))
  })
  const running = await listen(server, 0)
  onTestFinished(() => running.close())
  return { port: Number(new URL(running.baseUrl).port), asked }
}

test('knows runtimes by what they say, not by their port, and asks nothing but their lists', async () => {
  const ollama = await runtime({
    '/api/tags': {
      models: [
        { name: 'small:1b', details: { context_length: 4096 } },
        { name: 'big:cloud', remote_host: 'https://ollama.com', details: {} },
      ],
    },
  })
  const studio = await runtime({
    '/api/v1/models': {
      models: [
        { key: 'chatty', type: 'llm', max_context_length: 8192 },
        { key: 'vectors', type: 'embedding' },
      ],
    },
  })
  const vllm = await runtime({
    '/v1/models': { object: 'list', data: [{ id: 'a\u0007' }, { id: 'm', owned_by: 'vllm', max_model_len: 2048 }] },
  })
  const llama = await runtime({ '/v1/models': { object: 'list', data: [{ id: 'q', owned_by: 'llamacpp', meta: { n_ctx_train: 512 } }] } })
  const other = await runtime({ '/v1/models': { object: 'list', data: [{ id: 'o' }] } })
  const locked = await runtime({}, 401)
  const website = await runtime({})
  const ports = [ollama, studio, vllm, llama, other, locked, website].map(({ port }) => port)
  const found = await discoverRuntimes({ addressPolicy: policy }, signal, [...ports, 59_996])
  expect(found.map(({ title, protocol, needs_key, models }) => [title, protocol, needs_key, models.map(({ model }) => model)])).toEqual([
    ['Ollama', 'ollama', false, ['small:1b', 'big:cloud']],
    ['LM Studio', 'openai_chat', false, ['chatty']],
    ['vLLM', 'vllm', false, ['m']],
    ['llama.cpp', 'llama_cpp', false, ['q']],
    ['OpenAI-compatible server', 'openai_chat', false, ['o']],
    ['A server that requires a key', 'openai_chat', true, []],
  ])
  expect(found[0]).toMatchObject({
    base_url: `http://127.0.0.1:${ollama.port}`,
    models: [{ context_tokens: 4096 }, { leaves_machine: true }],
  })
  expect(found[2]?.base_url).toBe(`http://127.0.0.1:${vllm.port}/v1`)
  expect(website.asked).toEqual(['GET /api/tags', 'GET /api/v1/models', 'GET /v1/models'])
})

test('finds a runtime on a machine that is busy for half a second', async () => {
  const answers = { '/v1/models': { object: 'list', data: [{ id: 'slow' }] } }
  const { port } = await runtime(answers, 200, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600))
  const [found] = await discoverRuntimes({ addressPolicy: policy }, signal, [port])
  expect(found?.models).toMatchObject([{ model: 'slow' }])
})

test('never asks Assay itself', async () => {
  const own = await runtime({ '/v1/models': { object: 'list', data: [] } })
  const ownOrigin = `http://127.0.0.1:${own.port}`
  expect(await discoverRuntimes({ addressPolicy: createAddressPolicy({ ownOrigin }) }, signal, [own.port])).toEqual([])
  expect(own.asked).toEqual([])
})

const good = [{ id: 'a', context_length: 8192 }, { id: 'b' }]
const both = [
  { model: 'a', context_tokens: 8192 },
  { model: 'b', context_tokens: null },
]

test.each([
  ['as OpenAI lists them', { object: 'list', data: good }, both],
  ['as a bare list', good, both],
  [
    'beside entries without a name that can be used',
    { data: [...good, { name: 'no id' }, { id: 7 }, ...['x'.repeat(400), ' ', 'a\0b', '\u001b[31m', '\ud800'].map(id => ({ id })), null] },
    both,
  ],
  ['of Cohere', { models: [{ name: 'command-a', context_length: 256_000 }] }, [{ model: 'command-a', context_tokens: 256_000 }]],
  [
    'with names of models alone',
    { data: [{ model_name: 'a' }, { model: 'b', name: 'B' }] },
    [{ model: 'a', context_tokens: null }, both[1]],
  ],
  [
    'of Cloudflare',
    { success: true, result: [{ id: '4f2c', name: '@cf/meta/llama' }] },
    [{ model: '@cf/meta/llama', context_tokens: null }],
  ],
  ['in which one is named twice', { data: [...good, { id: 'b', context_length: 2 }] }, both],
  ['of Google', { models: [{ name: 'models/gemini' }] }, [{ model: 'gemini', context_tokens: null }]],
  [
    'with a context in words',
    {
      data: [
        { id: 'a', context_length: '8192' },
        { id: 'b', max_model_len: -1 },
      ],
    },
    both,
  ],
  ['as names alone', { data: ['b', { id: 'a', context_window: 8192 }] }, both],
])('offers the models of a list %s', async (_, body, items) => {
  const { port } = await runtime({ '/models': body })
  expect(await listModels('openai_chat', settingsOf(port), signal)).toEqual({ items, message: null })
})

const settingsOf = (port: number) => ({
  baseUrl: `http://127.0.0.1:${port}`,
  apiKey: null,
  headers: {},
  attemptTimeoutMs: 60_000,
  connections: 1,
  addressPolicy: policy,
})

test('says how many models of a list that is too long are offered', async () => {
  const { port } = await runtime({ '/models': { data: Array.from({ length: 100_000 }, (_, i) => ({ id: `m${i}` })) } })
  const { items, message } = await listModels('openai_chat', settingsOf(port), signal)
  expect([items.length, items[0]?.model, items.at(-1)?.model]).toEqual([2000, 'm0', 'm1999'])
  expect(message).toContain('more than these 2,000 models')
})

test.each([
  ['anthropic_messages', '/models?limit=1000', { data: good, has_more: true }],
  ['gemini', '/models?pageSize=1000', { models: [{ name: 'models/a' }, { name: 'models/b' }], nextPageToken: 'next' }],
] as const)('asks %s for the largest page and says that there is another', async (protocol, path, body) => {
  const { port } = await runtime({ [path]: body })
  const { items, message } = await listModels(protocol, settingsOf(port), signal)
  expect(items.map(({ model }) => model)).toEqual(['a', 'b'])
  expect(message).toContain('more than these 2 models')
})

test.each([
  ['?note=a%20b', '/models?note=a%20b&limit=1000'],
  ['?limit=1', '/models?limit=1'],
])('leaves the parameters of an address as they are: %s', async (query, path) => {
  const { port } = await runtime({ [path]: { data: [{ id: 'a' }], has_more: true } })
  const { message } = await listModels('anthropic_messages', { ...settingsOf(port), baseUrl: `http://127.0.0.1:${port}${query}` }, signal)
  expect(message).toContain('more than this model.')
})
