import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import { parseReply } from '../../src/contract/client-by-id.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { openJobQueue } from '../../src/service/workers/job-queue.ts'
import { startChildService, type ChildService } from '../support/child-service.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ChildWorker, startWorker, workerKey } from '../support/worker.ts'

/** About 500 samples a run: of HumanEval where its data is, or of the bundled benchmark. */
const humanEval = { slug: 'humaneval', epochs: 3 }
const bundled = { slug: 'python-functions', epochs: 5 }
const published = fileURLToPath(new URL('../../../shared/data/humaneval/HumanEval.jsonl.gz', import.meta.url))

/**
 * How fast code is graded without a queue, with one that no worker takes from, and by 1, 2 and 4 workers on this machine; and what the
 * queue costs for each sample.
 */
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
  const folders = [temporaryFolder(), temporaryFolder()]
  const [aloneDir = '', teamDir = ''] = folders.map(({ path }) => path)
  const alone = await startChildService(aloneDir)
  const team = await startChildService(teamDir, ['--allow-remote', '--behind-proxy', 'https://eval.example', '--queue', postgres.url])
  const benchmark = existsSync(published) ? humanEval : bundled
  if (benchmark === humanEval) for (const service of [alone, team]) await importHumanEval(service)
  const key = await workerKey(team.client)
  const print = (what: string, rates: readonly number[]) =>
    console.log(`${what.padEnd(40)} ${rates.map(rate => rate.toFixed(0).padStart(5)).join('')} samples/s of ${benchmark.slug}`)

  // In pairs, since the rate of a shared machine drifts.
  for (const service of [alone, team]) await codeRun(service, benchmark)
  const pairs: { readonly alone: number; readonly team: number }[] = []
  for (let i = 0; i < rounds * 2; i++) {
    const first = i % 2 === 0 ? await codeRun(alone, benchmark) : null
    const second = await codeRun(team, benchmark)
    pairs.push({ alone: first ?? (await codeRun(alone, benchmark)), team: second })
  }
  print(
    'graded locally, without --queue',
    pairs.map(pair => pair.alone),
  )
  print(
    'graded locally, --queue and no worker',
    pairs.map(pair => pair.team),
  )
  await alone.stop()

  const workers: ChildWorker[] = []
  for (const count of [1, 2, 4]) {
    while (workers.length < count)
      workers.push(await startWorker({ name: `worker ${workers.length + 1}`, join: team.baseUrl, queue: postgres.url, key }))
    await codeRun(team, benchmark)
    const rates: number[] = []
    for (let i = 0; i < rounds; i++) rates.push(await codeRun(team, benchmark))
    print(`graded by ${count} worker${count > 1 ? 's' : ''}, same machine`, rates)
  }
  for (const worker of workers) await worker.stop()
  await team.stop()
  for (const folder of folders) folder.remove()
}

async function importHumanEval({ client, baseUrl }: ChildService): Promise<void> {
  const body = new FormData()
  body.append('recipe', 'humaneval')
  body.append('file', new Blob([new Uint8Array(readFileSync(published))]), 'HumanEval.jsonl.gz')
  const reply = await fetch(`${baseUrl}/v1/catalog/imports`, { method: 'POST', body, headers: client.headers })
  let record = parseReply('createImport', { status: reply.status, text: await reply.text() })
  while (!isTerminal(importMachine, record.status)) {
    await delay(100)
    record = await client.call('getImport', { params: { import_id: record.id } })
  }
  if (record.status !== 'imported') throw new Error(`HumanEval was not imported: ${JSON.stringify(record.errors)}`)
}

/** Samples a second of one run, from its submission to its end. */
async function codeRun({ client, baseUrl }: ChildService, { slug, epochs }: typeof humanEval): Promise<number> {
  const made = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [await profileId(client, slug, 'zero-shot')],
    execution: { epochs },
  })
  const started = performance.now()
  const run = await runToEnd(client, baseUrl, (await submit(client, made.id, 'code', randomUUID())).id)
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
