import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openDatabase } from '../../src/storage/database.ts'
import { startTestService } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

/**
 * How long a comparison of two big runs takes, 10,000-fold bootstrap included, and what it does to the service's loop meanwhile.
 *
 * @param samples of each run
 */
export async function benchComparisons(samples: number): Promise<void> {
  const service = await startTestService()
  try {
    const db = openDatabase(`${service.dataDir}/assay.db`)
    const subjects = 40
    const benchmark = insertBenchmark(db, {
      slug: 'synthetic',
      tasks: samples,
      preview: place => `Task ${place}`,
      capabilities: place => [place % 3 === 0 ? 'reading' : 'writing'],
      facets: place => ({ subject: `subject ${place % subjects}` }),
    })
    const { workspaceId } = service
    const runs = {
      'pass or fail': [0.6, 0.62].map((rate, i) =>
        insertRun(db, benchmark, {
          workspaceId,
          model: `binary ${i}`,
          metric: metric('exact', true),
          value: (_, random) => (random() < rate ? 1 : 0),
        }),
      ),
      'scores in [0, 1]': [0.6, 0.62].map((mean, i) =>
        insertRun(db, benchmark, {
          workspaceId,
          model: `score ${i}`,
          metric: metric('f1', false),
          value: (_, random) => Math.min(1, mean * 2 * random()),
        }),
      ),
    }
    db.close()
    const rows = []
    for (const [kind, ids] of Object.entries(runs)) {
      for (const round of ['first', 'second']) {
        const delay = monitorEventLoopDelay({ resolution: 1 })
        delay.enable()
        const started = performance.now()
        const before = process.cpuUsage()
        const comparison = await service.client.call('createComparison', { body: { name: kind, run_ids: ids, baseline_id: ids[0] ?? '' } })
        const seconds = (performance.now() - started) / 1000
        const { user, system } = process.cpuUsage(before)
        delay.disable()
        const paged = performance.now()
        await service.client.call('listComparedTasks', { params: { comparison_id: comparison.id }, query: { change: 'lost' } })
        const [headline] = comparison.differences
        rows.push({
          metric: kind,
          round,
          samples: samples * 2,
          seconds: Number(seconds.toFixed(2)),
          'processor seconds': Number(((user + system) / 1e6).toFixed(2)),
          'page of tasks ms': Math.round(performance.now() - paged),
          'loop delay max ms': Number((delay.max / 1e6).toFixed(1)),
          method: headline?.interval?.method,
          parts: comparison.breakdowns.length,
        })
      }
    }
    console.table(rows)
  } finally {
    await service.close()
  }
}
