import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invitation, Member } from '../../src/contract/workspace/workspace.schemas.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Signs a browser in; answers its session token. */
async function pair(code: string): Promise<string> {
  const reply = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  expect(reply.status).toBe(200)
  await reply.text()
  return /assay_session=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''
}

async function join(client: TestClient, name: string, role: Member['role'], workspaceId = service.workspaceId) {
  const { member, pairing_code }: Invitation = await client.call('inviteMember', { body: { name, role } })
  const token = await pair(pairing_code.code)
  return { member, token, client: clientFor(service.baseUrl, token, workspaceId) }
}

describe('workspaces', () => {
  test('are made by people, renamed by their owners, and listed for who belongs to them', async () => {
    const made = await service.client.call('createWorkspace', { body: { name: ' Second ' } })
    expect(made).toMatchObject({ name: 'Second', role: 'owner' })
    const inside = clientFor(service.baseUrl, service.file.session_token, made.id)
    expect(await inside.call('getWallet', {})).toMatchObject({ balance_microusd: '0' })
    expect(await inside.call('renameWorkspace', { params: { workspace_id: made.id }, body: { name: 'Two' } })).toMatchObject({
      id: made.id,
      name: 'Two',
    })
    const { items } = await service.client.call('listWorkspaces', {})
    expect(items.map(({ id, name }) => ({ id, name }))).toEqual([
      { id: service.workspaceId, name: 'My workspace' },
      { id: made.id, name: 'Two' },
    ])
    expect((await service.keyClient.call('listWorkspaces', {})).items.map(({ id, role }) => ({ id, role }))).toEqual([
      { id: service.workspaceId, role: null },
    ])
    // The header says in which workspace one acts; another's id is unknown there.
    expect(await service.client.refusal('renameWorkspace', { params: { workspace_id: made.id }, body: { name: 'x' } })).toMatchObject({
      status: 404,
    })
    expect(await service.keyClient.refusal('createWorkspace', { body: { name: 'x' } })).toMatchObject({
      status: 403,
      code: 'human_approval_required',
    })
  })

  test('after a restart the first one is still the service’s own', async () => {
    const before = service.workspaceId
    await service.restart()
    expect(service.file.workspace_id).toBe(before)
  })
})

describe('members', () => {
  test('are invited by a code that works once, and are active from then on', async () => {
    const { member, pairing_code } = await service.client.call('inviteMember', { body: { name: 'Ada' } })
    expect(member).toMatchObject({ name: 'Ada', role: 'member', status: 'invited' })
    const token = await pair(pairing_code.code)
    const ada = clientFor(service.baseUrl, token, service.workspaceId)
    expect(await ada.call('getMe', {})).toMatchObject({ principal: 'session', name: 'Ada', role: 'member' })
    const { items } = await service.client.call('listMembers', {})
    expect(items.map(({ name, role, status }) => ({ name, role, status }))).toEqual([
      { name: 'Owner', role: 'owner', status: 'active' },
      { name: 'Ada', role: 'member', status: 'active' },
    ])
    const again = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: pairing_code.code }),
    })
    expect(again.status).toBe(401)
    await again.text()
  })

  test('keep their codes when others are invited', async () => {
    const first = await service.client.call('inviteMember', { body: { name: 'One' } })
    const second = await service.client.call('inviteMember', { body: { name: 'Two' } })
    const renewed = await service.client.call('createMemberPairingCode', { params: { member_id: second.member.id } })
    expect(await pair(first.pairing_code.code)).toMatch(/^asn_/)
    const old = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: second.pairing_code.code }),
    })
    expect(old.status).toBe(401)
    await old.text()
    expect(await pair(renewed.code)).toMatch(/^asn_/)
  })

  test('may not administer: keys, members, wallet, name', async () => {
    const { client } = await join(service.client, 'Plain', 'member')
    const refusals = [
      client.refusal('createApiKey', { body: { name: 'x', scopes: ['runs:read'] } }),
      client.refusal('inviteMember', { body: { name: 'x' } }),
      client.refusal('createPurchase', { body: { amount_microusd: '1' } }),
      client.refusal('renameWorkspace', { params: { workspace_id: service.workspaceId }, body: { name: 'x' } }),
    ]
    for (const refused of await Promise.all(refusals)) expect(refused).toMatchObject({ status: 403, code: 'missing_scope' })
    await client.call('listRuns', {})
    await client.call('listApiKeys', {})
    await client.call('sendFeedback', { body: { kind: 'other', severity: 'nice_to_have', summary: 'from a member' } })
    const { items } = await client.call('listFeedback', {})
    const triage = await client.refusal('triageFeedback', {
      params: { feedback_id: items[0]?.feedback_id ?? '' },
      body: { status: 'triaged' },
    })
    expect(triage).toMatchObject({ status: 403, code: 'owner_session_required' })
  })

  test('admins set ceilings and manage members, but nothing that concerns owners or the wallet', async () => {
    const admin = await join(service.client, 'Admin', 'admin')
    const key = await admin.client.call('createApiKey', { body: { name: 'by admin', scopes: ['runs:read'], ceiling_microusd: '5' } })
    await admin.client.call('setKeyCeiling', { params: { key_id: key.id }, body: { ceiling_microusd: null } })
    const { member } = await join(admin.client, 'Made by admin', 'member')
    expect(await admin.client.call('setMemberRole', { params: { member_id: member.id }, body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    })
    const owner = (await service.client.call('listMembers', {})).items.find(item => item.role === 'owner')?.id ?? ''
    const refusals = [
      admin.client.refusal('inviteMember', { body: { name: 'x', role: 'owner' } }),
      admin.client.refusal('setMemberRole', { params: { member_id: member.id }, body: { role: 'owner' } }),
      admin.client.refusal('setMemberRole', { params: { member_id: owner }, body: { role: 'member' } }),
      admin.client.refusal('removeMember', { params: { member_id: owner } }),
      admin.client.refusal('createMemberPairingCode', { params: { member_id: owner } }),
      admin.client.refusal('createPurchase', { body: { amount_microusd: '1' } }),
      service.keyClient.refusal('inviteMember', { body: { name: 'x' } }),
      service.keyClient.refusal('removeMember', { params: { member_id: member.id } }),
    ]
    for (const refused of await Promise.all(refusals)) expect(refused).toMatchObject({ status: 403, code: 'owner_session_required' })
  })

  test('lose access with the next request when they are removed, or their rank when it is changed', async () => {
    const { member, token, client } = await join(service.client, 'Leaving', 'admin')
    await client.call('createApiKey', { body: { name: 'while admin', scopes: ['runs:read'] } })
    await service.client.call('setMemberRole', { params: { member_id: member.id }, body: { role: 'member' } })
    expect(await client.refusal('createApiKey', { body: { name: 'x', scopes: ['runs:read'] } })).toMatchObject({ code: 'missing_scope' })
    await service.client.call('removeMember', { params: { member_id: member.id } })
    expect(await client.refusal('listRuns', {})).toMatchObject({ status: 401 })
    const me = await fetch(`${service.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(401)
    await me.text()
    expect(await service.client.refusal('removeMember', { params: { member_id: member.id } })).toMatchObject({ status: 404 })
  })

  test('always have an owner among them', async () => {
    const { items } = await service.client.call('listMembers', { query: { limit: 100 } })
    const owner = items.find(item => item.role === 'owner')?.id ?? ''
    expect(await service.client.refusal('setMemberRole', { params: { member_id: owner }, body: { role: 'admin' } })).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect(await service.client.refusal('removeMember', { params: { member_id: owner } })).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('who belong to another workspace too can be signed in only by this machine’s owner', async () => {
    const { member, client } = await join(service.client, 'Elsewhere', 'member')
    await client.call('createWorkspace', { body: { name: 'Private' } })
    const params = { member_id: member.id }
    const admin = await join(service.client, 'Curious admin', 'admin')
    expect(await admin.client.refusal('createMemberPairingCode', { params })).toMatchObject({ status: 409, code: 'conflict' })
    await service.client.call('removeMember', { params: { member_id: member.id }, query: { owned_workspaces: 'keep' } })
    expect(await client.refusal('listWorkspaces', {})).toMatchObject({ status: 401 })
    expect(await admin.client.refusal('createMemberPairingCode', { params })).toMatchObject({ status: 404 })
    const person = { body: { person_id: member.id } }
    expect(await admin.client.refusal('createPersonPairingCode', person)).toMatchObject({ status: 403 })
    const { code } = await service.client.call('createPersonPairingCode', person)
    const back = clientFor(service.baseUrl, await pair(code), service.workspaceId)
    expect((await back.call('listWorkspaces', {})).items.map(({ name }) => name)).toEqual(['Private'])
  })

  test('are signed out everywhere when they are removed, and their own workspaces are kept or handed over', async () => {
    const { member, client } = await join(service.client, 'Founder', 'member')
    await client.call('createWorkspace', { body: { name: 'Orphan' } })
    const remove = (owned_workspaces?: 'keep' | 'transfer') => ({
      params: { member_id: member.id },
      ...(owned_workspaces && { query: { owned_workspaces } }),
    })
    const asked = await service.client.refusal('removeMember', remove())
    expect(asked).toMatchObject({ status: 409, code: 'conflict' })
    expect(asked.message).toContain('"Orphan"')
    await client.call('listWorkspaces', {})
    await service.client.call('removeMember', remove('transfer'))
    expect(await client.refusal('listWorkspaces', {})).toMatchObject({ status: 401 })
    const mine = (await service.client.call('listWorkspaces', {})).items.find(({ name }) => name === 'Orphan')
    expect(mine).toMatchObject({ role: 'owner' })
  })

  test('removed by someone other than the machine’s owner keep their workspaces, whose names stay hidden', async () => {
    const admin = await join(service.client, 'Removing admin', 'admin')
    const { member, client } = await join(service.client, 'Removed founder', 'member')
    await client.call('createWorkspace', { body: { name: 'Hidden' } })
    const params = { member_id: member.id }
    const taken = await admin.client.refusal('removeMember', { params, query: { owned_workspaces: 'transfer' } })
    expect(taken).toMatchObject({ status: 403, code: 'owner_session_required' })
    await admin.client.call('removeMember', { params })
    expect(await client.refusal('listWorkspaces', {})).toMatchObject({ status: 401 })
    expect((await admin.client.call('listWorkspaces', {})).items.map(({ name }) => name)).not.toContain('Hidden')
  })

  test('are invited once per Idempotency-Key, with the same code', async () => {
    const headers = { 'idempotency-key': 'invite-once' }
    const first = await service.client.call('inviteMember', { body: { name: 'Twice' }, headers })
    expect(await service.client.call('inviteMember', { body: { name: 'Twice' }, headers })).toEqual(first)
  })
})

describe('this machine', () => {
  const machineWide = (client: TestClient) => [
    client.refusal('startBackup', {}),
    client.refusal('checkBackup', { params: { backup_name: 'no-such-backup.db' } }),
    client.refusal('restoreBackup', { params: { backup_name: 'no-such-backup.db' } }),
    client.refusal('setBackupSchedule', { body: { every: 'weekly', keep: 1 } }),
    client.refusal('compactStorage', {}),
    client.refusal('clearCache', {}),
    client.refusal('examineStorage', {}),
    client.refusal('setInstallation', { body: { workspace_creation: 'everyone' } }),
  ]

  test('belongs to its owner, not to owners of workspaces or keys', async () => {
    const { token, client } = await join(service.client, 'Guest', 'member')
    const { id } = await client.call('createWorkspace', { body: { name: 'Of a guest' } })
    const inside = clientFor(service.baseUrl, token, id)
    const { key } = await inside.call('createApiKey', { body: { name: 'wide', scopes: ['workspace:write', 'workspace:read'] } })
    const second = await join(service.client, 'Second owner', 'owner')
    for (const asker of [inside, clientFor(service.baseUrl, key, id), second.client])
      for (const refused of await Promise.all(machineWide(asker)))
        expect(refused).toMatchObject({ status: 403, code: 'owner_session_required' })
    const mine = await service.client.call('getInstallation', {})
    expect(mine).toMatchObject({ owner: { name: 'Owner' }, is_owner: true, workspace_creation: 'everyone', data_folder: service.dataDir })
    expect(await inside.call('getInstallation', {})).toEqual({ ...mine, is_owner: false, data_folder: null })
    await service.client.call('examineStorage', {})
    await service.keyClient.call('examineStorage', {})
  })

  test('lets its owner say who makes workspaces', async () => {
    const { client } = await join(service.client, 'Would-be founder', 'admin')
    await service.client.call('setInstallation', { body: { workspace_creation: 'owner' } })
    expect(await client.refusal('createWorkspace', { body: { name: 'x' } })).toMatchObject({ status: 403, code: 'owner_session_required' })
    await service.client.call('createWorkspace', { body: { name: 'By the owner' } })
    await service.client.call('setInstallation', { body: { workspace_creation: 'everyone' } })
    await client.call('createWorkspace', { body: { name: 'By an admin' } })
  })

  test('keeps its owner despite other workspace owners, also after a restart', async () => {
    const second = await join(service.client, 'Usurper', 'owner')
    const { owner } = await service.client.call('getInstallation', {})
    const params = { member_id: owner.id }
    expect(await second.client.refusal('removeMember', { params })).toMatchObject({ status: 403, code: 'owner_session_required' })
    expect(await second.client.refusal('setMemberRole', { params, body: { role: 'member' } })).toMatchObject({ status: 403 })
    await service.restart()
    expect((await service.client.call('getInstallation', {})).owner).toEqual(owner)
    expect((await service.client.call('getMe', {})).name).toBe('Owner')
  })
})

describe('sessions', () => {
  test('are listed and signed out by the person they belong to', async () => {
    const { token, client } = await join(service.client, 'Two browsers', 'member')
    const second = await service.client.call('inviteMember', { body: { name: 'Other' } })
    const stranger = clientFor(service.baseUrl, await pair(second.pairing_code.code), service.workspaceId)
    const code = await service.client.call('createMemberPairingCode', {
      params: {
        member_id:
          (await service.client.call('listMembers', { query: { limit: 100 } })).items.find(m => m.name === 'Two browsers')?.id ?? '',
      },
    })
    const other = clientFor(service.baseUrl, await pair(code.code), service.workspaceId)

    const { items } = await client.call('listSessions', {})
    expect(items.map(({ kind, current }) => ({ kind, current }))).toEqual([
      { kind: 'browser', current: false },
      { kind: 'browser', current: true },
    ])
    const target = items.find(session => !session.current)?.id ?? ''
    expect(await stranger.refusal('endSession', { params: { session_id: target } })).toMatchObject({ status: 404, code: 'not_found' })
    await client.call('endSession', { params: { session_id: target } })
    expect(await other.refusal('listSessions', {})).toMatchObject({ status: 401 })
    expect((await client.call('listSessions', {})).items).toHaveLength(1)
    expect(await client.refusal('endSession', { params: { session_id: target } })).toMatchObject({ status: 404 })
    expect(token).toMatch(/^asn_/)
  })

  test('are nothing for keys', async () => {
    expect(await service.keyClient.refusal('listSessions', {})).toMatchObject({ status: 403, code: 'human_approval_required' })
  })
})
