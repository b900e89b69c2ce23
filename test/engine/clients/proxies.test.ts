import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { proxyFor, readProxies } from '../../../src/engine/clients/http/proxies.ts'
import { listen } from '../../journeys/model-server/listen.ts'
import { answerIn, ask, clientFor, failureIn, faultServer } from './client-under-test.ts'
import { completion, reply } from './scripted-replies.ts'
import { selfSigned } from './self-signed-certificate.ts'

async function started(server: Server): Promise<URL> {
  const running = await listen(server, 0)
  onTestFinished(() => running.close())
  return new URL(running.baseUrl)
}

/** A proxy that answers plain requests itself and connects tunnels to one port of this machine. */
async function startProxy(target: number) {
  const seen: { line: string; authorization: string | undefined }[] = []
  const server = createHttpServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, authorization: request.headers['proxy-authorization'] })
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion())
  })
  server.on('connect', (request, socket) => {
    seen.push({ line: `CONNECT ${request.url}`, authorization: request.headers['proxy-authorization'] })
    if (target === 0) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const upstream = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  return { url: await started(server), seen }
}

const resolvesTo =
  (address: string | null): LookupFunction =>
  (_host, options, callback) => {
    if (address === null) callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '')
    else if (options.all) callback(null, [{ address, family: 4 }])
    else callback(null, address, 4)
  }

const through = (proxy: URL, environment: Record<string, string> = {}, address: string | null = null) => ({
  addressPolicy: createAddressPolicy({
    ownOrigin: null,
    proxies: readProxies({ HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href, ...environment }),
  }),
  lookup: resolvesTo(address),
})

describe('a proxy', () => {
  test('is told the whole address of plain HTTP, with its own password, and is named to the meter', async () => {
    const proxy = await startProxy(0)
    const withPassword = new URL(`http://user:p%20w@${proxy.url.host}`)
    const origins: unknown[] = []
    const client = clientFor('http://models.example/v1', {
      ...through(withPassword),
      traffic: (origin, _sent, _received, by) => origins.push([origin, by]),
    })
    answerIn(await ask(client))
    expect(proxy.seen).toEqual([
      { line: 'POST http://models.example/v1/chat/completions', authorization: `Basic ${Buffer.from('user:p w').toString('base64')}` },
    ])
    expect(origins).toEqual([['http://models.example', proxy.url.origin]])
  })

  test('tunnels HTTPS, whose certificate is the server’s', async () => {
    const secure = await started(
      createHttpsServer(selfSigned, (request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': 'application/json' }).end(completion())
      }),
    )
    const proxy = await startProxy(Number(secure.port))
    const base = 'https://93.184.216.34/v1'
    expect(failureIn(await ask(clientFor(base, through(proxy.url)))).code).toBe('certificate_refused')
    expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT 93.184.216.34:443'])
  })

  test('that refuses is named in the failure', async () => {
    const proxy = await startProxy(0)
    const failure = failureIn(await ask(clientFor('https://models.example/v1', through(proxy.url))))
    expect(failure).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`${proxy.url.origin} did not connect to models.example:443: HTTP 403`),
    })
  })

  test.each(['127.0.0.1', 'localhost'])('never sees calls of this machine (%s)', async host => {
    const server = await faultServer(reply(200, completion()))
    const proxy = await startProxy(0)
    const base = `http://${host}:${new URL(server.baseUrl).port}/v1`
    answerIn(await ask(clientFor(base, { ...through(proxy.url, {}, '127.0.0.1') })))
    expect(proxy.seen).toEqual([])
  })

  test.each([
    ['an address that is never called', 'http://169.254.169.254/v1', null],
    ['a name that resolves to one', 'https://models.example/v1', '169.254.169.254'],
    ['a name that resolves to this machine', 'http://models.example/v1', '127.0.0.1'],
  ])('never sees %s', async (_name, base, address) => {
    const proxy = await startProxy(0)
    expect(failureIn(await ask(clientFor(base, through(proxy.url, {}, address)))).code).toBe('address_refused')
    expect(proxy.seen).toEqual([])
  })
})

test('trusts a private certificate authority for the connection that has it', async () => {
  const secure = await started(
    createHttpsServer(selfSigned, (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(completion())
    }),
  )
  const base = `https://127.0.0.1:${secure.port}/v1`
  expect(failureIn(await ask(clientFor(base)))).toMatchObject({ code: 'certificate_refused' })
  answerIn(await ask(clientFor(base, { caCertificates: selfSigned.cert })))
})

describe('an address', () => {
  const proxies = (except: string) => readProxies({ HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: except })
  test.each<[string, string, boolean]>([
    ['https://api.example.com/v1', '', true],
    ['http://api.example.com/v1', '', false],
    ['https://api.example.com/v1', '*', false],
    ['https://api.example.com/v1', 'example.com', false],
    ['https://api.example.com/v1', '.example.com, other', false],
    ['https://notexample.com/v1', 'example.com', true],
    ['https://api.example.com:8443/v1', 'example.com:443', true],
    ['https://api.example.com/v1', 'example.com:443', false],
    ['https://10.1.2.3/v1', '10.0.0.0/8', false],
    ['https://11.1.2.3/v1', '10.0.0.0/8', true],
    ['https://[2001:db8::1]/v1', '2001:db8::1', false],
    ['https://localhost/v1', '', false],
    ['https://127.8.0.1/v1', '', false],
  ])('%s with NO_PROXY "%s" goes through the proxy: %s', (address, except, isThrough) => {
    expect(proxyFor(new URL(address), proxies(except)) !== null).toBe(isThrough)
  })

  test('goes through the proxy of the setting, which none turns off', () => {
    const environment = { HTTPS_PROXY: 'http://one.example:1' }
    const url = new URL('https://api.example.com')
    expect(proxyFor(url, readProxies(environment, 'two.example:2'))?.origin).toBe('http://two.example:2')
    expect(proxyFor(url, readProxies(environment, 'none'))).toBeNull()
    expect(proxyFor(url, readProxies({ https_proxy: 'http://small.example:3' }))?.origin).toBe('http://small.example:3')
  })
})

test('an environment with a proxy of another kind is refused by the variable’s name', () => {
  expect(() => readProxies({}, 'nope')).toThrow('--proxy must be the address of an HTTP proxy')
  expect(() => readProxies({ HTTPS_PROXY: 'socks5://127.0.0.1:1080' })).toThrow('HTTPS_PROXY must be the address of an HTTP proxy')
})
