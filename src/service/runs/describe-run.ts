import type { Job } from '../../contract/jobs/jobs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run, RunActivity, RunPause } from '../../contract/runs/runs.schemas.ts'
import { describeWaits, endpointPause } from '../../engine/execution/scheduler/describe-waits.ts'
import type { Scheduler } from '../../engine/execution/scheduler/scheduler.ts'
import type { Kernel } from '../kernel.ts'
import type { LiveRuns } from './live-runs.ts'
import { regradedSamples } from './regrades.store.ts'
import { readRunFacts, type StoredRunFacts } from './run-facts.store.ts'
import { toRun } from './run-record.ts'
import { failuresOf, findRunByNo, type RunRow } from './runs.store.ts'

/** Puts a run together as the interface shows it, from what is stored and what it is doing at the moment. */
export function createRunDescriber(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  live: LiveRuns,
  view: Scheduler['view'],
  regradeJob: (runId: string) => Job | null,
): { one(row: RunRow): Run; all(rows: readonly RunRow[]): Run[] } {
  const all = (rows: readonly RunRow[]): Run[] => {
    const factsOf = readRunFacts(
      db,
      rows.map(row => row.no),
    )
    return rows.map(row => describe(row, factsOf(row.no)))
  }
  return { all, one: row => describe(row, readRunFacts(db, [row.no])(row.no)) }

  function describe(row: RunRow, { counts, parts, annotations, regradeVersion, scores }: StoredRunFacts): Run {
    const seen = view(row.id)
    const now = clock.now().getTime()
    countWaitingAsPending(counts, waitingSamples(row, seen, now, counts))
    return toRun(row, {
      counts,
      failures: (counts.get('failed') ?? 0) > 0 ? failuresOf(db, row.no) : [],
      parts,
      partOf: row.part_of === null ? null : (findRunByNo(db, row.part_of)?.id ?? null),
      regrade: regradeVersion === null ? null : regradeProgress(row, regradeVersion, counts.get('scored') ?? 0),
      activity: activityOf(seen),
      pause: pauseOf(row, seen, now),
      annotations,
      scores,
      samplesPerSecond: live.samplesPerSecond(row.no),
    })
  }

  function regradeProgress({ id, no }: RunRow, version: number, samples: number): Run['regrade'] {
    const job = regradeJob(id)
    // Counting takes time in proportion to the run.
    const graded = job?.progress?.done ?? regradedSamples(db, no, version)
    return { result_version: version, graded, samples, job_id: job?.id ?? null }
  }
}

/**
 * Samples that are begun as stored, and wait all the same: those claimed ahead, all that make calls while the run is paused, and while the
 * service cannot execute it those that are to be graded too.
 * @param now milliseconds since 1970
 */
export function waitingSamples(row: RunRow, view: ReturnType<Scheduler['view']>, now: number, counts: ReadonlyMap<string, number>): number {
  const calling = counts.get('calling') ?? 0
  if (row.pause_code === 'internal_error') return calling + (counts.get('answered') ?? 0)
  const isHeld = view !== null && endpointPause(view.endpoint, view.givesUpInMs, now) !== null
  return isHeld ? calling : Math.min(calling, view?.run.ahead ?? 0)
}

/** Samples that wait count like any other that was not begun. */
function countWaitingAsPending(counts: Map<string, number>, waiting: number): void {
  let left = waiting
  for (const status of ['calling', 'answered']) {
    const some = Math.min(left, counts.get(status) ?? 0)
    if (some === 0) continue
    left -= some
    counts.set(status, (counts.get(status) ?? 0) - some)
    counts.set('pending', (counts.get('pending') ?? 0) + some)
  }
}

function activityOf(view: ReturnType<Scheduler['view']>): RunActivity | null {
  if (!view) return null
  const { run, endpoint } = view
  return {
    concurrency: run.concurrency,
    requesting: run.requesting,
    backing_off: run.backingOff,
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
      outage: endpoint.outage && {
        since: isoTime(endpoint.outage.since),
        code: endpoint.outage.code,
        message: endpoint.outage.message,
        probes: endpoint.outage.probes,
        next_probe_at: endpoint.outage.nextProbeAt === null ? null : isoTime(endpoint.outage.nextProbeAt),
      },
      rate_wait_ms: endpoint.rateWaitMs,
    },
  }
}

/** What the run waits for: its model, or else a judge or scorer. */
export function pauseOf(row: RunRow, view: ReturnType<Scheduler['view']>, now: number): RunPause | null {
  if (isTerminal(runMachine, row.status)) return null
  if (row.pause_code !== null)
    return {
      code: row.pause_code,
      waits_for: 'model',
      message: row.pause_message ?? '',
      since: row.paused_at,
      gives_up_at: null,
      next_attempt_at: null,
    }
  if (!view) return null
  const own = endpointPause(view.endpoint, view.givesUpInMs, now)
  if (own) return { ...own, waits_for: 'model', message: `${own.message} No samples fail while the run waits.` }
  return describeWaits(view.graders, now)
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
