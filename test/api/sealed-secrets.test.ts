import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { sealFormerly } from '../support/former-secrets.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

/** What an endpoint was sent as credentials, per endpoint. */
const received = { own: [] as string[], other: [] as string[] }

async function endpoint(keys: string[]) {
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization ?? 'none')
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise(resolve => server.close(resolve)) }
}

let service: TestService
let own: Awaited<ReturnType<typeof endpoint>>
let other: Awaited<ReturnType<typeof endpoint>>

beforeAll(async () => {
  own = await endpoint(received.own)
  other = await endpoint(received.other)
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  await Promise.all([own.close(), other.close()])
})
beforeEach(() => {
  received.own.length = 0
  received.other.length = 0
})

const connect = async (apiKey: string, base = own.url) =>
  (await service.client.call('createConnection', { body: { name: apiKey, base_url: `${base}/v1`, model: 'm', api_key: apiKey } })).id
const ask = (id: string) => ({ params: { connection_id: id }, body: { prompt: 'Yes?' } })
/** Edits the database while no service has it open, and starts the service again. */
const edit = (change: (db: Database) => void) =>
  service.restart(() => {
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    change(db)
    db.close()
  })

async function refuses(id: string): Promise<void> {
  const refusal = await service.client.refusal('tryConnection', ask(id))
  expect(refusal).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Enter the key again') })
  expect(received).toEqual({ own: [], other: [] })
}

describe('a stored key', () => {
  test('is not decrypted in the row of another connection, and works again once it is entered again', async () => {
    const [from, into] = [await connect('sk-of-another'), await connect('sk-own')]
    await edit(db =>
      db.prepare('update connections set secret = (select secret from connections where id = ?) where id = ?').run(from, into),
    )
    await refuses(into)
    await service.client.call('updateConnection', { params: { connection_id: into }, body: { api_key: 'sk-again' } })
    await service.client.call('tryConnection', ask(into))
    expect(received.own).toEqual(['Bearer sk-again'])
  })

  test('that is not decrypted is not copied; typing another key makes the copy', async () => {
    const [from, into] = [await connect('sk-of-a-third'), await connect('sk-lost')]
    await edit(db =>
      db.prepare('update connections set secret = (select secret from connections where id = ?) where id = ?').run(from, into),
    )
    const body = { name: 'copy', base_url: `${own.url}/v1`, model: 'm', credentials_from: into }
    expect(await service.client.refusal('createConnection', { body })).toMatchObject({ code: 'unavailable' })
    const { id } = await service.client.call('createConnection', { body: { ...body, api_key: 'sk-typed' } })
    await service.client.call('tryConnection', ask(id))
    expect(received.own).toEqual(['Bearer sk-typed'])
  })

  test('is not sent to an address that the file was given', async () => {
    const id = await connect('sk-for-own')
    await edit(db =>
      db.prepare('update connections set base_url = ?, secret_origin = ? where id = ?').run(`${other.url}/v1`, other.url, id),
    )
    await refuses(id)
  })

  test('is not decrypted in another workspace', async () => {
    const id = await connect('sk-of-here')
    const there = await service.client.call('createWorkspace', { body: { name: 'There' } })
    await edit(db => db.prepare('update connections set workspace_id = ? where id = ?').run(there.id, id))
    const refusal = await clientFor(service.baseUrl, service.file.session_token, there.id).refusal('tryConnection', ask(id))
    expect(refusal.code).toBe('unavailable')
    expect(received.own).toEqual([])
  })

  test('of an earlier version is sealed at the first start, unnoticed; one that is planted later never is', async () => {
    const [known, planted] = [await connect('sk-known'), await connect('sk-planted')]
    const cipherOf = (apiKey: string) => sealFormerly(service.dataDir, JSON.stringify({ api_key: apiKey, headers: {} }))
    const store = (db: Database, id: string, apiKey: string) =>
      db.prepare('update connections set secret = ? where id = ?').run(cipherOf(apiKey), id)
    await edit(db => {
      rmSync(join(service.dataDir, 'secrets-sealed.json'))
      store(db, known, 'sk-known')
    })
    await service.client.call('tryConnection', ask(known))
    expect(received.own.splice(0)).toEqual(['Bearer sk-known'])
    await edit(db => store(db, planted, 'sk-planted'))
    await refuses(planted)
  })

  test('of an earlier version that waits for its key file is sealed once that is back', async () => {
    const id = await connect('sk-waiting')
    await edit(db => {
      rmSync(join(service.dataDir, 'secrets-sealed.json'))
      const cipher = sealFormerly(service.dataDir, JSON.stringify({ api_key: 'sk-waiting', headers: {} }))
      db.prepare('update connections set secret = ? where id = ?').run(cipher, id)
      process.env['ASSAY_SECRET_KEY_FILE'] = join(service.dataDir, 'not-there.key')
    })
    await refuses(id)
    await service.restart(() => {
      delete process.env['ASSAY_SECRET_KEY_FILE']
    })
    await service.client.call('tryConnection', ask(id))
    expect(received.own).toEqual(['Bearer sk-waiting'])
  })
})
