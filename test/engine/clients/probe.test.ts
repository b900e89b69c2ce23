import { describe, expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { createAgentClient } from '../../../src/engine/clients/agents/agent-client.ts'
import { openModelClient } from '../../../src/engine/clients/open-model-client.ts'
import { type HttpFaultName, httpFaults } from '../../journeys/model-server/http-faults.ts'
import { listen } from '../../journeys/model-server/listen.ts'
import { createServer } from 'node:http'

const settings = {
  model: 'm',
  apiKey: 'sk-canary',
  headers: {},
  streaming: false,
  connections: 2,
  addressPolicy: createAddressPolicy({ ownOrigin: null }),
}
const protocols = ['openai_chat', 'vllm', 'openai_responses', 'anthropic_messages', 'ollama', 'llama_cpp'] as const

/** A server that answers everything like that, and the methods it was asked by. */
async function serverThat(says: number | HttpFaultName) {
  const methods: string[] = []
  const server = createServer((request, response) => {
    methods.push(request.method ?? '')
    const fault = typeof says === 'number' ? { status: says, body: '{}' } : httpFaults[says]
    if ('status' in fault) response.writeHead(fault.status).end(fault.body)
    else if (fault.connection === 'reset') response.socket?.resetAndDestroy()
  })
  const { baseUrl, close } = await listen(server, 0)
  return { baseUrl, close, methods }
}

async function probe(protocol: (typeof protocols)[number] | 'agent', says: number | HttpFaultName) {
  const server = await serverThat(says)
  const own = { ...settings, attemptTimeoutMs: says === 'hang' ? 300 : 60_000, baseUrl: `${server.baseUrl}/v1` }
  const client = protocol === 'agent' ? createAgentClient(own) : openModelClient(protocol, own)
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return { fault: await client.probe({ signal: new AbortController().signal }), methods: server.methods }
}

describe.each([...protocols, 'agent'] as const)('a probe of %s', protocol => {
  test.each([200, 401, 404, 405, 429, 500])('finds that something answers with %i, and makes no model call', async status => {
    const { fault, methods } = await probe(protocol, status)
    expect(fault).toBeNull()
    expect(methods).toEqual(['GET'])
  })

  test.each([502, 503, 504])('finds a gateway without a server in %i', async status => {
    expect((await probe(protocol, status)).fault).toMatchObject({ code: 'provider_failure' })
  })

  test.each([
    ['reset', 'unreachable'],
    ['hang', 'timeout'],
  ] as const)('finds nothing where the connection is %s', async (says, code) => {
    expect((await probe(protocol, says)).fault).toMatchObject({ code })
  })
})
