import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { NewPackage } from '../../src/contract/creator/manifest.schemas.ts'
import type { Package } from '../../src/contract/creator/packages.schemas.ts'
import { patience } from './machine-speed.ts'
import { makeZip } from './make-zip.ts'
import { makePng } from './media.ts'
import type { TestClient } from './service.ts'

type Manifest = NewPackage['manifest']
type Row = Readonly<Record<string, unknown>>

/** @param from another start gives other sums */
export const sums = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, at) => {
    const i = from + at
    return { id: `sum-${i}`, question: `What is ${i} plus ${3 * i + 1}?`, answer: String(4 * i + 1) }
  })

export const manifest = (more: Partial<Manifest> = {}): Manifest => ({
  format: 'assay.package/1',
  namespace: 'acme-research',
  name: 'small-sums',
  version: '1.0.0',
  title: 'Small sums',
  summary: 'Sums of small numbers.',
  license: 'CC-BY-4.0',
  creators: [{ name: 'Ada' }],
  languages: ['en'],
  capabilities: ['arithmetic'],
  derived_from: [],
  extractive: false,
  runner: 'inspect',
  fields: { id: 'id', input: 'question', target: 'answer' },
  profiles: [
    {
      key: 'zero-shot',
      title: 'Zero-shot',
      split: 'test',
      prompt_template: '{input}',
      shots: 0,
      generation: { temperature: 0, max_output_tokens: 64, stop: [] },
      metrics: [{ id: 'exact', scorer: 'assay/exact_match', options: {}, primary: true, binary: true }],
    },
  ],
  ...more,
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The files of a package, as `assay.package.json` and one JSON Lines file. */
export function packageFiles(rows: readonly Row[], more: Partial<Manifest> = {}) {
  const tasks = Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  const whole = { ...manifest(more), splits: { test: { file: 'tasks.jsonl', sha256: sha256(tasks) } } }
  return [
    { name: 'assay.package.json', content: Buffer.from(JSON.stringify(whole)) },
    { name: 'tasks.jsonl', content: tasks },
  ]
}

/** How a package of pictures is other than usual. */
export interface PicturedPackage {
  readonly pictureOf?: (i: number) => Buffer<ArrayBuffer>
  /** In the archive and the manifest. */
  readonly path?: (i: number) => string
  /** What the row of a task names. */
  readonly cellOf?: (i: number) => string
  /** As the manifest states it. */
  readonly type?: string
  readonly question?: string
  /** Whether the same tasks are its worked examples, too. */
  readonly canonical?: boolean
  readonly more?: Partial<Manifest>
}

/** Twenty tasks that ask the same of a picture each, whose answer is its colour and size. */
export function picturedPackage({
  pictureOf = i => makePng([i, 20, 30], { width: 8 + i }),
  path = i => `media/${i}.png`,
  cellOf = path,
  type = 'image/png',
  question = 'Which colour and size?',
  canonical = false,
  more = {},
}: PicturedPackage = {}) {
  const order = Array.from({ length: 20 }, (_, i) => i)
  const assets = order.map(i => ({ path: path(i), content: pictureOf(i) }))
  const rows = (name: string) =>
    Buffer.from(
      order.map(i => `${JSON.stringify({ id: `${name}${i}`, question, answer: `${i},20,30 ${8 + i}x8`, picture: cellOf(i) })}\n`).join(''),
    )
  const [tasks, examples] = [rows('p'), rows('e')]
  const whole = {
    ...manifest({ name: 'pictures', fields: { id: 'id', input: 'question', target: 'answer', media: { image: 'picture' } }, ...more }),
    splits: {
      test: { file: 'tasks.jsonl', sha256: sha256(tasks) },
      ...(canonical && { canonical: { file: 'examples.jsonl', sha256: sha256(examples) } }),
    },
    assets: assets.map(asset => ({ path: asset.path, sha256: sha256(asset.content), media_type: type })),
  }
  return makeZip([
    { name: 'assay.package.json', content: Buffer.from(JSON.stringify(whole)) },
    { name: 'tasks.jsonl', content: tasks },
    ...(canonical ? [{ name: 'examples.jsonl', content: examples }] : []),
    ...assets.map(({ path: name, content }) => ({ name, content })),
  ])
}

export const packageZip = (rows: readonly Row[], more: Partial<Manifest> = {}) => makeZip(packageFiles(rows, more))

/** Registers the namespace if it is not there. */
export async function ensureNamespace(client: TestClient, name = 'acme-research') {
  const { items } = await client.call('listNamespaces', { query: { limit: 100 } })
  if (!items.some(one => one.name === name)) await client.call('createNamespace', { body: { name, title: 'A namespace', description: '' } })
}

/** Sends a package as JSON and waits until its checks have ended. */
export async function checkedPackage(
  client: TestClient,
  rows: readonly Row[],
  more: Partial<Manifest> = {},
  limitMs?: number,
): Promise<Package> {
  await ensureNamespace(client, more.namespace)
  const sent = await client.call('createPackage', {
    body: { manifest: manifest(more), tasks: { test: [...rows] }, assets: [], dry_run: false },
  })
  if ('dry_run' in sent) throw new Error('A dry run was not asked for.')
  return packageEnd(client, sent, limitMs)
}

export async function packageEnd(client: TestClient, { id, job_id }: Package, limitMs = 60_000 * patience()): Promise<Package> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const job = await client.call('getJob', { params: { job_id: job_id ?? '' } })
    if (job.state !== 'queued' && job.state !== 'running') break
    if (Date.now() > deadline) throw new Error(`The checks of ${id} still run after ${limitMs} ms.`)
    // Asking without a pause would take the processor from the thread that checks.
    await setTimeout(20)
  }
  return client.call('getPackage', { params: { package_id: id } })
}

export async function reviewsOf(client: TestClient, package_id: string) {
  const { items } = await client.call('listPackageReviews', { params: { package_id }, query: { limit: 100 } })
  return Object.fromEntries(items.map(({ check, outcome, detail, figures, task_ids }) => [check, { outcome, detail, figures, task_ids }]))
}
