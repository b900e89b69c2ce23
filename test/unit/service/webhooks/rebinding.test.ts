import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendWebhook } from '../../../../src/engine/clients/webhooks/send-webhook.ts'
import { newSigningSecret } from '../../../../src/engine/clients/remote-scorers/sign-request.ts'
import { outgoingAddressPolicy } from '../../../../src/service/network/outgoing-address.ts'

/** What the resolver answers next. */
let address = '127.0.0.1'
const realLookup = dns.lookup
const answers = (_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
  callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])

let received = 0
let port = 0
const server = createServer((_request, response) => {
  received++
  response.end()
})
beforeAll(async () => {
  // Modules that are loaded already see it too.
  Object.assign(dns, { lookup: answers })
  syncBuiltinESMExports()
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  Object.assign(dns, { lookup: realLookup })
  syncBuiltinESMExports()
  server.close()
})

function send(host: string, allowPrivate: boolean) {
  const url = new URL(`http://${host}:${port}/hook`)
  return sendWebhook({
    url,
    id: 'one',
    body: '{}',
    secrets: [newSigningSecret()],
    addressPolicy: outgoingAddressPolicy(url, { allowPrivate, ownOrigin: 'http://127.0.0.1:1', uses: 'webhooks', proxies: undefined }),
    now: () => 0,
    signal: new AbortController().signal,
  })
}

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '169.254.169.254'])(
  'a name that answers with %s when it is called is not called, whatever is allowed',
  async found => {
    address = found
    for (const allowPrivate of [false, true])
      expect(await send('hooks.example.com', allowPrivate)).toMatchObject({ httpStatus: null, problem: expect.any(String) })
    expect(received).toBe(0)
  },
)

test('a name that answers with a private address is called only where that is allowed', async () => {
  address = '10.0.0.1'
  expect((await send('hooks.example.com', false)).problem).toContain('not allowed for webhooks')
  address = '127.0.0.1'
  expect((await send('127.0.0.1', false)).httpStatus).toBe(200)
  expect(received).toBe(1)
})
