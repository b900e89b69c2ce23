import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selfSigned } from '../engine/clients/self-signed-certificate.ts'
import { type CallTeam, mostAtOnce, samples, startCallTeam } from '../support/call-team.ts'
import { postgresMissing } from '../support/postgres.ts'
import { openLink, type SilentLink } from '../support/silent-link.ts'
import type { ChildWorker } from '../support/worker.ts'

const skipped = postgresMissing ?? (process.env['ASSAY_KILLS'] === undefined ? 'takes minutes: npm run test:faults has it' : null)

describe.skipIf(skipped !== null)(`calls in flight at workers${skipped === null ? '' : ` (skipped: ${skipped})`}`, () => {
  let team: CallTeam
  let toService: SilentLink
  let toQueue: SilentLink
  const state = async (name: string) => (await team.service().client.call('listWorkers', {})).items.find(one => one.name === name)
  const lost = () => team.attempts("error_code = 'worker_lost'")
  /** A run of which as many calls as may be are in flight at workers. */
  const inFlight = async () => {
    const { seen } = team
    await expect.poll(async () => (await team.service().client.call('listWorkers', {})).queue).toBe('connected')
    expect(seen.inFlight).toBe(0)
    Object.assign(seen, { requests: 0, most: 0 })
    team.hold()
    const id = await team.submitCalls()
    await expect.poll(() => seen.inFlight).toBe(mostAtOnce)
    return id
  }
  /** The result is a local run's, every request is an attempt, and the limit held. */
  const expectExact = async (id: string) => {
    expect(await team.outcome(id)).toEqual(team.local)
    expect(team.attempts()).toBe(team.seen.requests)
    expect(team.seen.most).toBeLessThanOrEqual(mostAtOnce)
  }

  beforeAll(async () => {
    toService = await openLink(() => Number(new URL(team.service().baseUrl).port), selfSigned)
    toQueue = await openLink(() => Number(new URL(team.postgres.url).port))
    team = await startCallTeam(`https://127.0.0.1:${toService.port}`)
  })
  afterAll(async () => {
    await team.close()
    toService.close()
    toQueue.close()
  })
  beforeEach(() => team.release())

  test('carry the key that an owner shares with the worker', async () => {
    const bare = await team.join('bare', { ownKey: false })
    const { client } = team.service()
    const worker_id = (await state('bare'))?.id ?? ''
    await client.call('shareKey', { params: { worker_id, connection_id: team.connectionId } })
    // It has the key once it has sent a heartbeat.
    const before = (await state('bare'))?.last_seen_at
    await expect.poll(async () => (await state('bare'))?.last_seen_at).not.toBe(before)
    team.seen.keys.clear()
    expect(await team.outcome(await team.submitCalls())).toEqual(team.local)
    expect([...team.seen.keys]).toEqual(['Bearer key-of-the-service'])
    await bare.stop()
  })

  test('survive PostgreSQL ended at once and cut connections', async () => {
    const worker = await team.join('steady')
    const crashed = await inFlight()
    await team.postgres.crashAndRestart()
    team.release()
    await expectExact(crashed)
    expect(team.attempts()).toBe(samples)
    const cut = await inFlight()
    team.postgres.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null')
    team.release()
    await expectExact(cut)
    expect(team.attempts()).toBe(samples)
    await worker.stop()
  })

  test('end at the worker when the service is killed, before the next start makes others', async () => {
    const worker = await team.join('orphan')
    const id = await inFlight()
    await team.restart()
    await expect.poll(() => team.seen.requests).toBe(2 * mostAtOnce)
    team.release()
    await expectExact(id)
    expect(team.attempts()).toBe(samples + mostAtOnce)
    await worker.stop()
  })

  test('of a worker that sleeps past its lease are dropped when it wakes', async () => {
    const sleeper = await team.join('sleeper')
    const id = await inFlight()
    sleeper.signal('SIGSTOP')
    team.release()
    await expect.poll(() => team.seen.inFlight).toBe(0)
    const heir = await team.join('heir')
    await expectExact(id)
    expect(lost()).toBe(mostAtOnce)
    sleeper.signal('SIGCONT')
    await expect.poll(sleeper.printed).toContain('was given to another worker')
    expect(await Promise.all([sleeper.stop(), heir.stop()])).toEqual([0, 0])
  })

  test('end where the links of a worker are down, and it is back when they are; four workers, TLS', async () => {
    const ca = join(team.dataDir, 'ca.pem')
    writeFileSync(ca, selfSigned.cert)
    const queue = new URL(team.postgres.url)
    queue.port = String(toQueue.port)
    const far = { join: `https://127.0.0.1:${toService.port}`, queue: queue.href, env: { NODE_EXTRA_CA_CERTS: ca } }
    const cutOff = await team.join('cut off', far)
    const id = await inFlight()
    toService.down()
    toQueue.down()
    // It ends its calls by itself, before the service has others make them.
    await expect.poll(() => team.seen.inFlight).toBe(0)
    const others: ChildWorker[] = []
    for (const name of ['two', 'three', 'four']) others.push(await team.join(name))
    team.release()
    await expectExact(id)
    expect(lost()).toBe(mostAtOnce)
    await expect.poll(async () => (await state('cut off'))?.status).toBe('lost')
    toService.up()
    toQueue.up()
    await expect.poll(async () => (await state('cut off'))?.status).toBe('active')
    const again = await inFlight()
    team.release()
    await expectExact(again)
    expect(team.attempts()).toBe(samples)
    expect(await Promise.all([cutOff, ...others].map(worker => worker.stop()))).toEqual([0, 0, 0, 0])
  })
})
