import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/service/doctor/index.ts'
import { type CallTeam, mostAtOnce, samples, startCallTeam } from '../support/call-team.ts'
import { postgresMissing } from '../support/postgres.ts'
import { runToEnd } from '../support/runs.ts'

describe.skipIf(postgresMissing !== null)(`calls of workers${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`, () => {
  let team: CallTeam

  beforeAll(async () => {
    team = await startCallTeam()
    expect([...team.seen.keys]).toEqual(['Bearer key-of-the-service'])
  })
  afterAll(() => team.close())

  test('are those of a local run, within the connection’s limit and with the worker’s own key', async () => {
    const { seen, local, attempts, outcome, submitCalls } = team
    Object.assign(seen, { requests: 0, most: 0 })
    seen.keys.clear()
    const worker = await team.join('one')
    expect(await outcome(await submitCalls())).toEqual(local)
    expect(seen).toMatchObject({ requests: samples })
    expect(seen.most).toBeLessThanOrEqual(mostAtOnce)
    expect([...seen.keys]).toEqual(['Bearer key-of-the-worker'])
    expect(attempts()).toBe(samples)
    const { client } = team.service()
    expect((await client.call('listWorkers', {})).items.map(one => one.samples)).toEqual([samples])
    await worker.stop()
    // The check of the connection with three looks for a context length, the local run, and this one.
    expect((await client.call('listNetworkHosts', {})).items).toMatchObject([{ origin: team.modelUrl, requests: 1 + 3 + 2 * samples }])
  })

  test('of a worker that is killed count as possibly billed, and are retried', async () => {
    const { seen, local, attempts, outcome, submitCalls } = team
    const killed = await team.join('killed')
    Object.assign(seen, { requests: 0, most: 0 })
    team.hold()
    const id = await submitCalls()
    await expect.poll(() => seen.inFlight).toBe(mostAtOnce)
    await killed.kill()
    team.release()
    await team.join('heir')
    expect(await outcome(id)).toEqual(local)
    expect(attempts("error_code = 'worker_lost'")).toBe(mostAtOnce)
    const run = await team.service().client.call('getRun', { params: { run_id: id } })
    expect(run.accounting.possibly_billed_twice).toBe(mostAtOnce)
    expect(seen.requests).toBe(attempts())
    expect(attempts()).toBe(samples + mostAtOnce)
    expect(seen.most).toBeLessThanOrEqual(mostAtOnce)
  })

  test('that are cancelled end at the worker, and are recorded', async () => {
    const { seen, attempts, submitCalls } = team
    seen.requests = 0
    team.hold()
    const id = await submitCalls()
    await expect.poll(() => seen.inFlight).toBe(mostAtOnce)
    const { client, baseUrl, stop } = team.service()
    await client.call('cancelRun', { params: { run_id: id } })
    expect((await runToEnd(client, baseUrl, id)).status).toMatch(/cancelled|partial/)
    // The endpoint hears of a connection that was closed a moment after the worker closed it.
    await expect.poll(() => seen.inFlight).toBe(0)
    expect(attempts()).toBe(seen.requests)
    await stop()
    const { findings } = examine({ dataDir: team.dataDir, backup: false, now: new Date() })
    expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  })
})
