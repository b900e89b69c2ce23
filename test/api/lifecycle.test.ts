import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { doctor } from '../../src/headless/doctor.ts'
import { createHeadlessHost } from '../../src/headless/host.ts'
import { pair } from '../../src/headless/pair.ts'
import { hashToken, identityProof, newToken } from '../../src/service/auth/index.ts'
import { createService } from '../../src/service/create-service.ts'
import { findRunningService, isOurService } from '../../src/service/lifecycle/running-service.ts'
import { readServiceFile, type ServiceFile, writeServiceFile } from '../../src/service/lifecycle/service-file.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { movingClock } from '../support/moving-clock.ts'
import { takePrinted } from '../support/printed.ts'
import { clientFor, startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const opened: { close(): Promise<void> | void }[] = []
const keep = <T extends { close(): Promise<void> | void }>(thing: T): T => {
  opened.push(thing)
  return thing
}
afterEach(async () => {
  vi.restoreAllMocks()
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

  test.skipIf(process.platform === 'win32')(
    'closes a folder that others may read, and writes through no link that lies there',
    async () => {
      const folder = temporaryFolder()
      opened.push({ close: folder.remove })
      const elsewhere = join(folder.path, 'elsewhere.txt')
      const dataDir = join(folder.path, 'data')
      mkdirSync(dataDir, { mode: 0o755 })
      chmodSync(dataDir, 0o755)
      writeFileSync(elsewhere, 'mine')
      for (const name of ['service.json', 'service.json.partial']) symlinkSync(elsewhere, join(dataDir, name))
      keep(await startTestService({ dataDir }))
      expect(statSync(dataDir).mode & 0o777).toBe(0o700)
      expect(lstatSync(join(dataDir, 'service.json')).isSymbolicLink()).toBe(false)
      expect(statSync(join(dataDir, 'service.json')).mode & 0o777).toBe(0o600)
      expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
    },
  )

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
      body: { name: 'one', base_url: 'http://127.0.0.1:29999/v1', model: 'm', api_key: 'sk-secret-one' },
    })
    chmodSync(join(service.dataDir, 'secret.key'), 0o644)
    await service.restart()
    const refused = await service.client.refusal('createConnection', {
      body: { name: 'two', base_url: 'http://127.0.0.1:29999/v1', model: 'm', api_key: 'sk-secret-two' },
    })
    expect(refused.code).toBe('unavailable')
    expect(refused.message).not.toContain('sk-secret')
  })
})

describe('a discovery file that is stale', () => {
  const staleAt = (change: Partial<ServiceFile>) => {
    const folder = temporaryFolder()
    opened.push({ close: folder.remove })
    const file: ServiceFile = {
      base_url: 'http://127.0.0.1:29999',
      workspace_id: crypto.randomUUID(),
      api_key: 'asy_key',
      session_token: 'asn_token',
      pid: process.pid,
      version: '0.1.0',
      started_at: new Date().toISOString(),
      process_start: null,
      ...change,
    }
    writeServiceFile(folder.path, file)
    return { path: folder.path, file }
  }
  /** A process that has ended: its number is free, or somebody else's by now. */
  const gone = () => spawnSync(process.execPath, ['--version']).pid

  test('is distinguished from a running process', () => {
    const running = staleAt({})
    expect(findRunningService(running.path)).toEqual(running.file)
    expect(findRunningService(staleAt({ pid: gone() }).path)).toBeNull()
  })

  test.skipIf(process.platform !== 'linux')(
    'is ignored where its process number belongs to a later process (Linux tells when one began)',
    () => {
      const before = new Date(Date.now() - process.uptime() * 1000 - 60_000).toISOString()
      expect(findRunningService(staleAt({ started_at: before }).path)).toBeNull()
    },
  )

  test.skipIf(process.platform !== 'linux')('is told from one of a running service whose clock was stepped either way', async () => {
    for (const step of [-365, 365]) {
      const clock = movingClock()
      clock.advance(step * 24 * 3600 * 1000)
      const service = keep(await startTestService({}, clock))
      expect(findRunningService(service.dataDir)?.base_url).toBe(service.baseUrl)
      const file = readServiceFile(service.dataDir)
      if (!file) throw new Error('no discovery file')
      const later = { ...file, process_start: file.process_start?.replace(/\d+$/, ticks => String(Number(ticks) - 1)) ?? null }
      expect(findRunningService(staleAt(later).path)).toBeNull()
    }
  })

  test('blocks no start and discloses no address', async () => {
    const { path } = staleAt({ pid: gone() })
    const service = keep(await startTestService({ dataDir: path }))
    expect(service.file.base_url).toBe(service.baseUrl)
    // Killed just after it had taken the lock, another would leave the file of the one before it.
    writeServiceFile(path, { ...service.file, base_url: 'http://127.0.0.1:29999', pid: gone() })
    const refused = createService(config(path), createHeadlessHost(path))
    await expect(refused).rejects.toThrow('already running')
    await expect(refused).rejects.not.toThrow('29999')
  })
})

describe('a program that has taken the port', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  /** Writes down what it is sent; passes questions on to a service where one is given. */
  async function squatter(passOnTo?: string) {
    const sent: string[] = []
    const answerTo = async (path = '') =>
      passOnTo === undefined ? JSON.stringify({ proof: '0'.repeat(64) }) : (await fetch(`${passOnTo}${path}`)).text()
    const server = createServer((request, response) => {
      sent.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.setHeader('content-type', 'application/json')
      void answerTo(request.url).then(text => response.end(text))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    keep({ close: () => new Promise<void>(resolve => server.close(() => resolve())) })
    return { sent, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } // a TCP server has such an address
  }

  test('is not taken for the service, also when it asks the service itself, and gets no token', async () => {
    const { file, baseUrl } = service
    expect(await isOurService(file)).toBe(true)
    expect(await isOurService({ ...file, session_token: newToken('asn_') })).toBe(false)
    for (const { sent, base_url } of [await squatter(), await squatter(baseUrl)]) {
      expect(await isOurService({ ...file, base_url })).toBe(false)
      expect(sent).toHaveLength(1)
      expect(sent.join()).not.toContain(file.session_token)
    }
    await expect(isOurService({ ...file, base_url: 'http://127.0.0.1:9' })).rejects.toThrow()
  })

  test('gets no token of "npm run pair", and "doctor" says what it is', async () => {
    const { sent, base_url } = await squatter()
    const printed = takePrinted()
    opened.push({ close: printed.restore })
    expect(await doctor(['--data-dir', service.dataDir])).toBe(0)
    expect(await pair(['--data-dir', service.dataDir])).toBe(0)
    const { file } = service
    writeServiceFile(service.dataDir, { ...file, base_url })
    opened.push({ close: () => writeServiceFile(service.dataDir, file) })
    expect(await pair(['--data-dir', service.dataDir])).toBe(1)
    expect(await doctor(['--data-dir', service.dataDir])).toBe(1)
    expect(printed.text()).toContain('nothing was sent to it')
    expect(printed.text()).toContain('another program has taken the port')
    expect(sent).toHaveLength(2)
    for (const request of sent) expect(request).not.toMatch(/authorization|as[yn]_/i)
  })

  test('learns nothing from the question: every key is answered alike, known or not', async () => {
    const { file, client } = service
    const nonce = 'n'.repeat(32)
    const host = new URL(file.base_url).host
    const proofOf = async (key?: string) => (await client.call('proveIdentity', { query: { nonce, ...(key ? { key } : {}) } })).proof
    expect(await proofOf(file.api_key.slice(0, 10))).toBe(identityProof(hashToken(file.api_key), host, nonce))
    expect(await proofOf('asy_nobody')).toMatch(/^[0-9a-f]{64}$/)
    expect(await proofOf('asy_nobody')).toBe(await proofOf('asy_no_one'))
    const { key, id } = await client.call('createApiKey', { body: { name: 'k', scopes: ['runs:read'] } })
    expect(await proofOf(key.slice(0, 10))).toBe(identityProof(hashToken(key), host, nonce))
    await client.call('revokeApiKey', { params: { key_id: id } })
    expect(await proofOf(key.slice(0, 10))).toBe(await proofOf('asy_nobody'))
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
    // A line of one's own in a log is worth a try: in the path, in a header, in the request id.
    const forged = '%0A{"level":60,"msg":"forged"}'
    const headers = { 'user-agent': forged, 'x-request-id': forged, 'idempotency-key': forged }
    for (const path of [`/v1/runs/${forged}`, `/v1/${forged}`, `/${forged}`]) await (await service.fetch(path, { headers })).text()
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
    expect(lines.filter(line => line['msg'] === 'request')).toHaveLength(4)
    expect(text).not.toContain('forged')
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

  test('slows guessing after ten wrong codes and still accepts a right one', async () => {
    const service = await start()
    const { code } = await service.client.call('createPairingCode', {})
    const stranger = clientFor(service.baseUrl, 'none', service.workspaceId)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await stranger.refusal('pair', { body: { code: `WRONG${i}` } })).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses[10]).toBe(429)
    expect((await stranger.call('pair', { body: { code } })).principal).toBe('session')
  })

  test('a key may not print codes', async () => {
    const service = await start()
    expect(await service.keyClient.refusal('createPairingCode', {})).toMatchObject({ status: 403, code: 'owner_session_required' })
  })
})
