import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ReleaseRule } from '../../src/contract/releases/rules.schemas.ts'
import { insertReleaseSuite } from '../../src/service/releases/suites.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createWorkers } from '../../src/workers/pool.ts'
import { startTestService } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

/** How long the analysis of a big release decision takes on its thread, and what that does to this one meanwhile. */
export async function benchReleases(tasks: number): Promise<void> {
  const service = await startTestService()
  const workers = createWorkers(`${service.dataDir}/assay.db`)
  try {
    const db = openDatabase(`${service.dataDir}/assay.db`)
    const benchmark = insertBenchmark(db, {
      slug: 'synthetic',
      tasks,
      preview: place => `Task ${place}`,
      capabilities: () => ['reading'],
      facets: place => ({ subject: `subject ${place % 400}` }),
    })
    const { workspaceId } = service
    const [candidate = '', baseline = ''] = [0.62, 0.6].map((rate, i) =>
      insertRun(db, benchmark, {
        workspaceId,
        model: `model ${i}`,
        metric: metric('exact', true),
        value: (_, random) => (random() < rate ? 1 : 0),
      }),
    )
    const ids = db
      .all(db.sql.selectFrom('tasks').select('task_id').where('version_no', '=', benchmark.versionNo).orderBy('no'))
      .map(row => row.task_id)
    const suiteVersionId = crypto.randomUUID()
    const group = { key: 'all', title: 'All', weight: 1, critical: true, profile_id: null, cluster_by: null, capabilities: [] }
    const selection = { source_ref: benchmark.sourceRef, split: 'test' as const, version_digest: '0'.repeat(64), task_ids: ids }
    insertReleaseSuite(db, workspaceId, {
      id: suiteVersionId,
      suite_id: suiteVersionId,
      version: 1,
      previous_version_id: null,
      name: 'Synthetic',
      description: '',
      tasks,
      digest: '0'.repeat(64),
      created_at: '2026-11-20T09:30:00.000Z',
      groups: [{ ...group, suite_version_id: null, tasks, task_selections: [selection] }],
    })
    db.close()
    const run = async (runId: string) => {
      const { result_version, reproducibility } = await service.client.call('getRunResults', { params: { run_id: runId }, query: {} })
      return { runId, resultVersion: result_version, profiles: reproducibility.profiles, rates: null }
    }
    const runs = { candidate: [await run(candidate)], baseline: [await run(baseline)] }
    const rules = [
      { kind: 'min_score', key: 'score', threshold: 0.5 },
      { kind: 'superiority', key: 'better' },
      { kind: 'non_inferiority', key: 'not-worse', margin: 0.01 },
      { kind: 'max_error_rate', key: 'errors', threshold: 0.05 },
      { kind: 'max_latency', key: 'latency', quantile: 0.95, max_ms: 60_000 },
      { kind: 'no_critical_regression', key: 'critical', max: tasks },
    ].map(rule => ReleaseRule.parse(rule))
    const rows = []
    for (const clusterBy of [null, 'subject']) {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const started = performance.now()
      const answer = await workers.release(
        {
          suiteVersionId,
          groups: [{ key: 'all', weight: 1, critical: true, clusterBy, capabilities: [], runs, confirm: null }],
          seed: 1,
          rules,
          alpha: 0.05,
          looks: 1,
          look: 1,
          external: [],
          facts: {
            judges: [],
            calibrations: [],
            labels: {},
            criticalIssues: { open: 0, covered: 0 },
            issues: { critical: 0, high: 0, medium: 0, low: 0 },
          },
          now: '2026-11-23T00:00:00.000Z',
        },
        new AbortController().signal,
      )
      delay.disable()
      rows.push({
        clusters: clusterBy ?? 'none',
        tasks: answer.tasks,
        seconds: Number(((performance.now() - started) / 1000).toFixed(2)),
        'loop delay max ms': Number((delay.max / 1e6).toFixed(1)),
        verdicts: answer.rules.map(({ verdict }) => verdict).join(' '),
      })
    }
    console.table(rows)
  } finally {
    await workers.close()
    await service.close()
  }
}
