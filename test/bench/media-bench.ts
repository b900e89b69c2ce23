import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
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

/** Tasks with a picture of 80 kB each: their import, and their run against a bare client that sends as many bytes. */
export async function benchMedia(tasks: number): Promise<void> {
  const pictures = Array.from({ length: tasks }, (_, i) =>
    makePng([i % 256, (i >> 8) % 256, 7], { extra: [['teXt', randomBytes(pictureBytes)]] }),
  )
  const rows = pictures.map((_, i) => JSON.stringify({ id: `p${i}`, question, answer: '13', image: `p/${i}.png` })).join('\n')
  const archive = makeZip([
    { name: 'rows.jsonl', content: Buffer.from(rows) },
    ...pictures.map((content, i) => ({ name: `p/${i}.png`, content })),
  ])
  const bodies = pictures.slice(0, differentBodies).map(bodyWith)
  const folder = temporaryFolder()
  const server = await startServerProcess()
  const program = existsSync(built) ? built : source
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    const connectionId = await registerConnection(service, server.baseUrl)
    const before = loadavg()[0] ?? 0
    const imported = await timed(service, () => importArchive(service, archive))
    const bare = await measureBare(server, bodies, tasks)
    // The first run starts threads and loads code.
    await runAll(service, connectionId, Math.min(tasks, warmUp))
    const run = await timed(service, () => runAll(service, connectionId, tasks))
    console.log(
      `${program === source ? 'From source' : 'Built'}. ${tasks} tasks with a picture of ${pictureBytes / 1000} kB, ${connections} connections. Load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    )
    console.table({
      import: figures(imported, tasks),
      run: { ...figures(run, tasks), 'against bare': (bare.seconds / run.seconds).toFixed(2) },
      'bare client': {
        seconds: bare.seconds.toFixed(1),
        'tasks/s': (tasks / bare.seconds).toFixed(0),
        'CPU ms/task': ((bare.cpuMs ?? 0) / tasks).toFixed(2),
      },
    })
  } finally {
    await service.stop()
    await server.stop()
    folder.remove()
  }
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

async function importArchive({ client, baseUrl }: MeasuredService, archive: Buffer<ArrayBuffer>): Promise<void> {
  const form = new FormData()
  form.set('format', 'jsonl')
  form.set('name', 'Pictures')
  form.set('file', new Blob([archive]), 'pictures.zip')
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

async function runAll({ client }: MeasuredService, connectionId: string, tasks: number): Promise<void> {
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
