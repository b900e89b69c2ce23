import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { drawFrom } from '../../src/engine/tasks/draw.ts'
import { makeZip } from '../support/make-zip.ts'
import { temporaryFolder } from '../support/service.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const mebi = 1024 * 1024
const interval = 50

/** How smoothly the service answers while it takes in large files: a JSONL of `megabytes`, and a zip of half as many with one large list in it. */
export async function benchImports(megabytes: number): Promise<void> {
  // Made first: it takes seconds, in which a connection would be closed.
  const lines = table(megabytes * mebi)
  const archive = passages((megabytes / 2) * mebi)
  const folder = temporaryFolder()
  const program = existsSync(built) ? built : source
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    // The first import warms the code.
    await measure(service, 'Warm', { format: 'jsonl', name: 'Warm' }, 'warm.jsonl', table(mebi))
    console.log(`${program === source ? 'From source' : 'Built'}. Load average ${(loadavg()[0] ?? 0).toFixed(1)}.`)
    console.table([
      await measure(service, 'JSONL', { format: 'jsonl', name: 'Large' }, 'large.jsonl', lines),
      await measure(service, 'zip (DROP)', { recipe: 'drop' }, 'drop_dataset.zip', archive),
    ])
  } finally {
    await service.stop()
    folder.remove()
  }
}

const Begun = z.object({ id: z.string() })

async function measure(service: MeasuredService, what: string, fields: Record<string, string>, name: string, content: Buffer<ArrayBuffer>) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([content]), name)
  service.begin()
  const started = performance.now()
  const reply = await fetch(`${service.baseUrl}/v1/catalog/imports`, {
    method: 'POST',
    body: form,
    headers: service.client.headers,
  })
  if (reply.status !== 202) throw new Error(`The import was refused with ${reply.status}: ${await reply.text()}`)
  const { id } = Begun.parse(await reply.json())
  const sent = performance.now() - started
  const asked: number[] = []
  for (;;) {
    const before = performance.now()
    const record = await service.client.call('getImport', { params: { import_id: id } })
    asked.push(performance.now() - before)
    if (isTerminal(importMachine, record.status)) {
      const measured = await service.end()
      if (record.status !== 'imported') throw new Error(`The import failed: ${JSON.stringify(record.errors.slice(0, 3))}`)
      return {
        file: what,
        MB: (content.length / mebi).toFixed(0),
        tasks: record.rows.valid,
        'sent s': (sent / 1000).toFixed(1),
        'whole s': ((performance.now() - started) / 1000).toFixed(1),
        'loop p99 ms': measured.loopP99.toFixed(1),
        'loop max ms': measured.loopMax.toFixed(0),
        'slowest answer ms': Math.max(...asked).toFixed(0),
        'peak MB': (measured.peakRss / mebi).toFixed(0),
      }
    }
    await setTimeout(interval)
  }
}

/** Questions of about a kilobyte each. */
function table(bytes: number): Buffer<ArrayBuffer> {
  const word = words()
  const parts: string[] = []
  for (let size = 0, i = 0; size < bytes; i++) {
    const line = `${JSON.stringify({ id: `t${i}`, input: `Question ${i}: ${word(150)}`, target: String(i) })}\n`
    size += line.length
    parts.push(line)
  }
  return Buffer.from(parts.join(''))
}

/** An archive like DROP's with one list of passages; words of random letters, so that it packs no better than text does. */
function passages(bytes: number): Buffer<ArrayBuffer> {
  const word = words()
  const date = { day: '', month: '', year: '' }
  const all: Record<string, unknown> = {}
  // Packed, such text is about 0.65 of its size.
  for (let size = 0, i = 0; size < Math.min(bytes / 0.65, 60 * mebi); i++) {
    const passage = word(400)
    const pairs = Array.from({ length: 4 }, (_, q) => ({
      query_id: `q${i}-${q}`,
      question: `What is ${word(6)}?`,
      answer: { number: String(q), date, spans: [] },
      validated_answers: [],
    }))
    all[`p${i}`] = { passage, qa_pairs: pairs }
    size += passage.length + 700
  }
  return makeZip([{ name: 'drop_dataset/drop_dataset_dev.json', content: Buffer.from(JSON.stringify(all)) }])
}

function words(): (count: number) => string {
  const draw = drawFrom(1)
  const letters = () => String.fromCharCode(draw.int(97, 122))
  return count => Array.from({ length: count }, () => Array.from({ length: 5 }, letters).join('')).join(' ')
}
