import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import type { TestClient } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ChildWorker, startWorker, workerKey } from '../support/worker.ts'

/** Three jobs: more than two workers hold at once. */
const samples = 48
const dropped = 'was given to another worker or is no longer needed'

describe.skipIf(postgresMissing !== null)(`workers${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`, () => {
  const folder = temporaryFolder()
  const workers: ChildWorker[] = []
  let postgres: Postgres
  let service: ChildService
  let key: string
  let local: Awaited<ReturnType<typeof outcome>>

  const serve = (port = '0') =>
    startChildService(folder.path, ['--allow-remote', '--behind-proxy', 'https://eval.example', '--queue', postgres.url, `--port=${port}`])
  const join = async (name: string) => {
    const worker = await startWorker({ name, join: service.baseUrl, queue: postgres.url, key, args: ['--slots', '1'] })
    workers.push(worker)
    return worker
  }
  /** A new run of which each worker has taken a batch and does nothing with it until it is released. */
  const hold = async () => {
    await expect.poll(async () => (await service.client.call('listWorkers', {})).queue).toBe('connected')
    const holding = workers.map(worker => worker.hold())
    const run = await submitCode(service.client)
    await Promise.all(holding)
    return run
  }
  const release = () => {
    for (const worker of workers) worker.release()
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    service = await serve()
    key = await workerKey(service.client)
    local = await outcome(service, await submitCode(service.client))
  })
  afterAll(async () => {
    for (const worker of workers) await worker.kill()
    await service.kill()
    await postgres.close()
    folder.remove()
  })

  test('grades on two workers to the digest of a local run', async () => {
    await Promise.all([join('one'), join('two')])
    const run = await hold()
    release()
    expect(await outcome(service, run)).toEqual(local)
    const { items } = await service.client.call('listWorkers', {})
    expect(items.map(one => one.samples).filter(n => n > 0)).toHaveLength(2)
    expect(items.reduce((sum, one) => sum + one.samples, 0)).toBe(samples)
  })

  test('survives PostgreSQL ended at once, and the service killed', async () => {
    const crashed = await hold()
    await postgres.crashAndRestart()
    release()
    expect(await outcome(service, crashed)).toEqual(local)

    const killed = await hold()
    const { port } = new URL(service.baseUrl)
    await service.kill()
    service = await serve(port)
    release()
    expect(await outcome(service, killed)).toEqual(local)
    for (const worker of workers) await expect.poll(worker.printed).toContain(dropped)
    expectSound(folder.path)
  })

  test('survives cut connections, a worker that is killed and one that sleeps past its lease, whose late outcome is dropped', async () => {
    const run = await hold()
    const [killed, sleeper] = workers
    if (!killed || !sleeper) throw new Error('Two workers have joined.')
    const times = () => sleeper.printed().split(dropped).length
    const before = times()
    sleeper.signal('SIGSTOP')
    release()
    await killed.kill()
    workers.splice(0, 1)
    postgres.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null')
    await join('heir')
    expect(await outcome(service, run)).toEqual(local)
    sleeper.signal('SIGCONT')
    await expect.poll(times).toBeGreaterThan(before)
    const codes = await Promise.all(workers.map(worker => worker.stop()))
    expect(codes).toEqual([0, 0])
    const { items } = await service.client.call('listWorkers', {})
    expect(items.filter(({ status }) => status === 'left')).toHaveLength(2)
    expectSound(folder.path)
  })
})

/** A run of code with right and wrong answers, whose seed makes it the same each time. */
async function submitCode(client: TestClient): Promise<string> {
  const made = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [await profileId(client, 'python-functions', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 5 },
  })
  return (await submit(client, made.id, 'code', randomUUID())).id
}

/** All of a run's result that does not depend on when and where it ran. */
async function outcome({ client, baseUrl }: Pick<ChildService, 'client' | 'baseUrl'>, run_id: string) {
  expect(await runToEnd(client, baseUrl, run_id)).toMatchObject({ status: 'complete', progress: { scored: samples } })
  const { metrics, coverage, reproducibility } = await client.call('getRunResults', { params: { run_id } })
  return { metrics, coverage, digest: reproducibility.samples_digest }
}

function expectSound(dataDir: string): void {
  const db = openDatabase(`${dataDir}/assay.db`, { readonly: true })
  try {
    const count = (sql: string) => Object.values(Object(db.prepare(sql).get()))[0]
    expect(count(`select count(*) from samples where status <> 'scored'`)).toBe(0)
    expect(count(`select count(*) from (select run_no, position, metric_no from scores group by 1, 2, 3 having count(*) > 1)`)).toBe(0)
    expect(count(`select count(*) from scores`)).toBe(Number(count(`select count(*) from samples`)) * 2)
    expect(
      count(
        `select count(*) from (select run_no, status, count(*) n from samples group by 1, 2) s join run_counts c using (run_no, status) where c.n <> s.n`,
      ),
    ).toBe(0)
  } finally {
    db.close()
  }
}
