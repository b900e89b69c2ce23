import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProxyBody } from '../../src/contract/network/proxy.schemas.ts'
import { completion } from '../engine/clients/scripted-replies.ts'
import { listen, type RunningServer } from '../journeys/model-server/listen.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let proxy: RunningServer
const seen: string[] = []

beforeAll(async () => {
  service = await startTestService()
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion())
  })
  proxy = await listen(server, 0)
})

afterAll(async () => {
  await service.close()
  await proxy.close()
})

const check = async (baseUrl: string) => {
  const body = { name: `c ${crypto.randomUUID()}`, base_url: baseUrl, model: 'm' }
  const { id } = await service.client.call('createConnection', { body })
  return service.client.call('checkConnection', { params: { connection_id: id } })
}

test('nothing is set at first', async () => {
  expect(await service.client.call('getProxy', {})).toEqual({
    mode: 'environment',
    url: null,
    except: [],
    in_use: { from: 'environment', http: null, https: null, except: [] },
  })
})

test('a proxy that is set is called from the next call on, stays over a restart, and is named by the network log', async () => {
  const { client } = service
  const setting = await client.call('setProxy', { body: { mode: 'proxy', url: proxy.baseUrl, except: ['direct.example', '10.0.0.0/8'] } })
  expect(setting).toEqual({
    mode: 'proxy',
    url: proxy.baseUrl,
    except: ['direct.example', '10.0.0.0/8'],
    in_use: { from: 'setting', http: proxy.baseUrl, https: proxy.baseUrl, except: ['direct.example', '10.0.0.0/8'] },
  })
  expect((await check('http://models.example/v1')).status).toBe('ready')
  expect(seen).toContain('POST http://models.example/v1/chat/completions')
  expect((await client.call('listNetworkHosts', {})).items).toMatchObject([{ origin: 'http://models.example', proxy: proxy.baseUrl }])

  await service.restart()
  expect(await service.client.call('getProxy', {})).toEqual(setting)
})

test('this machine and exceptions are called directly, and refused addresses not at all', async () => {
  seen.length = 0
  const own = await listen(
    createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(completion())
    }),
    0,
  )
  expect((await check(`${own.baseUrl}/v1`)).status).toBe('ready')
  await own.close()
  expect((await check('http://direct.example/v1')).last_check).toMatchObject({ ok: false })
  await expect(check('http://169.254.169.254/v1')).rejects.toThrow()
  expect(seen).toEqual([])
})

test('no proxy holds against the environment, and the environment can be taken back', async () => {
  const { client } = service
  expect(await client.call('setProxy', { body: { mode: 'none' } })).toMatchObject({ url: null, in_use: { from: 'setting', https: null } })
  expect(await client.call('setProxy', { body: { mode: 'environment' } })).toMatchObject({ in_use: { from: 'environment' } })
})

describe('is refused', () => {
  const bodies: [string, Partial<ProxyBody> & Pick<ProxyBody, 'mode'>, string][] = [
    ['without an address', { mode: 'proxy' }, 'needs the address'],
    ['that is a bare word', { mode: 'proxy', url: 'nope' }, 'must be the address of an HTTP proxy'],
    ['of another kind', { mode: 'proxy', url: 'socks5://proxy.example:1080' }, 'must be the address of an HTTP proxy'],
    ['with a password', { mode: 'proxy', url: 'http://user:secret@proxy.example:3128' }, 'which are not stored'],
    ['with a path', { mode: 'proxy', url: 'http://proxy.example:3128/path' }, 'must end after its port'],
    ['with a list in one exception', { mode: 'proxy', url: 'http://proxy.example', except: ['a, b'] }, 'no spaces and no commas'],
  ]
  test.each(bodies)('%s', async (_, body, message) => {
    const refused = await service.client.refusal('setProxy', { body })
    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining(message) })
    expect(refused.message).not.toContain('secret')
  })

  test('to a key that is not this machine’s own', async () => {
    const { key } = await service.client.call('createApiKey', { body: { name: 'k', scopes: ['workspace:write'] } })
    const client = clientFor(service.baseUrl, key, service.workspaceId)
    expect((await client.refusal('setProxy', { body: { mode: 'none' } })).code).toBe('owner_session_required')
  })
})
