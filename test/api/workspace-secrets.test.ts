import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/service/doctor/index.ts'
import { startAgentServer } from '../journeys/model-server/agent-server.ts'
import { backUpOnline } from '../support/backups.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Planted wherever a secret can go; each is looked for in everything that is written. */
const canaries = {
  connectionKey: 'sk-canary-connection-key-0001',
  replacedKey: 'sk-canary-replaced-key-0002',
  headerValue: 'canary-header-value-0003',
  feedbackKey: 'sk-canary-feedback-0004',
  feedbackBearer: 'canary.feedback.bearer-0005',
  brokenBody: 'sk-canary-broken-body-0006',
  refusedField: 'sk-canary-refused-field-0007',
  queryToken: 'asy_canaryquerytoken0008',
  wrongToken: 'asy_canarywrongtoken0009',
  wrongCode: 'CANARYCODE10',
  agentKey: 'sk-canary-agent-0011',
  addressKey: 'sk-canary-address-0012',
  addressPassword: 'canary-address-password-0013',
  discoveredKey: 'sk-canary-discovered-0014',
  identityNonce: 'canary-identity-nonce-0015',
} as const

let service: TestService
let echo: Server
let echoUrl: string
/** Whether the model server refuses its callers, in words that repeat what they sent. */
let refusing = false
/** Tokens that the service itself has made. */
const issued: string[] = []

beforeAll(async () => {
  echo = createServer((request, response) => {
    request.resume().on('end', () => {
      const said = `You sent ${request.headers.authorization} and ${String(request.headers['x-extra'])}`
      response.writeHead(refusing ? 401 : 200, { 'content-type': 'application/json' })
      response.end(
        refusing
          ? JSON.stringify({ error: { message: `Incorrect API key provided. ${said}` } })
          : JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: `${said} #### 1` }, finish_reason: 'stop' }] }),
      )
    })
  })
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
  echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1` // a TCP server has such an address
  service = await startTestService({ logLevel: 'debug' })
})
afterAll(async () => {
  await service.close()
  await new Promise(resolve => echo.close(resolve))
})

/** Every byte under the data folder but the two files that are there to hold credentials. */
function written(): { path: string; bytes: Buffer }[] {
  return readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !['service.json', 'secret.key'].includes(relative(service.dataDir, path)))
    .map(path => ({ path: relative(service.dataDir, path), bytes: readFileSync(path) }))
}

function leaksIn(files: readonly { path: string; bytes: Buffer }[], secrets: readonly string[]): string[] {
  return files.flatMap(({ path, bytes }) =>
    secrets.flatMap(secret =>
      [secret, Buffer.from(secret).toString('base64').replaceAll('=', ''), Buffer.from(secret).toString('hex')].some(form =>
        bytes.includes(form),
      )
        ? [`${path}: ${secret}`]
        : [],
    ),
  )
}

const raw = async (path: string, init: RequestInit = {}) => (await service.fetch(path, init)).text()

/** What a request that must be carried out answers. */
async function answer(path: string, init: RequestInit = {}): Promise<string> {
  const reply = await service.fetch(path, init)
  const text = await reply.text()
  expect({ path, status: reply.status, text: reply.ok ? '' : text }).toMatchObject({ path, text: '' })
  return text
}

describe('secrets', () => {
  const answers: string[] = []

  test('are planted', async () => {
    const { client } = service
    const json = { 'content-type': 'application/json' }
    const connection = await client.call('createConnection', {
      body: { name: 'echo', base_url: echoUrl, model: 'm', api_key: canaries.replacedKey, headers: { 'x-extra': canaries.headerValue } },
      headers: { 'idempotency-key': 'plant' },
    })
    answers.push(JSON.stringify(connection))
    await client.call('updateConnection', { params: { connection_id: connection.id }, body: { api_key: canaries.connectionKey } })
    refusing = true
    answers.push(await answer(`/v1/connections/${connection.id}/check`, { method: 'POST' }))
    refusing = false
    await client.call('checkConnection', { params: { connection_id: connection.id } })
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 3, seed: 1 },
    })
    refusing = true
    const run = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
    refusing = false
    for (const format of ['json', 'csv', 'html']) answers.push(await answer(`/v1/runs/${run.id}/export?format=${format}`))
    // The same run with a server that lets its callers in, and says what they sent.
    const { id: okId } = await submit(client, quoteId, 'let in', 'let-in')
    const stream = answer(`/v1/runs/${okId}/events`)
    const ok = await runToEnd(client, service.baseUrl, okId)
    answers.push(await stream, await answer(`/v1/runs/${okId}/results`), await answer(`/v1/runs/${okId}/samples`))
    expect(ok.progress.scored).toBe(3)
    for (const format of ['json', 'csv', 'html']) answers.push(await answer(`/v1/runs/${okId}/export?format=${format}`))

    const agent = await startAgentServer({ binding: 'JSONRPC', key: canaries.agentKey, says: text => `${canaries.agentKey} ${text}` })
    const agentConnection = await client.call('createConnection', {
      body: { kind: 'agent_to_agent', name: 'agent', agent_card_url: agent.cardUrl, api_key: canaries.agentKey },
    })
    answers.push(JSON.stringify(agentConnection), await answer(`/v1/connections/${agentConnection.id}/check`, { method: 'POST' }))
    const { id: agentQuote } = await quote(client, {
      model: { kind: 'connection', connection_id: agentConnection.id },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    const asked = await runToEnd(client, service.baseUrl, (await submit(client, agentQuote)).id)
    answers.push(await answer(`/v1/runs/${asked.id}/export?format=json`))
    await agent.close()

    // Where a key does not belong, it is refused without being repeated.
    for (const base_url of [
      `http://me:${canaries.addressPassword}@127.0.0.1:29999/v1`,
      `http://127.0.0.1:29999/v1?api_key=${canaries.addressKey}`,
    ])
      answers.push(
        await raw('/v1/connections', { method: 'POST', headers: json, body: JSON.stringify({ name: 'x', base_url, model: 'm' }) }),
      )
    answers.push(
      await raw('/v1/connections/discover', { method: 'POST', headers: json, body: JSON.stringify({ api_key: canaries.discoveredKey }) }),
      await answer('/v1/connections/presets'),
      await answer('/v1/network-log'),
      await answer(`/v1/identity?nonce=${canaries.identityNonce}`),
    )
    const samples = await client.call('listSamples', { params: { run_id: run.id } })
    for (const { id } of samples.items) answers.push(await answer(`/v1/runs/${run.id}/samples/${id}`))

    answers.push(
      await answer('/v1/feedback', {
        method: 'POST',
        headers: { ...json, 'user-agent': `agent/${canaries.feedbackKey}` },
        body: JSON.stringify({
          kind: 'bug',
          severity: 'blocker',
          summary: `with ${canaries.feedbackKey}`,
          details: `Authorization: Bearer ${canaries.feedbackBearer}`,
          attempted: { path: `/v1/runs/${canaries.feedbackKey}?api_key=${canaries.feedbackKey}` },
        }),
      }),
    )
    answers.push(await answer('/v1/feedback'))
    await raw('/v1/quotes', { method: 'POST', headers: json, body: `{"a": "${canaries.brokenBody}` })
    await raw('/v1/quotes', { method: 'POST', headers: json, body: JSON.stringify({ [canaries.refusedField]: canaries.refusedField }) })
    await raw(`/v1/runs?token=${canaries.queryToken}`)
    await raw('/v1/runs', { headers: { authorization: `Bearer ${canaries.wrongToken}` } })
    await raw('/v1/sessions/pair', { method: 'POST', headers: json, body: JSON.stringify({ code: canaries.wrongCode }) })

    const headers = { 'idempotency-key': 'once' }
    const key = await client.call('createApiKey', { body: { name: 'k', scopes: ['runs:read'] }, headers })
    const rolled = await client.call('rollApiKey', { params: { key_id: key.id }, body: { overlap: '1h' }, headers })
    const invited = await client.call('inviteMember', { body: { name: 'm' }, headers })
    issued.push(
      key.key,
      rolled.key,
      invited.pairing_code.code,
      invited.pairing_code.code.replace('-', ''),
      service.file.api_key,
      service.file.session_token,
    )
    // What was remembered under the keys is the very answer, though nothing on the disk shows it.
    expect(await client.call('createApiKey', { body: { name: 'k', scopes: ['runs:read'] }, headers })).toEqual(key)
    answers.push(
      await answer('/v1/api-keys'),
      await answer('/v1/connections'),
      await answer('/v1/billing/ledger.csv'),
      await answer('/v1/openapi.json'),
      await answer('/docs/feedback'),
    )
  })

  test('are in nothing that was answered later', () => {
    expect(answers.length).toBeGreaterThan(10)
    const asFiles = answers.map((text, i) => ({ path: `answer ${i}`, bytes: Buffer.from(text) }))
    expect(leaksIn(asFiles, [...Object.values(canaries), ...issued])).toEqual([])
  })

  test('are in no file: database, log of changes, log, exports, backups', async () => {
    const { backup } = examine({ dataDir: service.dataDir, backup: true, now: new Date() })
    expect(backup).not.toBeNull()
    await backUpOnline(service.client)
    const running = written()
    const names = running.map(file => file.path)
    expect(names).toEqual(expect.arrayContaining(['assay.db', 'assay.db-wal']))
    expect(leaksIn(running, [...Object.values(canaries), ...issued])).toEqual([])
    // Stopping flushes the log and folds the log of changes into the database.
    await service.restart()
    const stopped = written()
    expect(stopped.find(file => file.path === join('logs', 'service.log'))?.bytes.length).toBeGreaterThan(1000)
    expect(stopped.some(file => file.path.startsWith('backups'))).toBe(true)
    expect(stopped.some(file => file.path.startsWith('exports'))).toBe(true)
    expect(leaksIn(stopped, [...Object.values(canaries), ...issued])).toEqual([])
  })

  test('would be found: the search sees what is there', () => {
    expect(leaksIn([{ path: 'x', bytes: Buffer.from(`a${canaries.connectionKey}b`) }], [canaries.connectionKey])).toHaveLength(1)
    expect(
      leaksIn([{ path: 'x', bytes: Buffer.from(Buffer.from(canaries.connectionKey).toString('base64')) }], [canaries.connectionKey]),
    ).toHaveLength(1)
    expect(leaksIn(written(), ['arithmetic-word-problems'])).not.toEqual([])
  })
})

test('a stored key typed into a report is recognized by value in any form, base64 included', async () => {
  const odd = 'Zw9-plain-looking-value-77'
  const body = {
    name: 'odd key',
    base_url: 'http://127.0.0.1:29998/v1',
    model: 'm',
    api_key: odd,
    headers: { 'x-team': 'mellow-orchard-evening-03' },
  }
  await service.client.call('createConnection', { body })
  const summary = `It said ${odd} and mellow-orchard-evening-03 and ${Buffer.from(`u:${odd}`).toString('base64')}`
  const { feedback_id } = await service.client.call('sendFeedback', { body: { kind: 'bug', severity: 'degraded', summary, details: odd } })
  const stored = await service.client.call('getFeedback', { params: { feedback_id } })
  expect(stored.summary).toMatch(/^It said \[removed\] and \[removed\] and \S{0,8}\[removed\]\S{0,4}$/)
  expect(stored.details).toBe('[removed]')
  const note = `declined because of ${odd}`
  const declined = { params: { feedback_id }, body: { status: 'declined' as const, resolution_note: note } }
  expect((await service.client.call('triageFeedback', declined)).resolution_note).toBe('declined because of [removed]')
})

test('stored secrets are removed from every name that people type', async () => {
  const { client } = service
  const typed = `nightly with ${canaries.connectionKey}`
  const clean = 'nightly with [removed]'
  expect(await client.call('createApiKey', { body: { name: typed, scopes: ['runs:read'] } })).toMatchObject({ name: clean })
  expect(await client.call('inviteMember', { body: { name: typed } })).toMatchObject({ member: { name: clean } })
  expect(await client.call('createConnection', { body: { name: typed, base_url: echoUrl, model: 'm' } })).toMatchObject({ name: clean })
  expect(await client.call('createDataset', { body: { name: typed, description: typed, task: 'answer' } })).toMatchObject({
    name: clean,
    description: clean,
  })
  expect(await client.call('createPurchase', { body: { amount_microusd: '1', note: typed } })).toMatchObject({ note: clean })
  const model = { kind: 'managed', route_id: 'assay/first-option' } as const
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id } = await quote(client, { model, profiles: [profile], coverage: { mode: 'sample', sample_count: 1, seed: 1 } })
  const run = await submit(client, id, typed)
  expect(run.name).toBe(clean)
  expect(await client.call('changeRun', { params: { run_id: run.id }, body: { name: `${typed} again` } })).toMatchObject({
    name: `${clean} again`,
  })
})
