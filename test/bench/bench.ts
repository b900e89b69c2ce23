import { statSync } from 'node:fs'
import { join } from 'node:path'
import { runMachine, isTerminal, type Run } from '../../src/contract/index.ts'
import { profileId, quote, submit } from '../support/runs.ts'
import { type TestClient, temporaryFolder } from '../support/service.ts'
import { type MeasuredService, startMeasuredService, startServerProcess } from './processes.ts'

/**
 * How fast, how smooth, how big: runs of the bundled arithmetic benchmark against a local model server with 32 connections.
 * `npm run bench` measures 1,319 and 13,190 samples; `npm run bench -- --samples N,N` others.
 */
const connections = 32
const sizes = readSizes(process.argv)

function readSizes(args: readonly string[]): number[] {
  const given = args[args.indexOf('--samples') + 1]
  return args.includes('--samples') && given ? given.split(',').map(Number) : [1319, 13_190]
}

interface Row {
  readonly samples: number
  readonly seconds: number
  readonly firstResultMs: number
  readonly reads: readonly number[]
  readonly cpuMs: number
  readonly loopP99: number
  readonly loopMax: number
  readonly peakMb: number
  readonly bytesPerSample: number
}

function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

async function registerConnection(client: TestClient, baseUrl: string): Promise<string> {
  const { id } = await client.call('createConnection', {
    body: { name: 'bench', base_url: baseUrl, model: 'replay', limits: { max_concurrency: connections } },
  })
  const checked = await client.call('checkConnection', { params: { connection_id: id } })
  if (checked.status !== 'ready') throw new Error(`The model server failed its check: ${checked.last_check?.message}`)
  return id
}

const databaseBytes = (dataDir: string) =>
  ['assay.db', 'assay.db-wal'].reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0)

/** Reads what a user would look at while the run goes on, one request after another, and notes how long each took. */
async function readWhileRunning(client: TestClient, id: string, times: number[]): Promise<{ run: Run; firstResultAt: number }> {
  let firstResultAt = 0
  for (let i = 0; ; i++) {
    const started = performance.now()
    const run = await client.call('getRun', { params: { run_id: id } })
    times.push(performance.now() - started)
    if (firstResultAt === 0 && run.progress.scored > 0) firstResultAt = performance.now()
    if (isTerminal(runMachine, run.status)) return { run, firstResultAt }
    const listing = performance.now()
    await client.call('listSamples', { params: { run_id: id }, query: { limit: 50 } })
    times.push(performance.now() - listing)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function measure(service: MeasuredService, dataDir: string, connectionId: string, samples: number): Promise<Row> {
  const { client } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  // Every task as often as it takes; the last few samples over the size are part of the run.
  const { items } = await client.call('listBenchmarks', { query: { q: 'arithmetic' } })
  const tasks = Object.values(items[0]?.latest_version?.task_counts ?? {}).reduce((sum, n) => sum + n, 0)
  const epochs = Math.max(1, Math.min(100, Math.ceil(samples / tasks)))
  const sampleCount = Math.ceil(samples / epochs)
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: sampleCount, seed: 1 },
    execution: { epochs },
  })
  const before = databaseBytes(dataDir)
  const reads: number[] = []
  service.begin()
  const started = performance.now()
  const { id } = await submit(client, quoteId, `bench ${samples}`)
  const { run, firstResultAt } = await readWhileRunning(client, id, reads)
  const seconds = (performance.now() - started) / 1000
  const { cpuMs, loopP99, loopMax, peakRss } = await service.end()
  if (run.status !== 'complete' || run.progress.scored !== run.progress.frozen)
    throw new Error(`The run ended ${run.status}: ${JSON.stringify(run.progress)}`)
  return {
    samples: run.progress.frozen,
    seconds,
    firstResultMs: firstResultAt - started,
    reads,
    cpuMs,
    loopP99,
    loopMax,
    peakMb: peakRss / 2 ** 20,
    bytesPerSample: (databaseBytes(dataDir) - before) / run.progress.frozen,
  }
}

const folder = temporaryFolder()
const modelServer = await startServerProcess()
const service = await startMeasuredService(folder.path)
try {
  const connectionId = await registerConnection(service.client, modelServer.baseUrl)
  await measure(service, folder.path, connectionId, 270)
  const rows: Row[] = []
  for (const samples of sizes) rows.push(await measure(service, folder.path, connectionId, samples))
  console.log(
    `Service ready ${service.readyMs.toFixed(0)} ms after its process began. ${connections} connections, model server on the same machine.\n`,
  )
  console.table(
    rows.map(row => ({
      samples: row.samples,
      'samples/s': Math.round(row.samples / row.seconds),
      'service CPU ms/sample': Number((row.cpuMs / row.samples).toFixed(2)),
      'first result ms': Math.round(row.firstResultMs),
      'API read p50 ms': Number(quantile(row.reads, 0.5).toFixed(1)),
      'API read p99 ms': Number(quantile(row.reads, 0.99).toFixed(1)),
      'loop delay p99 ms': Number(row.loopP99.toFixed(1)),
      'loop delay max ms': Number(row.loopMax.toFixed(1)),
      'peak memory MB': Math.round(row.peakMb),
      'bytes/sample': Math.round(row.bytesPerSample),
    })),
  )
} finally {
  await service.stop()
  await modelServer.stop()
  folder.remove()
}
