import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionProtocol } from '../../../src/contract/index.ts'
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

test('an endpoint of a provider is not asked', async () => {
  const replies = { '/v1/models': { data: [{ id: 'm', context_length: 200_000 }] } }
  expect(await asked('openai_chat', replies)).toEqual({ length: null, paths: [] })
})
