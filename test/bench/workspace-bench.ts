import { openDatabase } from '../../src/storage/database.ts'
import { startTestService } from '../support/service.ts'
import { fillWorkspace } from './synthetic-workspace.ts'

const rounds = 7

/** How long the lists of a workspace take after years of a team of five. */
export async function benchWorkspace(years: number): Promise<void> {
  await using service = await startTestService()
  const { client } = service
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const counts = fillWorkspace(db, service.workspaceId, years)
  db.close()
  const looks: Readonly<Record<string, () => Promise<unknown>>> = {
    'list of runs': () => client.call('listRuns', { query: { limit: 100 } }),
    'runs by score': () => client.call('listRuns', { query: { limit: 100, sort: '-score' } }),
    'runs of one model': () => client.call('listRuns', { query: { limit: 100, model: 'team-model-1' } }),
    'search in runs': () => client.call('listRuns', { query: { limit: 100, q: 'model-17' } }),
    leaderboard: () => client.call('getLeaderboard', {}),
    'scores over time': () => client.call('getScoreHistory', { query: { profile_id: 'team-benchmark-0@3:default' } }),
    catalog: () => client.call('listBenchmarks', { query: { limit: 100 } }),
    'search in the catalog': () => client.call('listBenchmarks', { query: { limit: 5, q: 'benchmark-17' } }),
    traces: () => client.call('listTraces', { query: { limit: 100 } }),
    'preview of a retention': () => client.call('previewRetention', { query: { kind: 'traces', max_age_days: 90 } }),
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
    const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
    rows.push({ what, 'first ms': Number(first.toFixed(1)), 'median ms': Number(median.toFixed(1)) })
  }
  console.log(
    Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  )
  console.table(rows)
}
