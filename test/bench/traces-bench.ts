import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { temporaryFolder } from '../support/service.ts'
import { braintrustIds, braintrustKey } from '../support/trace-providers/braintrust-server.ts'
import { readIntegration } from '../support/trace-providers/connected.ts'
import { iso, scriptedServer } from '../support/trace-providers/scripted-server.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const begin = Date.parse('2026-11-01T00:00:00Z')
const mebi = 1024 * 1024

/** A backfill of so many traces of one span, then lists over them. */
export async function benchTraces(traces: number): Promise<void> {
  const folder = temporaryFolder()
  const server = await rowsOnDemand(traces)
  const program = existsSync(built) ? built : source
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    const body = { base_url: server.url, access_key: braintrustKey, project_id: braintrustIds.project }
    const { id } = await service.client.call('connectProviderC', { body })
    console.log(`${program === source ? 'From source' : 'Built'}. Load average ${(loadavg()[0] ?? 0).toFixed(1)}.`)
    console.table(await measureBackfill(service, id, traces))
    console.table(await measureLists(service))
  } finally {
    await service.stop()
    await server.close()
    folder.remove()
  }
}

/** A project whose rows are made when they are asked for. */
function rowsOnDemand(traces: number) {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
  const row = (i: number) => {
    const id = `trace-${i}`
    const start = (begin + i * 1000) / 1000
    return {
      id,
      span_id: id,
      root_span_id: id,
      span_parents: null,
      is_root: true,
      created: iso(begin + i * 1000),
      _pagination_key: String(i).padStart(12, '0'),
      input: [{ role: 'user', content: `Question ${i}: ${text}` }],
      output: `Answer ${i % 97}: ${text}`,
      error: i % 50 === 0 ? 'It failed' : null,
      metrics: { start, end: start + 1.25, prompt_tokens: 100 + (i % 50), completion_tokens: 20 },
      metadata: { model: i % 3 === 0 ? 'gpt-6' : 'claude-6' },
      span_attributes: { name: `answer ${i % 10}`, type: 'llm' },
    }
  }
  return scriptedServer(({ path, body }) => {
    if (path === '/v1/organization') return { status: 200, body: { objects: [] } }
    if (path.startsWith('/v1/project/')) return { status: 200, body: { id: braintrustIds.project, name: 'Bench', org_id: 'o' } }
    const query = String(body['query'])
    const after = /_pagination_key > '(\d+)'/.exec(query)?.[1]
    const limit = Number(/limit: (\d+)$/.exec(query)?.[1])
    const first = after === undefined ? 0 : Number(after) + 1
    const count = Math.max(0, Math.min(limit, traces - first))
    return { status: 200, body: { data: Array.from({ length: count }, (_, i) => row(first + i)) } }
  })
}

async function measureBackfill(service: MeasuredService, id: string, traces: number) {
  const rows: Record<string, string | number>[] = []
  const started = performance.now()
  service.begin()
  await service.client.call('backfillTraces', {
    params: { integration_id: id },
    body: { from: iso(begin), to: iso(Math.min(Date.now(), begin + 366 * 86_400_000)) },
  })
  let next = traces / 4
  for (;;) {
    const { status, backfill, last_error } = await readIntegration(service.client, id)
    const spans = backfill?.spans ?? 0
    if (spans >= next || status !== 'backfilling') {
      const { peakRss, ownMemory, loopP99, loopMax } = await service.end()
      rows.push({
        spans,
        seconds: ((performance.now() - started) / 1000).toFixed(1),
        'peak RSS, MiB': Math.round(peakRss / mebi),
        'without mapped files, MiB': ownMemory === null ? '–' : Math.round(ownMemory / mebi),
        'loop p99, ms': loopP99.toFixed(1),
        'loop max, ms': loopMax.toFixed(1),
      })
      service.begin()
      next += traces / 4
    }
    if (last_error) throw new Error(last_error.message)
    if (status !== 'backfilling') return rows
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function measureLists(service: MeasuredService) {
  type Query = NonNullable<Request<Api['listTraces']>['query']>
  const queries: Readonly<Record<string, Query>> = {
    'newest first': {},
    'by model': { model: 'gpt-6' },
    'with errors': { has_error: true },
    'without errors': { has_error: false },
    'a rare model': { model: 'none' },
    'frequent words': { q: 'question' },
    'rare words': { q: '77777' },
    'frequent and rare words': { q: 'question 77777' },
    'words and errors': { q: 'answer', has_error: true },
    'by source and time': { source: 'braintrust', to: iso(begin + 30_000_000) },
    'another source': { source: 'otlp' },
  }
  const rows: Record<string, string | number>[] = []
  for (const [what, query] of Object.entries(queries)) {
    const times: number[] = []
    let found = 0
    for (let i = 0; i < 11; i++) {
      const before = performance.now()
      found = (await service.client.call('listTraces', { query: { ...query, limit: 100 } })).items.length
      times.push(performance.now() - before)
    }
    times.sort((a, b) => a - b)
    rows.push({ list: what, rows: found, 'median, ms': (times[5] ?? 0).toFixed(1), 'slowest, ms': (times[10] ?? 0).toFixed(1) })
  }
  return rows
}
