import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { drawFrom } from '../../src/engine/tasks/draw.ts'
import { sendExamples } from '../support/datasets.ts'
import { temporaryFolder } from '../support/service.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const mapping = { input: 'question', output: 'answer', expected: 'target', id: 'id', labels: { ann: 'ann', bob: 'bob', cy: 'cy' } }

/** A dataset of `count` labeled examples: importing it, looking at it, freezing and scanning it. */
export async function benchDatasets(count: number): Promise<void> {
  const content = table(count)
  const folder = temporaryFolder()
  const program = existsSync(built) ? built : source
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    const { client } = service
    const { id } = await client.call('createDataset', { body: { name: 'Large', task: 'classify', labels: ['yes', 'no', 'maybe'] } })
    console.log(
      `${program === source ? 'From source' : 'Built'}, ${count} examples, ${(content.length / 2 ** 20).toFixed(0)} MB. Load ${loadavg()[0]?.toFixed(1)}.`,
    )
    console.table([await measured(service, 'import', () => importAll(service, id, content))])
    const params = { dataset_id: id }
    const { items } = await client.call('listExamples', { params, query: { limit: 50 } })
    const rare = typeof items[7]?.input === 'string' ? (items[7].input.split(' ')[5] ?? '') : ''
    const lists = {
      'first page': {},
      'newest first': { sort: '-added' },
      'a label': { label: 'maybe' },
      'tied, newest first': { label_state: 'tie', sort: '-added' },
      'a state that none has': { review_state: 'approved' },
      'a label and a state that do not meet': { label: 'yes', label_state: 'none' },
      'a rare word': { q: rare },
      'a word of every example': { q: 'question' },
      'the beginning of many words': { q: 'a' },
      'two words and a label': { q: `question ${rare}`, label: 'no' },
      'a word of every example, newest, unmatched label state': { q: 'question', sort: '-added', label_state: 'none' },
    } as const
    const rows = []
    for (const [what, query] of Object.entries(lists)) rows.push(await listed(service, what, id, query))
    console.table(rows)
    console.table([
      await measured(service, 'read the dataset (agreement computed)', () => client.call('getDataset', { params })),
      await measured(service, 'read the dataset again', () => client.call('getDataset', { params })),
      await measured(service, 'list datasets', () => client.call('listDatasets', {})),
      await measured(service, 'scan', () => scanAll(service, id)),
    ])
  } finally {
    await service.stop()
    folder.remove()
  }
}

async function measured(service: MeasuredService, what: string, work: () => Promise<unknown>) {
  service.begin()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  const { cpuMs, loopP99, loopMax, peakRss } = await service.end()
  return {
    what,
    ms: Math.round(ms),
    'cpu ms': Math.round(cpuMs),
    'loop p99 ms': loopP99.toFixed(1),
    'loop max ms': loopMax.toFixed(0),
    'peak MB': Math.round(peakRss / 2 ** 20),
  }
}

async function listed({ client }: MeasuredService, what: string, dataset_id: string, query: object) {
  const times: number[] = []
  let found = 0
  for (let i = 0; i < 20; i++) {
    const started = performance.now()
    found = (await client.call('listExamples', { params: { dataset_id }, query: { limit: 50, ...query } })).items.length
    times.push(performance.now() - started)
  }
  const ascending = times.sort((a, b) => a - b)
  return { list: what, found, 'median ms': ascending[10]?.toFixed(1), 'max ms': ascending[19]?.toFixed(1) }
}

async function importAll(service: MeasuredService, datasetId: string, content: Buffer): Promise<void> {
  const fields = { format: 'jsonl', mapping: JSON.stringify(mapping) }
  const reply = await sendExamples(service, service.client, datasetId, { name: 'large.jsonl', content, fields })
  const { id } = (await reply.json()) as { id: string } // read again below
  for (;;) {
    const record = await service.client.call('getDatasetImport', { params: { dataset_id: datasetId, import_id: id } })
    if (record.status === 'imported') return
    if (record.finished_at !== null) throw new Error(`The import ended ${record.status}: ${JSON.stringify(record.errors.slice(0, 3))}`)
    await setTimeout(50)
  }
}

async function scanAll({ client }: MeasuredService, dataset_id: string): Promise<void> {
  const { id } = await client.call('createDatasetScan', { params: { dataset_id }, body: {} })
  for (;;) {
    const scan = await client.call('getDatasetScan', { params: { dataset_id, scan_id: id } })
    if (scan.status === 'succeeded') return
    if (scan.finished_at !== null) throw new Error(`The scan ended ${scan.status}: ${scan.error?.message}`)
    await setTimeout(50)
  }
}

/** Examples of about half a kilobyte, each labeled by three annotators who agree four times in five. */
function table(count: number): Buffer {
  const draw = drawFrom(1)
  const letters = () => String.fromCharCode(draw.int(97, 122))
  const vocabulary = Array.from({ length: 20_000 }, () => Array.from({ length: draw.int(3, 9) }, letters).join(''))
  const words = (n: number) => Array.from({ length: n }, () => vocabulary[draw.int(0, vocabulary.length - 1)]).join(' ')
  const labels = ['yes', 'no', 'maybe']
  const lines = Array.from({ length: count }, (_, i) => {
    const truth = draw.int(0, 2)
    const label = () => labels[draw.int(1, 5) === 1 ? draw.int(0, 2) : truth]
    const texts = { question: `Question ${i}: ${words(40)}?`, answer: words(25), target: words(3) }
    return JSON.stringify({ id: `q${i}`, ...texts, ann: label(), bob: label(), cy: label() })
  })
  return Buffer.from(lines.join('\n'))
}
