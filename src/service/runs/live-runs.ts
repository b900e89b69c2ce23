import type { RunEvent } from '../../contract/runs/runs.schemas.ts'
import type { Commit, RunPlan } from '../../engine/execution/scheduler/ports.ts'

const window = 5000
const slices = 10

/** What is known of running runs beyond what is stored: pace, running means, and subscribers. */
export interface LiveRuns {
  open(plan: RunPlan, seeds: readonly { readonly n: number; readonly sum: number }[]): void
  commit(runNo: number, commit: Commit): void
  close(runNo: number): void
  samplesPerSecond(runNo: number): number | null
  /** Running means of the primary metrics; null when the run is not running here. */
  means(runNo: number): Extract<RunEvent, { type: 'scores' }>['profiles'] | null
  /** Counts the run's changes. */
  version(runNo: number): number
  /** Resolves once the run has changed beyond a version, or when aborted. */
  changed(runNo: number, since: number, signal: AbortSignal): Promise<void>
  /** Something about the run changed that no commit tells, such as its status. */
  announce(runNo: number): void
}

interface LiveRun {
  readonly plan: RunPlan
  readonly totals: { n: number; sum: number }[]
  /** Completions by slice of time, newest last. */
  readonly recent: { at: number; n: number }[]
}

export function createLiveRuns(now: () => number): LiveRuns {
  const runs = new Map<number, LiveRun>()
  const listeners = new Map<number, Set<() => void>>()
  const versions = new Map<number, number>()
  const announce = (runNo: number) => {
    versions.set(runNo, (versions.get(runNo) ?? 0) + 1)
    const waiting = listeners.get(runNo)
    listeners.delete(runNo)
    for (const wake of waiting ?? []) wake()
  }
  const count = (run: LiveRun, finished: number) => {
    const slice = Math.floor(now() / (window / slices))
    const last = run.recent.at(-1)
    if (last?.at === slice) last.n += finished
    else run.recent.push({ at: slice, n: finished })
    while ((run.recent[0]?.at ?? slice) <= slice - slices) run.recent.shift()
  }
  return {
    open: (plan, seeds) => {
      runs.set(plan.runNo, { plan, totals: seeds.map(seed => ({ ...seed })), recent: [] })
      announce(plan.runNo)
    },
    close: runNo => {
      runs.delete(runNo)
      announce(runNo)
    },
    announce,
    commit: (runNo, { attempts, scores }) => {
      const run = runs.get(runNo)
      if (!run) return
      for (const { profileNo, scores: row } of scores) {
        const total = run.totals[profileNo]
        const value = row[primaryOf(run.plan, profileNo)]?.value
        if (!total || value === null || value === undefined) continue
        total.n++
        total.sum += value
      }
      const finished = scores.length + attempts.filter(report => report.then !== 'grade' && report.then !== 'retry').length
      if (scores.length > 0) count(run, scores.length)
      if (finished > 0 || attempts.length > 0) announce(runNo)
    },
    samplesPerSecond: runNo => {
      const run = runs.get(runNo)
      const first = run?.recent[0]
      if (!run || !first) return null
      const slice = window / slices
      const seconds = Math.max(0.5, (now() - first.at * slice) / 1000)
      const total = run.recent.reduce((sum, part) => sum + (part.at * slice > now() - window ? part.n : 0), 0)
      return total === 0 ? null : total / Math.min(seconds, window / 1000)
    },
    means: runNo => {
      const run = runs.get(runNo)
      if (!run) return null
      return run.totals.map(({ n, sum }, i) => ({
        profile_id: run.plan.profiles[i]?.profileId ?? '',
        metric: run.plan.profiles[i]?.metrics[primaryOf(run.plan, i)]?.id ?? '',
        n,
        mean: n === 0 ? null : sum / n,
      }))
    },
    version: runNo => versions.get(runNo) ?? 0,
    changed: (runNo, since, signal) =>
      new Promise(resolve => {
        if (signal.aborted || (versions.get(runNo) ?? 0) > since) return resolve()
        const waiting = listeners.get(runNo) ?? new Set()
        listeners.set(runNo, waiting)
        const wake = () => {
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      }),
  }
}

function primaryOf(plan: RunPlan, profileNo: number): number {
  return Math.max(0, plan.profiles[profileNo]?.metrics.findIndex(metric => metric.primary) ?? 0)
}
