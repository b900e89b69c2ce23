import type { Run, RunActivity } from '../../contract/index.ts'
import type { Scheduler } from '../../engine/execution/scheduler/scheduler.ts'
import type { Kernel } from '../kernel.ts'
import type { LiveRuns } from './live-runs.ts'
import { partsOf } from './parts.store.ts'
import { regradedSamples, regradeOf } from './regrades.store.ts'
import { toRun } from './run-record.ts'
import { countsOf, failuresOf, findRunByNo, type RunRow } from './runs.store.ts'

/** Puts a run together as the interface shows it, from what is stored and what it is doing at the moment. */
export function createRunDescriber(
  { db }: Kernel,
  live: LiveRuns,
  view: Scheduler['view'],
  regradeJob: (runId: string) => string | null,
): (row: RunRow) => Run {
  return row => {
    const counts = countsOf(db, row.no)
    return toRun(row, {
      counts,
      failures: (counts.get('failed') ?? 0) > 0 ? failuresOf(db, row.no) : [],
      parts: partsOf(db, row.no),
      partOf: row.part_of === null ? null : (findRunByNo(db, row.part_of)?.id ?? null),
      regrade: regradeProgress(row, counts.get('scored') ?? 0),
      activity: activityOf(view(row.id)),
      samplesPerSecond: live.samplesPerSecond(row.no),
    })
  }

  function regradeProgress({ id, no }: RunRow, samples: number): Run['regrade'] {
    const regrade = regradeOf(db, no)
    return regrade && { result_version: regrade.version, graded: regradedSamples(db, no, regrade.version), samples, job_id: regradeJob(id) }
  }
}

function activityOf(view: ReturnType<Scheduler['view']>): RunActivity | null {
  if (!view) return null
  const { run, endpoint } = view
  return {
    concurrency: run.concurrency,
    asking: run.asking,
    pausing: run.pausing,
    grading: run.grading,
    waited_ms: run.waitedMs,
    blocked: run.blocked,
    endpoint: {
      limit: endpoint.limit,
      most: endpoint.most,
      active: endpoint.active,
      waiting: endpoint.waiting,
      throttled: endpoint.throttled,
      slowed: endpoint.slowed,
      runs: endpoint.users,
      pause_ms: endpoint.pauseMs,
      rate_wait_ms: endpoint.rateWaitMs,
    },
  }
}
