import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { quote, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { connections, importTasks, registerConnection, tasks } from './prepare.ts'
import { type MeasuredService, type ServerProcess, startMeasuredService, startServerProcess } from './processes.ts'
import { measurePromptfoo } from './promptfoo.ts'

export interface VersusOptions {
  readonly samples: number
  readonly rounds: number
  /** Command lines of builds: each is measured in every round. */
  readonly entries: readonly string[]
  /** Folder that promptfoo is installed in; null where it is not to be measured. */
  readonly promptfoo: string | null
}

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const Stored = z.object({ frozen: z.number(), scored_at: z.number(), blocks: z.number() })
const Bare = z.object({ kind: z.literal('bare'), seconds: z.number(), cpuMs: z.number() })

interface Figures {
  readonly seconds: number
  /** User and system time of the process in milliseconds; null where it was not measured. */
  readonly cpuMs: number | null
  readonly quoteMs?: number
  readonly finishMs?: number
  readonly perCommit?: number
}

/** The bare client is warm once so many rounds in a row differ by at most this factor; it is given up after the most. */
const agreeing = { rounds: 3, factor: 1.05, most: 30 }
const cold = 'bare client, cold'
const warm = 'bare client, warm'

/**
 * The same questions to the same model server, in turn: by a bare client that is new each time, by one that is warm, by the product, and by
 * promptfoo where it is installed.
 */
export async function benchVersus({ samples, rounds, entries, promptfoo }: VersusOptions): Promise<void> {
  const programs = entries.length > 0 ? entries : [built]
  const missing = programs.find(entry => !existsSync(entry))
  if (missing) throw new Error(`There is no build at ${missing}. Run "npm run build" first.`)
  const server = await startServerProcess()
  const prepared = []
  for (const entry of programs) prepared.push(await prepare(entry, server))
  try {
    const bodies = await requestBodies(prepared[0] ?? never())
    await using bare = startBare(server, bodies)
    const warming = await warmUp(bare, samples)
    const measured: Record<string, Figures[]> = {}
    const note = (name: string, figures: Figures) => (measured[name] ??= []).push(figures)
    for (let round = 0; round < rounds; round++) {
      note(cold, await measureBare(server, bodies, samples))
      note(warm, await bare.measure(samples))
      for (const product of prepared) note(product.name, await measureProduct(product, samples))
      if (promptfoo !== null && round === 0)
        note('promptfoo', await measurePromptfoo(promptfoo, server.baseUrl, bodies, samples, connections))
    }
    console.log(
      `${samples} samples, ${connections} connections, ${rounds} alternated rounds, medians. Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}.`,
    )
    console.log(`Rounds that warmed the bare client: ${warming.map(rate => Math.round(rate)).join(', ')} samples/s.`)
    const rateOf = (name: string) => median(measured[name]?.map(({ seconds }) => samples / seconds) ?? [])
    const bareCpu = median(measured[warm]?.flatMap(({ cpuMs }) => cpuMs ?? []) ?? [])
    console.table(
      Object.fromEntries(
        Object.entries(measured).map(([name, figures]) => {
          const rate = median(figures.map(({ seconds }) => samples / seconds))
          const of = (pick: (row: Figures) => number | null | undefined) => median(figures.flatMap(row => pick(row) ?? []))
          return [
            name,
            {
              'samples/s': shown(rate, 0),
              'of warm bare': shown(rate / rateOf(warm), 2),
              'of cold bare': shown(rate / rateOf(cold), 2),
              'CPU ms/sample': shown(of(row => row.cpuMs) / samples, 3),
              // How fast the machine is does not matter to it.
              'CPU, warm bares': shown(of(row => row.cpuMs) / bareCpu, 1),
              'least CPU': shown(Math.min(...figures.map(row => row.cpuMs ?? Number.POSITIVE_INFINITY)) / samples, 3),
              'quote ms': shown(
                of(row => row.quoteMs),
                0,
              ),
              'finish ms': shown(
                of(row => row.finishMs),
                0,
              ),
              'samples/commit': shown(
                of(row => row.perCommit),
                1,
              ),
            },
          ]
        }),
      ),
    )
  } finally {
    for (const { service } of prepared) await service.stop()
    await server.stop()
    for (const { folder } of prepared) folder.remove()
  }
}

interface Prepared {
  readonly name: string
  readonly service: MeasuredService
  readonly folder: ReturnType<typeof temporaryFolder>
  readonly connectionId: string
  readonly profile: string
}

async function prepare(entry: string, server: ServerProcess): Promise<Prepared> {
  const folder = temporaryFolder()
  const service = await startMeasuredService({ entry, dataDir: folder.path, profileDir: null, withUi: false })
  const connectionId = await registerConnection(service, server.baseUrl)
  const product = { name: entry === built ? 'Assay' : entry, service, folder, connectionId, profile: await importTasks(service) }
  // The first run starts threads and warms the code.
  await measureProduct(product, tasks)
  return product
}

export async function measureProduct({ service, folder, connectionId, profile }: Prepared, samples: number): Promise<Figures> {
  const { client } = service
  const epochs = Math.max(1, Math.ceil(samples / tasks))
  const asked = performance.now()
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: Math.min(tasks, Math.ceil(samples / epochs)), seed: 1 },
    execution: { epochs },
  })
  const quoteMs = performance.now() - asked
  service.begin()
  const started = Date.now()
  const { id } = await submit(client, quoteId, `versus ${samples}`)
  for (;;) {
    const run = await client.call('getRun', { params: { run_id: id } })
    if (isTerminal(runMachine, run.status)) {
      if (run.status !== 'complete') throw new Error(`The run ended ${run.status}: ${JSON.stringify(run.progress)}`)
      break
    }
    // Each look costs a millisecond, which the bare client has no use for.
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const endedAt = Date.now()
  const { cpuMs } = await service.end()
  const { scoredAt, perCommit } = storedFigures(folder.path, id)
  return { seconds: (scoredAt - started) / 1000, cpuMs, quoteMs, finishMs: endedAt - scoredAt, perCommit }
}

/** When the last sample had its scores, in milliseconds since 1970, and samples by commit. */
function storedFigures(dataDir: string, id: string) {
  const db = openDatabase(join(dataDir, 'assay.db'), { readonly: true })
  try {
    const row = db
      .prepare(
        `select frozen,
           (select max(finished_at) from samples s where s.run_no = runs.no) as scored_at,
           (select count(*) from transcript_blocks b where b.run_no = runs.no) as blocks
         from runs where id = ?`,
      )
      .get(id)
    const { frozen, scored_at: scoredAt, blocks } = Stored.parse(row)
    // A commit stores its transcripts as one block.
    return { scoredAt, perCommit: frozen / blocks }
  } finally {
    db.close()
  }
}

interface BareClient extends AsyncDisposable {
  measure(samples: number): Promise<Figures>
}

/** In a process of its own, which is cold at first. */
function startBare(server: ServerProcess, bodies: readonly string[]): BareClient {
  const child = fork(fileURLToPath(new URL('bare-client-process.ts', import.meta.url)))
  return {
    measure: async samples => {
      child.send({ url: `${server.baseUrl}/chat/completions`, bodies, samples, connections })
      const [message] = await once(child, 'message')
      return Bare.parse(message)
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Until rounds agree; answers the samples per second of each. */
async function warmUp(bare: BareClient, samples: number): Promise<number[]> {
  const rates: number[] = []
  const agree = () => {
    const last = rates.slice(-agreeing.rounds)
    return last.length === agreeing.rounds && Math.max(...last) <= Math.min(...last) * agreeing.factor
  }
  while (!agree()) {
    if (rates.length === agreeing.most) throw new Error(`The bare client is not steady after ${rates.length} rounds: the machine is busy.`)
    rates.push(samples / (await bare.measure(samples)).seconds)
  }
  return rates
}

export async function measureBare(server: ServerProcess, bodies: readonly string[], samples: number): Promise<Figures> {
  await using bare = startBare(server, bodies)
  return await bare.measure(samples)
}

/** What the product sent for each task of its first run. */
async function requestBodies({ service: { client } }: Prepared): Promise<string[]> {
  const { items } = await client.call('listRuns', { query: { limit: 1 } })
  const run = items[0] ?? never()
  const bodies: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100, ...(cursor ? { cursor } : {}) } })
    for (const { id } of page.items) {
      const { attempt_log: log } = await client.call('getSample', { params: { run_id: run.id, sample_id: id } })
      const request = log.at(-1)?.request
      if (request) bodies.push(request)
    }
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  if (bodies.length === 0) throw new Error('The first run stored no requests.')
  return bodies
}

function shown(value: number, digits: number): number | string {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : ''
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

function never(): never {
  throw new Error('No build is measured.')
}
