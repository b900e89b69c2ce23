import { randomBytes } from 'node:crypto'
import { existsSync, openAsBlob, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { makeZip } from '../support/make-zip.ts'
import { makePng } from '../support/media.ts'
import { profileId, quote, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { connections, registerConnection } from './prepare.ts'
import { type Measured, type MeasuredService, startMeasuredService, startServerProcess } from './processes.ts'
import { measureBare } from './versus-bench.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const mebi = 2 ** 20
const pictureBytes = 80_000
const question = 'What is in this picture?'
/** Samples of a run that is not measured. */
const warmUp = 50
/** Bodies that the bare client sends by turns: all of them would be a gigabyte. */
const differentBodies = 100

export interface MediaOptions {
  readonly tasks: number
  readonly rounds: number
  /** Command lines of builds: each is measured in every round. */
  readonly entries: readonly string[]
  readonly profileDir: string | null
}

/** Tasks with a picture of 80 kB each: their import, and their runs against a bare client that sends as many bytes, by turns. */
export async function benchMedia({ tasks, rounds, entries, profileDir }: MediaOptions): Promise<void> {
  const folder = temporaryFolder()
  const { archive, bodies } = writeArchive(join(folder.path, 'pictures.zip'), tasks)
  const server = await startServerProcess()
  const programs = entries.length > 0 ? entries : [existsSync(built) ? built : source]
  const products: Product[] = []
  try {
    for (const entry of programs) {
      const dataDir = join(folder.path, String(products.length))
      const service = await startMeasuredService({ entry, dataDir, profileDir, withUi: false })
      const connectionId = await registerConnection(service, server.baseUrl)
      const file = await openAsBlob(archive)
      const product = { entry, service, connectionId, imported: await timed(service, () => importArchive(service, file)), runs: [] }
      products.push(product)
      // The first run starts threads and loads code.
      await runAll(product, Math.min(tasks, warmUp))
    }
    const bare = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await measureBare(server, bodies, tasks))
      for (const product of products) product.runs.push(await timed(product.service, () => runAll(product, tasks)))
    }
    console.log(
      `${tasks} tasks with a picture of ${pictureBytes / 1000} kB, ${connections} connections, ${rounds} rounds by turns, each median. Load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end.`,
    )
    const seconds = medianOf(bare.map(one => one.seconds))
    const cpuMs = medianOf(bare.map(one => one.cpuMs ?? 0))
    const rows = products.flatMap(({ entry, imported, runs }) => {
      const name = entry === built || entry === source ? '' : ` of ${entry}`
      const run = runs.toSorted((x, y) => x.seconds - y.seconds)[Math.floor(runs.length / 2)] ?? imported
      return [
        [`import${name}`, figures(imported, tasks)],
        [`run${name}`, { ...figures(run, tasks), 'against bare': (seconds / run.seconds).toFixed(2) }],
      ]
    })
    const client = { seconds: seconds.toFixed(1), 'tasks/s': (tasks / seconds).toFixed(0), 'CPU ms/task': (cpuMs / tasks).toFixed(2) }
    console.table(Object.fromEntries([...rows, ['bare client', client]]))
  } finally {
    for (const { service } of products) await service.stop()
    await server.stop()
    folder.remove()
  }
}

interface Product {
  readonly entry: string
  readonly service: MeasuredService
  readonly connectionId: string
  readonly imported: Timed
  readonly runs: Timed[]
}

/** @returns bodies of some of them, as the product sends them */
function writeArchive(archive: string, tasks: number): { readonly archive: string; readonly bodies: readonly string[] } {
  const pictures = Array.from({ length: tasks }, (_, i) =>
    makePng([i % 256, (i >> 8) % 256, 7], { extra: [['teXt', randomBytes(pictureBytes)]] }),
  )
  const rows = pictures.map((_, i) => JSON.stringify({ id: `p${i}`, question, answer: '13', image: `p/${i}.png` })).join('\n')
  const files = pictures.map((content, i) => ({ name: `p/${i}.png`, content }))
  writeFileSync(archive, makeZip([{ name: 'rows.jsonl', content: Buffer.from(rows) }, ...files]))
  return { archive, bodies: pictures.slice(0, differentBodies).map(bodyWith) }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN
}

interface Timed extends Measured {
  readonly seconds: number
}

async function timed(service: MeasuredService, work: () => Promise<void>): Promise<Timed> {
  service.begin()
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  return { ...(await service.end()), seconds }
}

function figures({ seconds, cpuMs, peakRss, loopP99, loopMax }: Timed, tasks: number) {
  return {
    seconds: seconds.toFixed(1),
    'tasks/s': (tasks / seconds).toFixed(0),
    'CPU ms/task': (cpuMs / tasks).toFixed(2),
    'peak memory MB': (peakRss / mebi).toFixed(0),
    'loop delay p99 ms': loopP99.toFixed(1),
    'loop delay max ms': loopMax.toFixed(1),
  }
}

/** As the product sends it. */
function bodyWith(picture: Buffer): string {
  const content = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture.toString('base64')}` } },
    { type: 'text', text: question },
  ]
  return JSON.stringify({ model: 'replay', messages: [{ role: 'user', content }], max_tokens: 1024, temperature: 0 })
}

const Begun = z.object({ id: z.string() })

async function importArchive({ client, baseUrl }: MeasuredService, archive: Blob): Promise<void> {
  const form = new FormData()
  form.set('format', 'jsonl')
  form.set('name', 'Pictures')
  form.set('file', archive, 'pictures.zip')
  const reply = await fetch(`${baseUrl}/v1/catalog/imports`, { method: 'POST', body: form, headers: client.headers })
  if (reply.status !== 202) throw new Error(`The import was refused with ${reply.status}: ${await reply.text()}`)
  const { id } = Begun.parse(await reply.json())
  for (;;) {
    const record = await client.call('getImport', { params: { import_id: id } })
    if (record.status === 'imported') return
    if (isTerminal(importMachine, record.status))
      throw new Error(`The import ended ${record.status}: ${JSON.stringify(record.errors.slice(0, 3))}`)
    await setTimeout(100)
  }
}

async function runAll({ service: { client }, connectionId }: Omit<Product, 'imported'>, tasks: number): Promise<void> {
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [await profileId(client, 'pictures', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: tasks, seed: 1 },
  })
  const { id } = await submit(client, quoteId, `media ${tasks}`)
  for (;;) {
    const run = await client.call('getRun', { params: { run_id: id } })
    if (isTerminal(runMachine, run.status)) {
      if (run.status !== 'complete') throw new Error(`The run ended ${run.status}: ${JSON.stringify(run.progress)}`)
      return
    }
    await setTimeout(100)
  }
}
