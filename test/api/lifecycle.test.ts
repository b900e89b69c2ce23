import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createHeadlessHost } from '../../src/headless/host.ts'
import { createService } from '../../src/service/create-service.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { clientFor, startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const opened: { close(): Promise<void> | void }[] = []
const keep = <T extends { close(): Promise<void> | void }>(thing: T): T => {
  opened.push(thing)
  return thing
}
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

async function start(): Promise<TestService> {
  return keep(await startTestService())
}
const config = (dataDir: string) => ({ dataDir, port: 0, portMayMove: false, rendererDir: null, logLevel: 'silent' as const })

describe('starting', () => {
  test('writes service.json for its owner alone, with credentials that work', async () => {
    const service = await start()
    const path = join(service.dataDir, 'service.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(service.dataDir).mode & 0o777).toBe(0o700)
    expect(service.file).toMatchObject({ base_url: service.baseUrl, workspace_id: service.workspaceId, pid: process.pid })
    expect(service.file.api_key).toMatch(/^asy_[\w-]{43}$/)
    const [owner, key] = await Promise.all([service.client.call('getMe', {}), service.keyClient.call('getMe', {})])
    expect(owner).toMatchObject({ principal: 'session', role: 'owner' })
    expect(key).toMatchObject({ principal: 'api_key', name: 'local', role: null })
    expect(key.scopes).toEqual(owner.scopes)
  })

  test('a second time on the same data is refused with the address of the first', async () => {
    const service = await start()
    await expect(createService(config(service.dataDir), createHeadlessHost(service.dataDir))).rejects.toThrow(service.baseUrl)
    await service.client.call('getMe', {})
    expect(existsSync(join(service.dataDir, 'service.json'))).toBe(true)
  })

  test('on a database of a newer Assay is refused and changes nothing', async () => {
    const folder = temporaryFolder()
    opened.push({ close: folder.remove })
    const service = await startTestService({ dataDir: folder.path })
    await service.close()
    const path = join(folder.path, 'assay.db')
    const db = openDatabase(path)
    db.pragma(`user_version = ${migrations.length + 1}`)
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    const before = readFileSync(path)
    await expect(createService(config(folder.path), createHeadlessHost(folder.path))).rejects.toThrow(/newer Assay/)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(join(folder.path, 'service.json'))).toBe(false)
  })

  test('with a key file that others may read is refused when a key would be stored', async () => {
    const service = await start()
    const { client } = service
    await client.call('createConnection', {
      body: { name: 'one', base_url: 'http://127.0.0.1:59999/v1', model: 'm', api_key: 'sk-secret-one' },
    })
    chmodSync(join(service.dataDir, 'secret.key'), 0o644)
    await service.restart()
    const refused = await service.client.refusal('createConnection', {
      body: { name: 'two', base_url: 'http://127.0.0.1:59999/v1', model: 'm', api_key: 'sk-secret-two' },
    })
    expect(refused.code).toBe('unavailable')
    expect(refused.message).not.toContain('sk-secret')
  })
})

describe('stopping', () => {
  test('removes service.json, frees the port and ends the host session', async () => {
    const service = await start()
    const { baseUrl, file, dataDir } = service
    const { session_token: token } = file
    await service.restart()
    expect(service.file.session_token).not.toBe(token)
    const old = await fetch(`${service.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(old.status).toBe(401)
    await old.text()
    if (service.baseUrl !== baseUrl) await expect(fetch(`${baseUrl}/v1/me`)).rejects.toThrow()
    expect(existsSync(join(dataDir, 'service.json'))).toBe(true)
  })
})

describe('the log', () => {
  test('has a line for each answer, with its request id, the last one included', async () => {
    const folder = temporaryFolder()
    opened.push({ close: folder.remove })
    const service = await startTestService({ dataDir: folder.path, logLevel: 'info' })
    const reply = await service.fetch('/v1/runs?q=not-to-be-logged')
    await reply.text()
    await service.close()
    const text = readFileSync(join(folder.path, 'logs', 'service.log'), 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>) // lines of our own logger
    expect(lines).toContainEqual(
      expect.objectContaining({
        reqId: reply.headers.get('x-request-id'),
        route: '/v1/runs',
        status: 200,
        msg: 'request',
        ms: expect.any(Number),
      }),
    )
    expect(text).not.toContain('not-to-be-logged')
  })
})

describe('signing a browser in', () => {
  test('a pairing code works once and its cookie is out of reach of scripts and other sites', async () => {
    const service = await start()
    const { code } = await service.client.call('createPairingCode', {})
    const pair = (text: string) =>
      fetch(`${service.baseUrl}/v1/sessions/pair`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: text }),
      })
    const reply = await pair(code.toLowerCase().replace('-', ' '))
    expect(reply.status).toBe(200)
    const cookie = reply.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^assay_session=asn_[\w-]{43};/)
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(attribute)
    await reply.text()
    const me = await fetch(`${service.baseUrl}/v1/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(me.status).toBe(200)
    await me.text()
    const again = await pair(code)
    expect(again.status).toBe(401)
    await again.text()
  })

  test('guessing ends after ten wrong codes', async () => {
    const service = await start()
    await service.client.call('createPairingCode', {})
    const stranger = clientFor(service.baseUrl, 'none', service.workspaceId)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await stranger.refusal('pair', { body: { code: `WRONG${i}` } })).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses[10]).toBe(429)
  })

  test('a key may not print codes', async () => {
    const service = await start()
    expect(await service.keyClient.refusal('createPairingCode', {})).toMatchObject({ status: 403, code: 'owner_session_required' })
  })
})
