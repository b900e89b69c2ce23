import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHeadlessHost } from '../../src/headless/host.ts'
import type { Service } from '../../src/service/config.ts'
import { createService } from '../../src/service/create-service.ts'
import type { SecretBox } from '../../src/service/host.ts'
import { prepareData } from '../support/prepared-data.ts'
import { clientFor, temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
let service: Service
/** What happens before the next key is encrypted, once. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  prepareData(folder.path)
  const host = createHeadlessHost(folder.path)
  const secrets: SecretBox = {
    ...host.secrets,
    encrypt: async (plain, place) => {
      const now = meanwhile
      meanwhile = null
      await now?.()
      return host.secrets.encrypt(plain, place)
    },
  }
  const config = { dataDir: folder.path, port: 0, portMayMove: false, rendererDir: null, logLevel: 'warn' as const }
  service = await createService(config, { ...host, secrets })
})
afterAll(async () => {
  await service.close()
  folder.remove()
})

test('a key that is deleted or replaced while it is copied is in no copy', async () => {
  const client = clientFor(service.baseUrl, service.sessionToken, service.workspaceId)
  const body = { name: 'holder', base_url: 'http://127.0.0.1:59998/v1', model: 'm', api_key: 'sk-first' }
  const { id } = await client.call('createConnection', { body })
  const params = { connection_id: id }
  const copy = { name: 'copy', base_url: body.base_url, model: 'other', credentials_from: id }
  meanwhile = () => client.call('updateConnection', { params, body: { api_key: 'sk-second' } })
  expect(await client.refusal('createConnection', { body: copy })).toMatchObject({ code: 'conflict' })
  meanwhile = () => client.call('disableConnection', { params })
  expect(await client.refusal('createConnection', { body: copy })).toMatchObject({ code: 'validation_error' })
  const { items } = await client.call('listConnections', {})
  expect(items.map(one => one.name)).toEqual(['holder'])
})
