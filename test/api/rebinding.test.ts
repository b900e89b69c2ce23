import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { langfuseKeys } from '../support/trace-providers/langfuse-server.ts'
import { startTestService, type TestClient, type TestService } from '../support/service.ts'

/** What the name answers next, whatever it answered when its address was registered. */
let addresses: readonly string[] = []
let asked = 0
const realLookup = dns.lookup
const lookup = (host: string, options: object, callback: (error: Error | null, found: never) => void) => {
  if (!host.endsWith('.example.com')) return realLookup(host, options, callback as never)
  const address = addresses[Math.min(asked++, addresses.length - 1)] ?? ''
  return callback(null, [{ address, family: address.includes(':') ? 6 : 4 }] as never)
}

let service: TestService
let connections = 0
/** What an attacker's name leads to: a service of this machine that takes whatever it is sent. */
const inside = createServer(socket => {
  connections++
  socket.destroy()
})
let origin: string
beforeAll(async () => {
  service = await startTestService()
  await new Promise<void>(listening => inside.listen(0, '127.0.0.1', listening))
  origin = `https://elsewhere.example.com:${(inside.address() as AddressInfo).port}`
  // Modules that are loaded already see it too.
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
})
afterAll(async () => {
  Object.assign(dns, { lookup: realLookup })
  syncBuiltinESMExports()
  await service.close()
  inside.close()
})

/** Registers an address and has it called; answers what is said of the call. */
const ways: readonly (readonly [string, (client: TestClient) => Promise<unknown>])[] = [
  [
    'a model endpoint',
    async client => {
      const { id } = await client.call('createConnection', { body: { name: 'far', base_url: `${origin}/v1`, model: 'm' } })
      return client.call('checkConnection', { params: { connection_id: id } })
    },
  ],
  [
    'an agent',
    async client => {
      const body = { kind: 'agent_to_agent' as const, name: 'far', agent_card_url: `${origin}/card` }
      const { id } = await client.call('createConnection', { body })
      return client.call('checkConnection', { params: { connection_id: id } })
    },
  ],
  [
    'a remote scorer',
    async client => {
      const { id } = await client.call('createRemoteScorer', { body: { name: 'far', url: `${origin}/score` } })
      return client.call('testRemoteScorer', { params: { remote_scorer_id: id } })
    },
  ],
  [
    'a webhook',
    async client => {
      const { id } = await client.call('createWebhook', { body: { name: 'far', url: `${origin}/hook` } })
      return client.call('testWebhook', { params: { webhook_id: id } })
    },
  ],
  ['a provider of traces', client => client.refusal('connectProviderA', { body: { host: origin, ...langfuseKeys } })],
]

test.each(
  ways.flatMap(([name, way]) =>
    ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', '::ffff:127.0.0.1', '169.254.169.254'].map(address => [name, address, way] as const),
  ),
)('%s of a key, whose name leads to %s when it is called, is not called', async (_name, address, way) => {
  ;[addresses, asked] = [[address], 0]
  const said = JSON.stringify(await way(service.keyClient))
  expect(asked).toBeGreaterThan(0)
  expect(said).toMatch(/public addresses only|is not allowed for|Assay never calls it/)
  expect(connections).toBe(0)
})
