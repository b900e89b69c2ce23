import { existsSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { quote, submit } from '../support/runs.ts'
import { type TestClient, temporaryFolder } from '../support/service.ts'
import { openRunInBrowser } from './open-in-browser.ts'
import { connections, importTasks, registerConnection, tasks } from './prepare.ts'
import { type Measured, type MeasuredService, startMeasuredService, startServerProcess } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const formats = ['json', 'csv', 'html'] as const

export interface RunBenchOptions {
  readonly samples: readonly number[]
  /** Measures the source though there is a build. */
  readonly fromSource: boolean
  /** Another build's command line. */
  readonly entry: string | null
  readonly profileDir: string | null
}

interface Row {
  readonly run: Run
  readonly submitMs: number
  readonly seconds: number
  readonly firstResultMs: number
  readonly reads: readonly number[]
  readonly measured: Measured
  readonly bytesPerSample: number
  readonly exportMs: Readonly<Record<(typeof formats)[number], number>>
  /** Null where there is no browser or no built UI. */
  readonly openMs: number | null
}

/**
 * How fast, how smooth, how big: runs of 1,319 tasks, as often as it takes, against a local model server. Memory is the peak of the
 * service's process with all its threads; reads are what a user looks at, one after another while the run goes on.
 */
export async function benchRuns({ samples, fromSource, entry, profileDir }: RunBenchOptions): Promise<void> {
  const folder = temporaryFolder()
  const modelServer = await startServerProcess()
  const program = entry ?? (existsSync(built) && !fromSource ? built : source)
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir, withUi: true })
  try {
    const connectionId = await registerConnection(service, modelServer.baseUrl)
    const profile = await importTasks(service)
    // The first run starts threads and warms the code.
    await measure(service, folder.path, connectionId, profile, 300)
    console.log(
      `${program === source ? 'From source' : 'Built'}. Ready ${service.readyMs.toFixed(0)} ms after its process began. ${connections} connections, model server on the same machine.`,
    )
    const rows: Row[] = []
    for (const count of samples) {
      const before = loadavg()[0] ?? 0
      rows.push(await measure(service, folder.path, connectionId, profile, count))
      console.log(`${count} samples: load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.`)
    }
    console.table(rows.map(describe))
  } finally {
    await service.stop()
    await modelServer.stop()
    folder.remove()
  }
}

async function measure(service: MeasuredService, dataDir: string, connectionId: string, profile: string, samples: number): Promise<Row> {
  const { client } = service
  const epochs = Math.max(1, Math.ceil(samples / tasks))
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: Math.min(tasks, Math.ceil(samples / epochs)), seed: 1 },
    execution: { epochs },
  })
  const before = databaseBytes(dataDir)
  service.begin()
  const started = performance.now()
  const { id } = await submit(client, quoteId, `bench ${samples}`)
  const submitMs = performance.now() - started
  const { run, reads, firstResultAt } = await readWhileRunning(client, id)
  const seconds = (performance.now() - started) / 1000
  const measured = await service.end()
  if (run.status !== 'complete' || run.progress.scored !== run.progress.frozen)
    throw new Error(`The run ended ${run.status}: ${JSON.stringify(run.progress)}`)
  return {
    run,
    submitMs,
    seconds,
    firstResultMs: firstResultAt - started,
    reads,
    measured,
    bytesPerSample: (databaseBytes(dataDir) - before) / run.progress.frozen,
    exportMs: {
      json: await exportMs(service, id, 'json'),
      csv: await exportMs(service, id, 'csv'),
      html: await exportMs(service, id, 'html'),
    },
    openMs: await openRunInBrowser(service, id),
  }
}

/** Reads what a user would look at while the run goes on, one request after another, and notes how long each took. */
async function readWhileRunning(client: TestClient, id: string): Promise<{ run: Run; reads: number[]; firstResultAt: number }> {
  const reads: number[] = []
  let firstResultAt = 0
  const timed = async <T>(call: Promise<T>): Promise<T> => {
    const started = performance.now()
    const answer = await call
    reads.push(performance.now() - started)
    return answer
  }
  for (;;) {
    const run = await timed(client.call('getRun', { params: { run_id: id } }))
    if (firstResultAt === 0 && run.progress.scored > 0) firstResultAt = performance.now()
    if (isTerminal(runMachine, run.status)) return { run, reads, firstResultAt }
    await timed(client.call('listSamples', { params: { run_id: id }, query: { limit: 50 } }))
    await new Promise(resolve => setTimeout(resolve, firstResultAt === 0 ? 1 : 25))
  }
}

async function exportMs({ client, baseUrl }: MeasuredService, id: string, format: string): Promise<number> {
  const started = performance.now()
  const reply = await fetch(`${baseUrl}/v1/runs/${id}/export?format=${format}`, { headers: client.headers })
  if (!reply.ok) throw new Error(`The ${format} export was refused: ${await reply.text()}`)
  for await (const _ of reply.body ?? []) {
    // Read to the end: the last byte is what counts.
  }
  return performance.now() - started
}

const databaseBytes = (dataDir: string) =>
  ['assay.db', 'assay.db-wal'].reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0)

function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

function describe({ run, submitMs, seconds, firstResultMs, reads, measured, bytesPerSample, exportMs, openMs }: Row) {
  const { frozen } = run.progress
  const round = (value: number, digits = 0) => Number(value.toFixed(digits))
  return {
    samples: frozen,
    'samples/s': round(frozen / seconds),
    'service CPU ms/sample': round(measured.cpuMs / frozen, 3),
    'submit ms': round(submitMs),
    'first result ms': round(firstResultMs),
    'API read p50 ms': round(quantile(reads, 0.5), 1),
    'API read p99 ms': round(quantile(reads, 0.99), 1),
    'loop delay p99 ms': round(measured.loopP99, 1),
    'loop delay max ms': round(measured.loopMax, 1),
    'peak memory MB': round(measured.peakRss / 2 ** 20),
    'heap MB': round(measured.heapUsed / 2 ** 20),
    'bytes/sample': round(bytesPerSample),
    'JSON ms': round(exportMs.json),
    'CSV ms': round(exportMs.csv),
    'HTML ms': round(exportMs.html),
    'open in UI ms': openMs === null ? 'no browser' : round(openMs),
  }
}
