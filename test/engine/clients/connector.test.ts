import type { LookupFunction } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type AddressPolicy, createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { ask, clientFor, failureIn, faultServer } from './client-under-test.ts'
import { completion, reply } from './scripted-replies.ts'

/** A resolver that gives these answers in turn, each a list of addresses, and the last for ever. */
function resolverOf(...answers: readonly string[][]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    lookup: (host, options, callback) => {
      const found = answers[Math.min(asked.length, answers.length - 1)] ?? []
      asked.push(host)
      const family = (address: string) => (address.includes(':') ? 6 : 4)
      if (options.all)
        callback(
          null,
          found.map(address => ({ address, family: family(address) })),
        )
      else callback(null, found[0] ?? '', family(found[0] ?? ''))
    },
  }
}

const publicOnly = createAddressPolicy({ ownOrigin: null, reach: 'public' })
const portOf = (baseUrl: string) => new URL(baseUrl).port

describe('a name', () => {
  test('is called at the address it resolves to', async () => {
    const server = await faultServer(reply(200, completion()))
    const { lookup, asked } = resolverOf(['127.0.0.1'])
    expect((await ask(clientFor(`http://models.example:${portOf(server.baseUrl)}/v1`, { lookup }))).ok).toBe(true)
    expect(asked).toEqual(['models.example'])
    expect(server.received()[0]).toContain(`host: models.example:${portOf(server.baseUrl)}`)
  })

  test.each([
    ['a metadata address', ['169.254.169.254']],
    ['a metadata address among others', ['127.0.0.1', '169.254.169.254']],
    ['a link-local address', ['fe80::1']],
    ['nowhere in particular', ['0.0.0.0']],
  ])('that resolves to %s is refused', async (_, addresses) => {
    const server = await faultServer(reply(200, completion()))
    const failure = failureIn(
      await ask(clientFor(`http://models.example:${portOf(server.baseUrl)}/v1`, { lookup: resolverOf(addresses).lookup })),
    )
    expect(failure).toMatchObject({ code: 'address_refused', message: expect.stringContaining('Assay never calls it'), request: null })
    expect(server.requests()).toBe(0)
  })

  test('that leads elsewhere at the second look is refused then, too', async () => {
    const server = await faultServer([...reply(200, completion(), { connection: 'close' }), 'fin'])
    const { lookup, asked } = resolverOf(['127.0.0.1'], ['169.254.169.254'])
    const client = clientFor(`http://models.example:${portOf(server.baseUrl)}/v1`, { lookup })
    expect((await ask(client)).ok).toBe(true)
    expect(failureIn(await ask(client)).code).toBe('address_refused')
    expect(asked.length).toBe(2)
    expect(server.requests()).toBe(1)
  })

  test('that resolves to this machine is refused without approval', async () => {
    const server = await faultServer(reply(200, completion()))
    const settings = { lookup: resolverOf(['127.0.0.1']).lookup, addressPolicy: publicOnly }
    expect(failureIn(await ask(clientFor(`http://models.example:${portOf(server.baseUrl)}/v1`, settings))).code).toBe('address_refused')
    expect(server.connections()).toBe(0)
  })
})

test('a connection that is not made within its own time fails before the call is overdue', async () => {
  const lookup: LookupFunction = () => undefined
  const client = clientFor('http://models.example:8080/v1', { lookup, connectTimeoutMs: 300, attemptTimeoutMs: 5_000 })
  expect(failureIn(await ask(client))).toMatchObject({ code: 'unreachable', message: expect.stringContaining('connect'), request: null })
})

describe('a literal address', () => {
  test.each([
    'http://169.254.169.254/v1',
    'http://[::ffff:a9fe:a9fe]/v1',
    'http://0:8000/v1',
    'http://user:pass@127.0.0.1/v1',
    'http://127.0.0.1:22/v1',
    'nonsense',
  ])('%s is refused without a call', async baseUrl => {
    expect(failureIn(await ask(clientFor(baseUrl)))).toMatchObject({ code: 'address_refused', request: null, httpStatus: null })
  })

  test('that is the service itself is refused', async () => {
    const server = await faultServer(reply(200, completion()))
    const addressPolicy = createAddressPolicy({ ownOrigin: new URL(server.baseUrl).origin })
    const failure = failureIn(await ask(clientFor(server.baseUrl.replace('127.0.0.1', '0x7f.1'), { addressPolicy })))
    expect(failure.message).toMatch(/is Assay itself/)
    expect(server.connections()).toBe(0)
  })
})

test('the peer address is checked before any byte is sent', async () => {
  const server = await faultServer(reply(200, completion()))
  // Lets the name and its address pass, as if another had been looked up than is connected to.
  let asked = 0
  const policy: AddressPolicy = {
    refusal: () => null,
    hostRefusal: host => {
      asked += 1
      return asked > 2 ? `${host} is not the machine that was meant.` : null
    },
  }
  const settings = { addressPolicy: policy, lookup: resolverOf(['127.0.0.1']).lookup }
  const failure = failureIn(await ask(clientFor(`http://models.example:${portOf(server.baseUrl)}/v1`, settings)))
  expect(failure).toMatchObject({ code: 'address_refused', message: '127.0.0.1 is not the machine that was meant.', request: null })
  await server.left(0)
  expect(server.requests()).toBe(0)
})
