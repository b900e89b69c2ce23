import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ConnectionProtocol } from '../../../src/contract/connections/connections.schemas.ts'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { askContext } from '../../../src/engine/clients/discovery/ask-context.ts'
import { listen } from '../../journeys/model-server/listen.ts'

const signal = new AbortController().signal

/** What a server with these replies, by path, says of the model `m`. */
async function asked(protocol: ConnectionProtocol, replies: Readonly<Record<string, object>>) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    paths.push(request.url ?? '')
    const reply = replies[request.url ?? '']
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply ?? { error: 'not found' }))
  })
  const { baseUrl, close } = await listen(server, 0)
  onTestFinished(close)
  const length = await askContext(
    { protocol, model: 'm', limits: { context_tokens: null } },
    {
      baseUrl: protocol === 'ollama' ? baseUrl : `${baseUrl}/v1`,
      apiKey: null,
      headers: {},
      attemptTimeoutMs: 60_000,
      connections: 1,
      addressPolicy: createAddressPolicy({ ownOrigin: null }),
    },
    signal,
  )
  return { length, paths }
}

const llamaModels = { object: 'list', data: [{ id: 'm', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] }

test.each([
  ['llama_cpp', { '/props': { default_generation_settings: { n_ctx: 4096 } }, '/v1/models': llamaModels }, 4096],
  ['llama_cpp', { '/v1/models': llamaModels }, 131_072],
  ['vllm', { '/v1/models': { object: 'list', data: [{ id: 'm', owned_by: 'vllm', max_model_len: 8192 }] } }, 8192],
  ['vllm', { '/v1/models': { data: [{ id: 'other', max_model_len: 1 }] } }, null],
  ['vllm', {}, null],
  ['ollama', { '/api/show': { model_info: { 'general.architecture': 'llama', 'llama.context_length': 40_960 } } }, 40_960],
  ['ollama', { '/api/show': { model_info: { 'llama.context_length': 'long' } } }, null],
] as const)('a server of %s with %j says %j', async (protocol, replies, length) => {
  expect((await asked(protocol, replies)).length).toBe(length)
})

const studio = {
  models: [
    { key: 'm', type: 'llm', loaded_instances: [], max_context_length: 131_072 },
    { key: 'n', type: 'llm', loaded_instances: [{ id: 'm:2', config: { context_length: 8192 } }], max_context_length: 131_072 },
  ],
}
const loaded = { models: [{ key: 'm', loaded_instances: [{ id: 'm', config: { context_length: 4096 } }], max_context_length: 131_072 }] }
const listing = { '/v1/models': { data: [{ id: 'm' }] } }

test('a server that keeps the address of its list open is not waited for long', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => limit.mockRestore())
  expect(await asked('openai_chat', {})).toEqual({ length: null, paths: [] })
  expect(limit.mock.calls).toEqual([[5_000]])
})

test.each([
  ['max_model_len', { data: [{ id: 'm', max_model_len: 200_000 }] }],
  ['context_length', [{ id: 'm', context_length: 200_000 }]],
  ['context_length as text', { data: [{ id: 'm', context_length: '200000' }] }],
  ['inputTokenLimit', { models: [{ name: 'models/m', inputTokenLimit: 200_000 }] }],
  ['context_window', { data: [{ id: 'm', context_window: 200_000 }] }],
  ['max_input_tokens', { data: [{ id: 'm', max_input_tokens: 200_000 }] }],
  ['max_context_length', { data: [{ id: 'm', max_context_length: 200_000 }] }],
  ['top_provider', { data: [{ id: 'm', context_length: null, top_provider: { context_length: 200_000 } }] }],
])('a provider says it in its list by %s, and nothing else is asked', async (_, list) => {
  expect(await asked('openai_chat', { '/v1/models': list })).toEqual({ length: 200_000, paths: ['/v1/models'] })
})

test.each([
  ['LM Studio with the model loaded', { '/api/v1/models': loaded, ...listing }, 4096],
  ['LM Studio with the model not loaded', { '/api/v1/models': studio, ...listing }, 131_072],
  ['LM Studio with another model', { '/api/v1/models': { models: [{ key: 'other' }] }, '/api/ps': {}, ...listing }, null],
  ['Ollama by its OpenAI form', { '/api/ps': { models: [{ name: 'm:latest', context_length: 4096 }] }, ...listing }, 4096],
  ['another server', listing, null],
] as const)('%s on this machine says %s', async (_, replies, length) => {
  expect((await asked('openai_chat', replies)).length).toBe(length)
})
