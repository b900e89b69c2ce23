import { fileURLToPath } from 'node:url'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { runMixedLoad } from '../support/mixed-load.ts'
import { quote, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { importTasks, registerConnection, tasks } from './prepare.ts'
import { type MeasuredService, startMeasuredService, startServerProcess } from './processes.ts'
import { watchRun } from './watch-run.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))

/** What goes on while a run is executed. */
const companies = {
  alone: null,
  '50 clients, 4 requests/s each': { clients: 50, pauseMs: 250 },
  '50 clients without pause': { clients: 50, pauseMs: 0 },
  '200 event streams': { streams: 200 },
} as const
type Company = (typeof companies)[keyof typeof companies]

export interface BesideOptions {
  readonly samples: number
  readonly rounds: number
  /** A build's command line; null: this checkout's. */
  readonly entry: string | null
  readonly profileDir: string | null
  /** Measures only what has this in its name. */
  readonly only: string | null
}

interface Beside {
  readonly rate: number
  readonly reads: readonly number[]
  readonly requests: number
  readonly events: number
  readonly cpuMs: number
  readonly loopP99: number
  readonly loopMax: number
  readonly turnCpuP99: number
  readonly peakMb: number
}

/** How fast a run is beside clients that read and write, and beside people who watch it, against alone: medians of alternated rounds. */
export async function benchBeside({ samples, rounds, entry, profileDir, only }: BesideOptions): Promise<void> {
  const folder = temporaryFolder()
  const server = await startServerProcess()
  const service = await startMeasuredService({ entry: entry ?? built, dataDir: folder.path, profileDir, withUi: false })
  try {
    const connectionId = await registerConnection(service, server.baseUrl)
    const profile = await importTasks(service)
    // The first run starts threads and warms the code.
    await measure(service, connectionId, profile, tasks, null)
    const measured: Record<string, Beside[]> = {}
    for (let round = 0; round < rounds; round++)
      for (const [name, company] of Object.entries(companies).filter(([name]) => only === null || name.includes(only)))
        (measured[name] ??= []).push(await measure(service, connectionId, profile, samples, company))
    const alone = median(measured['alone']?.map(({ rate }) => rate) ?? [])
    console.log(`${samples} samples, ${rounds} alternated rounds, medians. Node ${process.version}.`)
    console.table(Object.fromEntries(Object.entries(measured).map(([name, rows]) => [name, describe(rows, alone, samples)])))
  } finally {
    await service.stop()
    await server.stop()
    folder.remove()
  }
}

async function measure(
  service: MeasuredService,
  connectionId: string,
  profile: string,
  samples: number,
  company: Company,
): Promise<Beside> {
  const { client } = service
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [profile],
    execution: { epochs: Math.max(1, Math.round(samples / tasks)) },
  })
  const stop = new AbortController()
  const load = company && 'clients' in company ? company : null
  // Under way before the run begins.
  const loaded = load && runMixedLoad(service, { ...load, requests: Number.POSITIVE_INFINITY, writeEvery: 10, signal: stop.signal })
  service.begin()
  const started = performance.now()
  const { id } = await submit(client, quoteId, 'a run')
  const watched = company && 'streams' in company ? await watchRun(service, id, company.streams) : null
  let scoredAt = 0
  for (;;) {
    const run = await client.call('getRun', { params: { run_id: id } })
    if (scoredAt === 0 && run.progress.scored === run.progress.frozen) scoredAt = performance.now()
    if (isTerminal(runMachine, run.status)) {
      if (run.status !== 'complete') throw new Error(`The run ended ${run.status}: ${JSON.stringify(run.progress)}`)
      break
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const { cpuMs, loopP99, loopMax, turnCpuP99, peakRss } = await service.end()
  stop.abort()
  const { reads, requests, lost } = (await loaded) ?? { reads: [], requests: 0, lost: [] }
  if (lost.length > 0) throw new Error(`${lost.length} requests were lost, among them ${lost[0]}`)
  const { events } = (await watched?.ended()) ?? { events: 0 }
  const seconds = (scoredAt - started) / 1000
  return { rate: samples / seconds, reads, requests, events, cpuMs, loopP99, loopMax, turnCpuP99, peakMb: peakRss / 2 ** 20 }
}

function describe(rows: readonly Beside[], alone: number, samples: number) {
  const of = (pick: (row: Beside) => number) => median(rows.map(pick))
  const round = (value: number, digits = 0) => (Number.isFinite(value) ? Number(value.toFixed(digits)) : '')
  const reads = rows.flatMap(row => row.reads).sort((a, b) => a - b)
  const quantile = (p: number) => round(reads[Math.floor(reads.length * p)] ?? Number.NaN, 1)
  return {
    'samples/s': round(of(row => row.rate)),
    'of alone': round(of(row => row.rate) / alone, 2),
    'CPU ms/sample': round(of(row => row.cpuMs) / samples, 3),
    'requests/s': round(of(row => (row.requests * row.rate) / samples)),
    'reads p50 ms': quantile(0.5),
    'reads p99 ms': quantile(0.99),
    'loop p99 ms': round(
      of(row => row.loopP99),
      1,
    ),
    'loop max ms': round(
      of(row => row.loopMax),
      1,
    ),
    'turn p99, CPU ms': round(
      of(row => row.turnCpuP99),
      1,
    ),
    'peak MB': round(of(row => row.peakMb)),
    events: round(of(row => row.events)),
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
