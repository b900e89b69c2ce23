import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { RemoteAccess } from '../../src/service/config.ts'
import { selfSigned } from '../engine/clients/self-signed-certificate.ts'
import { startTestService, type TestService } from '../support/service.ts'

const origin = 'https://eval.example'
const behindProxy: RemoteAccess = { host: '127.0.0.1', origin, tls: null }

interface Answer {
  readonly status: number
  readonly cookie: string
}

/** As a browser elsewhere asks for the name, straight or by way of a proxy. */
function ask(port: number, secure: boolean, headers: Readonly<Record<string, string>>, code?: string): Promise<Answer> {
  const [method, path, body] =
    code === undefined ? (['GET', '/v1/health', ''] as const) : (['POST', '/v1/sessions/pair', JSON.stringify({ code })] as const)
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
  }
  return new Promise((resolve, reject) => {
    const sent = (secure ? tlsRequest({ ...options, ca: selfSigned.cert, servername: '' }) : plainRequest(options)).on(
      'response',
      reply => {
        reply.resume().on('end', () => resolve({ status: reply.statusCode ?? 0, cookie: String(reply.headers['set-cookie'] ?? '') }))
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** service.json names the public address, so the port has to be known before. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  server.close()
  await once(server, 'close')
  return port
}

const portOf = (service: TestService) => Number(new URL(service.baseUrl).port)

describe('behind a reverse proxy', () => {
  test('the stated name is served, with cookies for TLS alone, and no other is', async () => {
    await using service = await startTestService({ remote: behindProxy })
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await service.client.call('createPairingCode', {})).toMatchObject({ address: origin })
    const { authorization = '' } = service.client.headers
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await ask(portOf(service), false, { authorization, ...headers })).status
    expect(await status({ host: 'eval.example' })).toBe(200)
    expect(await status({ host: 'eval.example', origin })).toBe(200)
    expect(await status({ host: 'eval.example', origin: 'http://eval.example' })).toBe(403)
    expect(await status({ host: 'eval.example', origin: service.baseUrl })).toBe(403)
    expect(await status({ host: 'evil.example' })).toBe(421)
    // What a proxy adds is no reason to believe it.
    expect(await status({ host: 'evil.example', 'x-forwarded-host': 'eval.example', forwarded: 'host=eval.example' })).toBe(421)
    const { code } = await service.client.call('createPairingCode', {})
    expect((await ask(portOf(service), false, { host: 'eval.example' }, code)).cookie).toMatch(/; Secure/)
  })

  test('programs of this machine ask as ever, and their cookie is not for TLS', async () => {
    await using service = await startTestService({ remote: behindProxy })
    const { code } = await service.client.call('createPairingCode', {})
    const { status, cookie } = await ask(portOf(service), false, { host: `127.0.0.1:${portOf(service)}` }, code)
    expect({ status, secure: /secure/i.test(cookie) }).toEqual({ status: 200, secure: false })
  })
})

describe('with a certificate of its own', () => {
  test('speaks TLS alone, and as the stated name', async () => {
    const port = await freePort()
    await using service = await startTestService({
      port,
      remote: { host: '127.0.0.1', origin: 'https://eval.example:8443', tls: selfSigned },
    })
    expect(service.baseUrl).toBe('https://eval.example:8443')
    const headers = { authorization: service.client.headers['authorization'] ?? '', host: 'eval.example:8443' }
    expect((await ask(port, true, headers)).status).toBe(200)
    expect((await ask(port, true, { ...headers, origin: 'https://eval.example:8443' })).status).toBe(200)
    expect((await ask(port, true, { ...headers, origin: 'http://eval.example:8443' })).status).toBe(403)
    expect((await ask(port, true, { ...headers, host: 'evil.example:8443' })).status).toBe(421)
    await expect(ask(port, false, headers)).rejects.toThrow()
  })
})
