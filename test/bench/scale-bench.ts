import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { openDatabase } from '../../src/storage/database.ts'
import { startTestService, type TestClient } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

const runs = 10
const rounds = 15

/**
 * How long what people look at takes when there is much: ten runs of 100,000 samples, 1,000,000 in all, past the run that made them.
 *
 * @param samples of each run
 */
export async function benchScale(samples: number): Promise<void> {
  await using service = await startTestService()
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const benchmark = insertBenchmark(db, {
    slug: 'synthetic',
    tasks: samples,
    preview: place => `Task ${place}`,
    capabilities: () => ['reading'],
    facets: place => ({ subject: `subject ${place % 40}` }),
  })
  const ids = Array.from({ length: runs }, (_, i) =>
    insertRun(db, benchmark, {
      workspaceId: service.workspaceId,
      model: `model ${i}`,
      metric: metric('exact', true),
      value: (_place, random) => (random() < 0.6 ? 1 : 0),
    }),
  )
  db.close()

  const { client } = service
  const params = { run_id: ids[5] ?? '' }
  const slowest = '-latency' as const
  let cursor: string | null = null
  for (let page = 0; page < 200; page++) {
    const pageOfSamples: { next_cursor: string | null } = await client.call('listSamples', {
      params,
      query: { limit: 100, sort: slowest, ...(cursor ? { cursor } : {}) },
    })
    cursor = pageOfSamples.next_cursor
  }
  const deep = cursor ?? ''
  const looks: Readonly<Record<string, () => Promise<unknown>>> = {
    'list of runs': () => client.call('listRuns', { query: { limit: 50 } }),
    'one run': () => client.call('getRun', { params }),
    results: () => client.call('getRunResults', { params }),
    'first samples': () => client.call('listSamples', { params, query: { limit: 100 } }),
    'wrong ones': () => client.call('listSamples', { params, query: { limit: 100, passed: 'false' } }),
    'failed ones, of which there are none': () => client.call('listSamples', { params, query: { limit: 100, status: 'failed' } }),
    'slowest first': () => client.call('listSamples', { params, query: { limit: 100, sort: slowest } }),
    'slowest first, 20,000 further': () => client.call('listSamples', { params, query: { limit: 100, sort: slowest, cursor: deep } }),
    'search with few matches': () => client.call('listSamples', { params, query: { limit: 100, q: '9999' } }),
    'search with none': () => client.call('listSamples', { params, query: { limit: 100, q: 'nowhere' } }),
    storage: () => client.call('getStorage', {}),
  }
  const rows = []
  for (const [what, look] of Object.entries(looks)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      await look()
      times.push(performance.now() - started)
    }
    const [first = Number.NaN] = times
    times.sort((a, b) => a - b)
    const rounded = (value: number | undefined) => Number((value ?? Number.NaN).toFixed(1))
    rows.push({
      what,
      'first ms': rounded(first),
      'median ms': rounded(times[Math.floor(rounds / 2)]),
      'slowest ms': rounded(times.at(-1)),
    })
  }
  const once: Readonly<Record<string, () => Promise<unknown>>> = {
    backup: () => backUp(client),
    'start on it, once more': () => service.restart(),
  }
  for (const [what, look] of Object.entries(once)) {
    const started = performance.now()
    await look()
    rows.push({ what, 'first ms': Math.round(performance.now() - started) })
  }
  const bytes = statSync(`${service.dataDir}/assay.db`).size / (runs * samples)
  console.log(`${runs} runs of ${samples} samples, ${bytes.toFixed(0)} bytes each. Load average ${(loadavg()[0] ?? 0).toFixed(1)}.`)
  console.table(rows)
}

async function backUp(client: TestClient): Promise<void> {
  await client.call('startBackup', {})
  while ((await client.call('listBackups', {})).running) await new Promise(resolve => setTimeout(resolve, 50))
  const { last_failure: failure } = await client.call('listBackups', {})
  if (failure) throw new Error(`The backup failed: ${JSON.stringify(failure)}`)
}
