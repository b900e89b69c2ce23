import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const create = (name: string, more: { public_key?: string } = {}) =>
  service.client.call('createNamespace', { body: { name, title: 'A namespace', ...more } })
const refused = async (name: string, more: { public_key?: string } = {}) => {
  const { status, code, message } = await service.client.refusal('createNamespace', { body: { name, title: 'A namespace', ...more } })
  return { status, code, message }
}

describe('a namespace', () => {
  test('is registered with the fingerprint of its key and listed newest first, page by page', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const made = await create('acme-research', { public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString() })
    const fingerprint = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex')
    expect(made).toMatchObject({ name: 'acme-research', verification: 'key_registered', key_fingerprint: fingerprint, packages: 0 })
    expect(await create('blue-harbour')).toMatchObject({ verification: 'none', key_fingerprint: null })
    const first = await service.client.call('listNamespaces', { query: { limit: 1 } })
    const second = await service.client.call('listNamespaces', { query: { limit: 1, cursor: first.next_cursor ?? '' } })
    expect([...first.items, ...second.items].map(({ name }) => name).sort()).toEqual(['acme-research', 'blue-harbour'])
    expect(second.next_cursor).toBeNull()
  })

  test.each(['acmeresearch', 'acme-re-search', 'acrne-research'])('called %s is taken by one that reads the same', async name => {
    expect(await refused(name)).toMatchObject({ status: 409, code: 'conflict' })
  })

  test.each([['assay'], ['local'], ['openal'], ['openai-'], ['anthropics'], ['ab'], ['Acme'], ['acme_labs'], ['acme--labs'], ['1acme']])(
    'called %s is refused',
    async name => {
      expect(await refused(name)).toMatchObject({ status: 422, code: 'validation_error' })
    },
  )

  test('has its key confirmed by an owner who knows the right fingerprint, and by nobody else', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const { key_fingerprint: right } = await create('green-valley', { public_key: pem })
    const params = { name: 'green-valley' }
    const body = { key_fingerprint: right ?? '' }
    expect(await service.keyClient.refusal('confirmNamespaceKey', { params, body })).toMatchObject({ code: 'owner_session_required' })
    const wrong = { key_fingerprint: '0'.repeat(64) }
    expect(await service.client.refusal('confirmNamespaceKey', { params, body: wrong })).toMatchObject({ status: 422 })
    expect((await service.client.call('confirmNamespaceKey', { params, body })).verification).toBe('key_confirmed')
    const { items } = await service.client.call('listNamespaces', {})
    expect(items).toContainEqual(expect.objectContaining({ name: 'green-valley', verification: 'key_confirmed' }))
    await create('no-key-here')
    expect(await service.client.refusal('confirmNamespaceKey', { params: { name: 'no-key-here' }, body })).toMatchObject({
      code: 'conflict',
    })
    expect(await service.client.refusal('confirmNamespaceKey', { params: { name: 'never-seen' }, body })).toMatchObject({
      code: 'not_found',
    })
  })

  test('takes Ed25519 keys alone', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const public_key of [rsa, 'not a key', ''])
      expect(await refused('green-harbour', { public_key })).toMatchObject({
        status: 422,
        message: expect.stringContaining('Ed25519') as unknown,
      })
  })

  test('of another workspace is neither listed nor named when it is taken', async () => {
    const { id } = await service.client.call('createWorkspace', { body: { name: 'Other' } })
    const headers = { ...service.client.headers, 'x-workspace-id': id }
    const list = await fetch(`${service.baseUrl}/v1/creator/namespaces`, { headers })
    expect(await list.json()).toEqual({ items: [], next_cursor: null })
    const reply = await fetch(`${service.baseUrl}/v1/creator/namespaces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'acme-research', title: 'Mine' }),
    })
    const text = await reply.text()
    expect(reply.status).toBe(409)
    expect(text).not.toContain(service.workspaceId)
  })

  test('is one of at most 20 in a workspace', async () => {
    const { items } = await service.client.call('listNamespaces', { query: { limit: 100 } })
    for (let i = items.length; i < 20; i++) await create(`team-${'abcdefghijkmnopqrstuvwxyz'[i] ?? ''}x`)
    expect(await refused('one-too-many')).toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining('20') as unknown,
    })
  })
})
