import { randomUUID } from 'node:crypto'
import { openJobQueue } from '../../src/service/workers/job-queue.ts'
import { startChildService, type ChildService } from '../support/child-service.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startWorker, workerKey } from '../support/worker.ts'

const epochs = 5

/** How fast code is graded locally and by 1 and 2 workers on this machine, and what the queue costs for each sample. */
export async function benchWorkers(rounds: number): Promise<void> {
  if (postgresMissing !== null) throw new Error(postgresMissing)
  const postgres = await startPostgres()
  try {
    await benchGrading(postgres, rounds)
    await benchQueue(postgres)
  } finally {
    await postgres.close()
  }
}

async function benchGrading(postgres: Postgres, rounds: number): Promise<void> {
  const folder = temporaryFolder()
  const service = await startChildService(folder.path, [
    '--allow-remote',
    '--behind-proxy',
    'https://eval.example',
    '--queue',
    postgres.url,
  ])
  const key = await workerKey(service.client)
  const row = async (what: string) => {
    await codeRun(service)
    const rates: number[] = []
    for (let i = 0; i < rounds; i++) rates.push(await codeRun(service))
    console.log(`${what.padEnd(40)} ${rates.map(rate => rate.toFixed(0).padStart(5)).join('')} samples/s`)
  }
  await row('graded by the service')
  const workers = []
  for (const name of ['one', 'two']) {
    workers.push(await startWorker({ name, join: service.baseUrl, queue: postgres.url, key }))
    await row(`graded by ${workers.length} worker${workers.length > 1 ? 's' : ''}, same machine`)
  }
  for (const worker of workers) await worker.stop()
  await service.stop()
  folder.remove()
}

/** Samples a second of one run, from its first claim to its end. */
async function codeRun({ client, baseUrl }: ChildService): Promise<number> {
  const made = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [await profileId(client, 'python-functions', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 100, seed: 5 },
    execution: { epochs },
  })
  const started = performance.now()
  const run = await runToEnd(client, baseUrl, (await submit(client, made.id)).id)
  return run.progress.scored / ((performance.now() - started) / 1000)
}

async function benchQueue({ url }: Postgres): Promise<void> {
  const onError = (error: unknown) => console.error(error)
  const service = await openJobQueue({ url, role: 'service', onError })
  const worker = await openJobQueue({ url, role: 'worker', onError })
  const samples = 10_000
  for (const perJob of [1, 10, 100]) {
    const name = `bench/${perJob}`
    await service.create(name, 3)
    const ids = Array.from({ length: samples / perJob }, () => randomUUID())
    const started = performance.now()
    for (let i = 0; i < ids.length; i += 50) await service.send(name, ids.slice(i, i + 50))
    const sent = performance.now()
    let done = 0
    const take = async () => {
      for (let jobs = await worker.fetch(name, 8); jobs.length > 0; jobs = await worker.fetch(name, 8)) {
        for (const job of jobs) await worker.complete(name, job)
        done += jobs.length
      }
    }
    await Promise.all(Array.from({ length: 4 }, take))
    const total = performance.now() - started
    console.log(
      `${`queue, ${perJob} samples a job`.padEnd(40)} ${((total / samples) * 1000).toFixed(0).padStart(5)} µs a sample; ${((1000 * done) / total).toFixed(0)} jobs/s (sent in ${(sent - started).toFixed(0)} ms of ${total.toFixed(0)})`,
    )
  }
  await service.close()
  await worker.close()
}
