import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { hashToken } from '../../src/service/auth/index.ts'
import { examine } from '../../src/service/doctor/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrations } from '../../src/storage/migrations/migrations.ts'
import { backUpOnline, backupsSettled } from '../support/backups.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { patience } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { prepareData } from '../support/prepared-data.ts'
import { assayHere } from '../support/assay-here.ts'
import { clientFor, startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const opened: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

function dataFolder(): string {
  const folder = temporaryFolder()
  opened.push({ close: folder.remove })
  return folder.path
}

async function start(dataDir: string): Promise<TestService> {
  if (!existsSync(join(dataDir, 'assay.db'))) prepareData(dataDir)
  const service = await startTestService({ dataDir })
  opened.push(service)
  return service
}

const keyNames = async ({ client }: TestService) => (await client.call('listApiKeys', {})).items.map(({ name }) => name).sort()
const makeKey = ({ client }: TestService, name: string) => client.call('createApiKey', { body: { name, scopes: ['runs:read'] } })

/** What the command prints, and its exit code. */
async function command(...args: string[]): Promise<{ code: number | null; said: string }> {
  const { code, out, err } = await assayHere(['restore', ...args])
  return { code, said: (out + err).trimEnd() }
}

describe('a backup over HTTP', () => {
  test('is made while the service works, is listed, and passes the doctor’s examination', async () => {
    const service = await start(dataFolder())
    await makeKey(service, 'kept')
    const name = await backUpOnline(service.client)
    expect(name).toMatch(/^manual-.*\.db$/)
    const elsewhere = dataFolder()
    cpSync(join(service.dataDir, 'backups', name), join(elsewhere, 'assay.db'))
    const { findings } = examine({ dataDir: elsewhere, backup: false, now: new Date() })
    expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  })

  test('ends when it is asked for as the service starts, followed at once by a compaction, while others write', async () => {
    const dataDir = dataFolder()
    prepareData(dataDir)
    const db = openDatabase(join(dataDir, 'assay.db'))
    opened.push(db)
    db.prepare('create table bulk (no integer primary key, text text) strict').run()
    const insert = db.prepare('insert into bulk (text) values (?)')
    const text = 'x'.repeat(100_000)
    const megabytes = Number(process.env['ASSAY_BACKUP_MB'] ?? 30)
    for (let left = megabytes; left > 0; left -= 2) db.transaction(() => Array.from({ length: 20 }, () => insert.run(text)))
    db.prepare('delete from bulk where no % 10 = 0').run()
    // As slow as a large database on a busy machine.
    const began = performance.now()
    const clock = { now: () => new Date(Date.UTC(2026, 10, 29) + Math.round((performance.now() - began) * 100)) }
    const service = await startTestService({ dataDir }, clock)
    opened.push(service)
    const { client } = service
    await client.call('startBackup', {})
    await client.call('compactStorage', {})
    for (;;) {
      insert.run('meanwhile')
      if ((await client.call('listBackups', {})).running === null) break
    }
    await expect.poll(async () => (await client.call('getStorage', {})).compaction?.finished_at ?? null).not.toBeNull()
    const { items, last_failure } = await client.call('listBackups', {})
    expect({ last_failure, kinds: items.map(({ kind }) => kind) }).toEqual({ last_failure: null, kinds: ['manual'] })
    expect(items[0]?.bytes).toBeGreaterThan(megabytes * 900_000)
  })

  test('is begun once for an Idempotency-Key, and by keys with the scope; the schedule is for owners and admins', async () => {
    const service = await start(dataFolder())
    const headers = { 'idempotency-key': 'once' }
    await service.keyClient.call('startBackup', { headers })
    await backupsSettled(service.client)
    await service.keyClient.call('startBackup', { headers })
    expect((await service.client.call('listBackups', {})).running).toBeNull()
    const change = { body: { every: 'weekly' as const } }
    expect(await service.keyClient.refusal('setBackupSchedule', change)).toMatchObject({ status: 403, code: 'owner_session_required' })
    expect((await service.client.call('setBackupSchedule', change)).schedule).toEqual({ every: 'weekly', keep: 7 })
    expect((await service.client.refusal('setBackupSchedule', { body: {} })).status).toBe(422)
  })
})

describe('going back to a backup', () => {
  test('brings everything of that moment back and keeps what was there', async () => {
    const service = await start(dataFolder())
    await makeKey(service, 'before')
    const name = await backUpOnline(service.client)
    await makeKey(service, 'after')
    await service.close()

    expect((await command('--data-dir', service.dataDir)).said).toContain(name)
    const listed = await assayHere(['restore', '--json', '--data-dir', service.dataDir])
    expect(JSON.parse(listed.out)).toEqual({
      backups: [{ name, created_at: expect.any(String), bytes: expect.any(Number), newer: false, has_mac: true }],
    })
    const { code, said } = await command('--data-dir', service.dataDir, '--backup', 'newest')
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(`Restored ${name}`) })
    const replaced = readdirSync(service.dataDir).find(entry => entry.startsWith('replaced-'))
    expect(readdirSync(join(service.dataDir, replaced ?? ''))).toContain('assay.db')

    const again = await start(service.dataDir)
    expect(await keyNames(again)).toEqual(['before', 'local'])
    expect((await again.client.call('getMe', {})).role).toBe('owner')
  })

  test('is refused while a service runs, and for a backup that is absent or damaged; nothing is changed then', async () => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    const args = ['--data-dir', service.dataDir, '--backup'] as const
    expect(await command(...args, name)).toMatchObject({ code: 1, said: expect.stringContaining(service.baseUrl) })
    await service.close()
    const before = readFileSync(join(service.dataDir, 'assay.db'))
    expect((await command(...args, '../../etc/passwd')).code).toBe(1)
    truncateSync(join(service.dataDir, 'backups', name), 50_000)
    expect(await command(...args, name)).toMatchObject({ code: 1, said: expect.stringContaining('is not sound') })
    expect(readFileSync(join(service.dataDir, 'assay.db')).equals(before)).toBe(true)
    expect(existsSync(join(service.dataDir, 'assay.db.restoring'))).toBe(false)
  })
})

describe('going back to a backup while the service runs', () => {
  /** Waits until the restore under way has ended: the service does not answer for a moment in between. */
  async function restored({ client }: TestService) {
    for (;;) {
      const { restore: running, last_restore } = await client.call('listBackups', {}).catch(() => ({ restore: true, last_restore: null }))
      if (running === null && last_restore !== null) return last_restore
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const begin = ({ client }: TestService, name: string, without_proof: 'true' | 'false' = 'false') =>
    client.call('restoreBackup', { params: { backup_name: name }, query: { without_proof } })

  test('brings the data of that moment back at the same address and keeps what it replaced as a backup to go back to', async () => {
    const service = await start(dataFolder())
    const { baseUrl, file } = service
    await makeKey(service, 'before')
    const name = await backUpOnline(service.client)
    await makeKey(service, 'after')
    expect((await begin(service, name)).restore).toMatchObject({ backup: name, step: 'checking' })
    const { kept_as: kept, failure } = await restored(service)
    expect(failure).toBeNull()
    expect(await keyNames(service)).toEqual(['before', 'local'])
    // Clients go on with the address, the key and the session that they have.
    expect(service.baseUrl).toBe(baseUrl)
    expect(service.file).toMatchObject({ api_key: file.api_key, session_token: file.session_token })
    expect((await service.keyClient.call('getMe', {})).name).toBe('local')

    await expect.poll(async () => (await service.client.call('listBackups', {})).checking).toBeNull()
    const { items } = await service.client.call('listBackups', {})
    expect(items.find(item => item.name === kept)).toMatchObject({ kind: 'before_restore', checked_at: expect.any(String), fault: null })
    await begin(service, kept ?? '')
    await expect.poll(() => keyNames(service).catch(() => [])).toEqual(['after', 'before', 'local'])
  })

  test('restores no access revoked since: keys, sessions, former members', async () => {
    const service = await start(dataFolder())
    const { client } = service
    const revoked = await makeKey(service, 'revoked')
    const { member, pairing_code } = await client.call('inviteMember', { body: { name: 'Ada', role: 'admin' } })
    const reply = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: pairing_code.code }),
    })
    const ada = clientFor(service.baseUrl, /asn_[\w-]{43}/.exec(reply.headers.get('set-cookie') ?? '')?.[0] ?? '', service.workspaceId)
    await reply.text()
    expect((await ada.call('getMe', {})).name).toBe('Ada')
    const name = await backUpOnline(client)
    expect((await ada.refusal('restoreBackup', { params: { backup_name: name } })).code).toBe('owner_session_required')
    await client.call('revokeApiKey', { params: { key_id: revoked.id } })
    await client.call('removeMember', { params: { member_id: member.id } })
    await begin(service, name)
    await restored(service)
    const keys = (await client.call('listApiKeys', {})).items
    expect(keys.find(key => key.name === 'revoked')?.revoked_at).not.toBeNull()
    expect((await client.call('listMembers', {})).items.map(({ name: who }) => who)).toEqual(['Owner'])
    expect((await ada.refusal('getMe', {})).status).toBe(401)
  })

  test('keeps the limits of now, and lets nobody in whom an edited file adds', async () => {
    const service = await start(dataFolder())
    const { client } = service
    const limited = await client.call('createApiKey', { body: { name: 'limited', scopes: ['runs:read'], ceiling_microusd: '100' } })
    const body = { name: 'sealed', base_url: 'https://models.example/v1', model: 'm', api_key: 'sk-stored-with-care' }
    const kept = await client.call('createConnection', { body: { ...body, name: 'kept' } })
    const moved = await client.call('createConnection', { body })
    const name = await backUpOnline(client)
    await client.call('setKeyCeiling', { params: { key_id: limited.id }, body: { ceiling_microusd: '1' } })
    const file = openDatabase(join(service.dataDir, 'backups', name))
    const [row] = z.array(z.record(z.string(), z.unknown())).parse([file.prepare('select * from api_keys where id = ?').get(limited.id)])
    const evil = { ...row, id: crypto.randomUUID(), name: 'evil', token_hash: hashToken('asy_evil'), meter_id: null }
    const columns = Object.keys(evil)
    file.prepare(`insert into api_keys (${columns.join()}) values (${columns.map(() => '?').join()})`).run(...Object.values(evil))
    file
      .prepare('update api_keys set scopes = \'["workspace:write"]\', token_hash = ? where id = ?')
      .run(hashToken('asy_taken'), limited.id)
    const [session] = z.array(z.record(z.string(), z.unknown())).parse([file.prepare('select * from sessions').get()])
    const planted = { ...session, id: crypto.randomUUID(), token_hash: hashToken('asn_planted') }
    file
      .prepare(
        `insert into sessions (${Object.keys(planted).join()}) values (${Object.keys(planted)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(planted))
    const elsewhere = 'https://elsewhere.example'
    file.prepare('update connections set base_url = ?, secret_origin = ? where id = ?').run(`${elsewhere}/v1`, elsewhere, moved.id)
    file.close()
    await begin(service, name)
    await expect.poll(() => restored(service)).toMatchObject({ failure: expect.stringContaining('does not match its MAC') })
    expect((await client.call('listBackups', {})).items.find(item => item.name === name)?.proof).toBe('different')
    await begin(service, name, 'true')
    await expect.poll(() => restored(service)).toMatchObject({ backup: name, failure: null })
    const keys = (await client.call('listApiKeys', {})).items
    expect(keys.find(key => key.id === limited.id)).toMatchObject({ ceiling_microusd: '1', scopes: ['runs:read'], status: 'active' })
    expect(keys.find(key => key.name === 'evil')?.status).toBe('revoked')
    for (const token of ['asy_evil', 'asy_taken', 'asn_planted'])
      expect((await clientFor(service.baseUrl, token, service.workspaceId).refusal('getMe', {})).status).toBe(401)
    expect((await clientFor(service.baseUrl, limited.key, service.workspaceId).call('getMe', {})).name).toBe('limited')
    const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
    const secretOf = (id: string) => db.prepare('select secret from connections where id = ?').pluck().get(id)
    expect([secretOf(kept.id) === null, secretOf(moved.id) === null]).toEqual([false, true])
    db.close()
  })

  test('begins nothing again that was paused, disabled or deleted since, and keeps the limits and rules of now', async () => {
    const service = await start(dataFolder())
    const { client } = service
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const schedule = (name: string) =>
      client.call('createSchedule', {
        body: {
          name,
          cron: '0 0 1 1 *',
          terms: {
            models: [{ kind: 'managed', route_id: 'assay/oracle-75' }],
            selection: { profile_ids: [profile] },
            coverage: { mode: 'sample', sample_count: 3, seed: 1 },
            max_charge_microusd: '0',
          },
          max_monthly_microusd: '5000',
        },
      })
    const [kept, paused] = [await schedule('kept'), await schedule('paused')]
    const hook = (name: string) => client.call('createWebhook', { body: { name, url: 'https://hooks.example/x' } })
    const [live, disabled, deleted] = [await hook('live'), await hook('disabled'), await hook('deleted')]
    const rates = (rate: string) => ({ input_microusd_per_million: rate, output_microusd_per_million: rate })
    const body = { name: 'priced', base_url: 'https://models.example/v1', model: 'm', rates: rates('1') }
    const [priced, off] = [await client.call('createConnection', { body }), await client.call('createConnection', { body })]
    await client.call('changeRetention', { body: { kind: 'traces', max_age_days: 1, max_items: null } })
    const name = await backUpOnline(client)

    await client.call('changeSchedule', { params: { schedule_id: paused.id }, body: { status: 'paused' } })
    await client.call('changeSchedule', { params: { schedule_id: kept.id }, body: { max_monthly_microusd: '7' } })
    await client.call('changeWebhook', { params: { webhook_id: disabled.id }, body: { status: 'disabled' } })
    await client.call('deleteWebhook', { params: { webhook_id: deleted.id } })
    await client.call('updateConnection', { params: { connection_id: priced.id }, body: { rates: rates('9') } })
    await client.call('disableConnection', { params: { connection_id: off.id } })
    await client.call('changeRetention', { body: { kind: 'traces', max_age_days: null, max_items: null } })
    await begin(service, name)
    expect((await restored(service)).failure).toBeNull()

    const read = (id: string) => service.client.call('getSchedule', { params: { schedule_id: id } })
    expect(await read(kept.id)).toMatchObject({ status: 'active', max_monthly_microusd: '7' })
    expect(await read(paused.id)).toMatchObject({ status: 'paused', next_run_at: null, pause_message: expect.stringContaining('backup') })
    const hooks = new Map((await service.client.call('listWebhooks', {})).items.map(each => [each.id, each.status]))
    expect([live, disabled, deleted].map(({ id }) => hooks.get(id))).toEqual(['active', 'disabled', 'disabled'])
    const { items: connections } = await service.client.call('listConnections', {})
    expect(connections.find(({ id }) => id === priced.id)?.rates).toMatchObject(rates('9'))
    expect(connections.find(({ id }) => id === off.id)?.status).toBe('disabled')
    expect((await service.client.call('listRetention', {})).items[0]).toMatchObject({ kind: 'traces', max_age_days: null })
  })

  test('forgets nothing that keys and schedules spent since, whichever backup is gone back to, and begins no time again that has come', async () => {
    const clock = movingClock(Date.parse('2026-11-03T10:30:00.000Z'))
    const service = await startTestService({}, clock)
    opened.push(service)
    const models = await startModelServer({ answers: () => '#### 13' })
    opened.push({ close: () => models.close() })
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }
    const connection = await service.client.call('createConnection', {
      body: { name: 'priced', base_url: models.baseUrl, model: 'replay', rates },
    })
    await service.client.call('checkConnection', { params: { connection_id: connection.id } })
    const model = { kind: 'connection', connection_id: connection.id } as const
    const profiles = [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')]
    const coverage = { mode: 'sample', sample_count: 3, seed: 1 } as const
    const key = await service.client.call('createApiKey', {
      body: { name: 'spends', scopes: ['quotes:write', 'runs:write', 'runs:read'], provider_ceiling_microusd: '9000000' },
    })
    const schedule = await service.client.call('createSchedule', {
      body: {
        name: 'each hour',
        cron: '0 * * * *',
        terms: { models: [model], selection: { profile_ids: profiles }, coverage, max_charge_microusd: '0' },
        max_monthly_microusd: '9000000',
      },
    })
    const spend = async () => {
      const keyClient = clientFor(service.baseUrl, key.key, service.workspaceId)
      const { id } = await submit(keyClient, (await quote(keyClient, { model, profiles, coverage, execution: { cache: false } })).id)
      await runToEnd(service.client, service.baseUrl, id)
    }
    const spent = async () => {
      const { items } = await service.client.call('listApiKeys', {})
      const { spent_this_month_microusd } = await service.client.call('getSchedule', { params: { schedule_id: schedule.id } })
      return [items.find(({ id }) => id === key.id)?.provider_spent_microusd, spent_this_month_microusd]
    }
    await spend()
    const name = await backUpOnline(service.client)
    const [atBackup] = await spent()
    expect(Number(atBackup)).toBeGreaterThan(0)
    await spend()
    await service.restart(() => clock.advance(3_600_000))
    await expect
      .poll(async () => (await service.client.call('getSchedule', { params: { schedule_id: schedule.id } })).last_occurrence?.status, {
        timeout: 30_000 * patience(),
      })
      .toBe('ended')
    const now = await spent()
    expect(now).toEqual([String(2 * Number(atBackup)), expect.not.stringMatching(/^0$/)])

    await begin(service, name)
    const { kept_as: kept, failure } = await restored(service)
    expect(failure).toBeNull()
    expect((await service.client.call('listRuns', {})).items).toHaveLength(1)
    expect(await spent()).toEqual(now)
    // Forward again: what the kept runs cost is counted once.
    clock.advance(1_000)
    await begin(service, kept ?? '')
    await expect.poll(async () => (await service.client.call('listRuns', {}).catch(() => null))?.items.length).toBe(3)
    expect(await spent()).toEqual(now)
  })

  test('revives no run that was cancelled since, and counts what a key spent after it was rolled', async () => {
    const service = await start(dataFolder())
    const { client } = service
    const cancelled = Promise.withResolvers<null>()
    const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 20 ? cancelled.promise : null) })
    opened.push({ close: () => models.close() })
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }
    const { id } = await client.call('createConnection', { body: { name: 'slow', base_url: models.baseUrl, model: 'replay', rates } })
    await client.call('checkConnection', { params: { connection_id: id } })
    const ask = {
      model: { kind: 'connection', connection_id: id },
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    } as const
    const key = await client.call('createApiKey', {
      body: { name: 'spends', scopes: ['quotes:write', 'runs:write', 'runs:read', 'keys:write'], provider_ceiling_microusd: '9000000' },
    })
    const run = await submit(client, (await quote(client, ask)).id)
    const name = await backUpOnline(client)
    await client.call('cancelRun', { params: { run_id: run.id } })
    await runToEnd(client, service.baseUrl, run.id)
    cancelled.resolve(null)
    const rolled = await client.call('rollApiKey', { params: { key_id: key.id }, body: { overlap: '24h' } })
    const next = clientFor(service.baseUrl, rolled.key, service.workspaceId)
    const sample = { ...ask, coverage: { mode: 'sample', sample_count: 3, seed: 1 } } as const
    await runToEnd(client, service.baseUrl, (await submit(next, (await quote(next, sample)).id)).id)
    const spent = async () => (await client.call('listApiKeys', {})).items.find(each => each.id === key.id)?.provider_spent_microusd
    const before = await spent()
    expect(Number(before)).toBeGreaterThan(0)

    await begin(service, name)
    expect((await restored(service)).failure).toBeNull()
    expect(await spent()).toBe(before)
    const asked = models.requests()
    expect(await client.call('getRun', { params: { run_id: run.id } })).toMatchObject({
      status: expect.stringMatching(/^(?:queued|running)$/),
      pause: { code: 'paused', message: expect.stringContaining('A backup was restored') },
    })
    expect(models.requests()).toBe(asked)
    await client.call('cancelRun', { params: { run_id: run.id } })
    expect((await runToEnd(client, service.baseUrl, run.id)).status).toBe('cancelled')
  })

  test('is refused where the schema of the file is another than that of its version', async () => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    const file = openDatabase(join(service.dataDir, 'backups', name))
    file.prepare('create trigger zz after insert on sessions begin delete from members; end').run()
    file.close()
    await begin(service, name, 'true')
    await expect.poll(() => restored(service)).toMatchObject({ backup: name, failure: expect.stringContaining('trigger zz') })
  })

  test.each([
    'bomb',
    // Reserved, which SQLite does not mind in a schema that it reads.
    'sqlite_bomb',
    'sqlite_stat1',
  ])('is examined no further where its schema is foreign by a table %s, since its checks would be executed', async table => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    const file = new Sqlite(join(service.dataDir, 'backups', name))
    file.unsafeMode(true)
    file.exec('drop table if exists sqlite_stat1; create table bomb (size, check (length(hex(zeroblob(150000000 + size))) > 0))')
    file.pragma('ignore_check_constraints = on')
    file.exec('with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) insert into bomb select i from n')
    file.pragma('writable_schema = on')
    file.exec(
      `update sqlite_master set name = '${table}', tbl_name = '${table}', sql = replace(sql, ' bomb', ' ${table}') where name = 'bomb'`,
    )
    file.close()
    await service.client.call('checkBackup', { params: { backup_name: name } })
    await expect
      .poll(async () => (await service.client.call('listBackups', {})).items.find(item => item.name === name)?.fault)
      .toMatch(new RegExp(`^it was changed: its table ${table} is not that of schema \\d+$`))
    await service.close()
    expect(await command('--data-dir', service.dataDir, '--backup', name, '--without-proof')).toMatchObject({
      code: 1,
      said: expect.stringContaining(`its table ${table} is not that of schema`),
    })
  })

  test('is not damaged where a newer Assay made it: it waits for the update', async () => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    const stateOf = async () => (await service.client.call('listBackups', {})).items.find(item => item.name === name)
    const setVersion = (version: number) => {
      const file = openDatabase(join(service.dataDir, 'backups', name))
      file.pragma(`user_version = ${version}`)
      file.close()
    }
    setVersion(migrations.length + 1)
    expect(await stateOf()).toMatchObject({ newer: true, fault: null })
    const refused = { status: 409, message: expect.stringContaining('was made by a newer Assay') }
    expect(await service.client.refusal('checkBackup', { params: { backup_name: name } })).toMatchObject(refused)
    expect(await service.client.refusal('restoreBackup', { params: { backup_name: name }, query: {} })).toMatchObject(refused)
    setVersion(migrations.length)
    expect(await stateOf()).toMatchObject({ newer: false, fault: null })
    await service.close()
    setVersion(migrations.length + 1)
    const args = ['--data-dir', service.dataDir] as const
    expect((await command(...args)).said).toContain('of a newer Assay')
    const { code, said } = await command(...args, '--backup', name)
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringContaining('was made by a newer Assay. Nothing was changed; update Assay'),
    })
  })

  test('is a file: pipes, links and folders of its name are no backups and end none, and an empty file is refused in a sentence', async () => {
    const service = await start(dataFolder())
    const folder = join(service.dataDir, 'backups')
    const name = await backUpOnline(service.client)
    const named = (second: number) => `manual-2020-01-01T00-00-0${second}.000Z.db`
    mkdirSync(join(folder, named(0)))
    symlinkSync('/dev/zero', join(folder, named(1)))
    execFileSync('mkfifo', [join(folder, named(2))])
    writeFileSync(join(folder, named(3)), '')
    mkdirSync(join(folder, 'manual-2020-01-01T00-00-04.000Z.db.partial'))
    mkdirSync(join(folder, 'manual-2020-01-01T00-00-05.000Z.db.mac'))
    const latest = await backUpOnline(service.client)
    expect((await service.client.call('listBackups', {})).items.map(item => item.name)).toEqual([latest, name, named(3)])
    await service.close()
    expect(await command('--data-dir', service.dataDir, '--backup', named(3), '--without-proof')).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not sound (it holds no data of Assay)'),
    })
    for (const second of [0, 1, 2])
      expect(await command('--data-dir', service.dataDir, '--backup', named(second), '--without-proof')).toMatchObject({
        code: 1,
        said: expect.stringContaining('There is no backup'),
      })
  })

  test('of an earlier version, which has no MAC, is restored by who says so; a check tells of a MAC that does not match', async () => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    const mac = join(service.dataDir, 'backups', `${name}.mac`)
    const proof = async () => (await service.client.call('listBackups', {})).items.find(item => item.name === name)?.proof
    expect(await proof()).toBe('valid')
    writeFileSync(mac, `${Buffer.alloc(32).toString('base64')}\n`)
    await service.client.call('checkBackup', { params: { backup_name: name } })
    await expect.poll(proof).toBe('different')
    rmSync(mac)
    expect(await proof()).toBe('missing')
    await begin(service, name)
    await expect.poll(() => restored(service)).toMatchObject({ failure: expect.stringContaining('There is no MAC beside the backup') })
    await service.close()
    const args = ['--data-dir', service.dataDir, '--backup', name]
    expect(await command(...args)).toMatchObject({ code: 1, said: expect.stringContaining('--without-proof') })
    expect((await command('--data-dir', service.dataDir)).said).toContain('no MAC: takes --without-proof')
    expect((await command(...args, '--without-proof')).code).toBe(0)
  })

  test('that takes the name of another, or comes from another data folder, does not match its MAC', async () => {
    const service = await start(dataFolder())
    const name = await backUpOnline(service.client)
    await service.close()
    const other = name.replace('manual-', 'scheduled-')
    const folder = join(service.dataDir, 'backups')
    for (const end of ['', '.mac']) cpSync(join(folder, name + end), join(folder, other + end))
    const elsewhere = dataFolder()
    cpSync(folder, join(elsewhere, 'backups'), { recursive: true })
    for (const args of [
      ['--data-dir', service.dataDir, '--backup', other],
      ['--data-dir', elsewhere, '--backup', name],
    ])
      expect(await command(...args)).toMatchObject({ code: 1, said: expect.stringContaining('does not match its MAC') })
    expect((await command('--data-dir', service.dataDir, '--backup', name)).code).toBe(0)
    expect((await command('--data-dir', elsewhere, '--backup', name, '--without-proof')).code).toBe(0)
    // A folder in which nothing was started yet has taken the data with who may read them.
    const moved = await start(elsewhere)
    expect((await moved.client.call('getMe', {})).workspaces).toMatchObject([{ id: service.workspaceId }])
  })

  test('does not restore a revoked key of service.json', async () => {
    const dataDir = dataFolder()
    const first = await start(dataDir)
    const ofFormerStart = await backUpOnline(first.client)
    await first.close()
    const service = await start(dataDir)
    const ofThisStart = await backUpOnline(service.client)
    for (const name of [ofThisStart, ofFormerStart]) {
      const { file, keyClient } = service
      const key = (await service.client.call('listApiKeys', {})).items.find(item => item.name === 'local' && item.revoked_at === null)
      await service.client.call('revokeApiKey', { params: { key_id: key?.id ?? '' } })
      await begin(service, name)
      await expect.poll(() => restored(service)).toMatchObject({ backup: name, failure: null })
      expect(service.file.api_key).not.toBe(file.api_key)
      expect((await keyClient.refusal('getMe', {})).status).toBe(401)
      expect((await service.keyClient.call('getMe', {})).name).toBe('local')
    }
  })

  test('is refused to keys, for unknown backups, and while a run is under way; a damaged backup changes nothing', async () => {
    const service = await start(dataFolder())
    const { client, keyClient } = service
    const name = await backUpOnline(client)
    expect((await keyClient.refusal('restoreBackup', { params: { backup_name: name } })).code).toBe('owner_session_required')
    expect((await client.refusal('restoreBackup', { params: { backup_name: '../lock.db' } })).status).toBe(404)
    const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 20 ? new Promise(() => {}) : null) })
    opened.push({ close: () => models.close() })
    const { id } = await client.call('createConnection', { body: { name: 'slow', base_url: models.baseUrl, model: 'replay' } })
    await client.call('checkConnection', { params: { connection_id: id } })
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const { id: quoteId } = await quote(client, { model: { kind: 'connection', connection_id: id }, profiles: [profile] })
    const run = await submit(client, quoteId)
    expect(await client.refusal('restoreBackup', { params: { backup_name: name } })).toMatchObject({
      status: 409,
      message: expect.stringContaining('A run is under way'),
    })
    await client.call('cancelRun', { params: { run_id: run.id } })
    await runToEnd(client, service.baseUrl, run.id)

    truncateSync(join(service.dataDir, 'backups', name), 50_000)
    await client.call('checkBackup', { params: { backup_name: name } })
    await expect.poll(async () => (await client.call('listBackups', {})).items[0]?.fault).toEqual(expect.any(String))
    await begin(service, name)
    expect(await restored(service)).toMatchObject({ kept_as: null, failure: expect.stringContaining('is not sound') })
    expect((await client.call('getRun', { params: { run_id: run.id } })).status).toBe('cancelled')
  })
})

describe('a database that is damaged', () => {
  test.each([
    ['in the middle', (path: string) => writeFileSync(path, Buffer.alloc(8192, 0xee), { flag: 'r+' })],
    ['to its end', (path: string) => truncateSync(path, 10_000)],
  ])('%s is named at the start with the way back, and left as it is', async (_where, damage) => {
    const service = await start(dataFolder())
    await makeKey(service, 'kept')
    await backUpOnline(service.client)
    await service.close()
    const path = join(service.dataDir, 'assay.db')
    damage(path)
    // As a crash leaves it.
    writeFileSync(join(service.dataDir, 'service.json'), JSON.stringify({ ...unclean }))
    const before = readFileSync(path)
    await expect(startTestService({ dataDir: service.dataDir })).rejects.toThrow(/is damaged .*npm run restore/)
    expect(readFileSync(path).equals(before)).toBe(true)
    const restored = await command('--data-dir', service.dataDir, '--backup', 'newest')
    expect(restored.code).toBe(0)
    expect(restored.said).toContain('sessions, API keys and members are those of the backup')
    const again = await start(service.dataDir)
    expect(await keyNames(again)).toContain('kept')
    const { last_restore } = await again.client.call('listBackups', {})
    expect(last_restore).toMatchObject({ failure: null, access_carried: false })
  })
})

const unclean = {
  base_url: 'http://127.0.0.1:1',
  workspace_id: '01a1fc63-87cf-72ca-b61c-7c4bba51b062',
  api_key: 'asy_x',
  session_token: 'asn_x',
  pid: 1,
  version: '0.1.0',
  started_at: '2026-11-20T09:30:00.000Z',
}
