import type { FrozenProfile } from '../contract/quotes/quotes.schemas.ts'
import type { DecisionTaskChange } from '../contract/releases/decision-tasks.schemas.ts'
import type { Database } from '../storage/database.ts'
import { readComparisonSamples } from '../storage/reads/comparison-samples.ts'
import { openReader } from './database-path.ts'

/** A run at the result version that the decision reads. */
export interface SideRun {
  readonly runId: string
  readonly resultVersion: number
  readonly profiles: readonly FrozenProfile[]
}

/** The runs of a group's sides, the first look's first. */
export interface GroupRuns {
  readonly key: string
  readonly candidate: readonly SideRun[]
  readonly baseline: readonly SideRun[]
}

/** What one side made of a task. */
export interface SideOfTask {
  readonly runId: string
  readonly position: number
  readonly value: number
}

export interface ChangedTask {
  readonly group: string
  readonly taskNo: number
  readonly taskId: string
  readonly sourceRef: string
  readonly split: FrozenProfile['split']
  readonly change: DecisionTaskChange
  readonly candidate: SideOfTask
  readonly baseline: SideOfTask
}

export interface DecisionTasks {
  readonly changed: readonly ChangedTask[]
  /** Tasks with scores of both sides, by group. */
  readonly compared: Readonly<Record<string, number>>
}

/** Pairs both sides of a decision, task by task, here, where no request waits for it. */
export default function compareSides(groups: readonly GroupRuns[]): DecisionTasks {
  const db = openReader()
  try {
    const compared: Record<string, number> = {}
    const changed = groups.flatMap(({ key, candidate, baseline }) => {
      const before = scoredTasks(db, baseline)
      const paired = [...scoredTasks(db, candidate)].flatMap(([name, now]) => {
        const then = before.get(name)
        return then ? [{ now, then }] : []
      })
      compared[key] = paired.length
      return paired.flatMap(({ now, then }): ChangedTask[] => {
        const [value, other] = [meanOf(now), meanOf(then)]
        if (value === other) return []
        const { runId, position, sum: _, n: __, ...task } = now
        return [
          {
            ...task,
            group: key,
            change: value > other ? 'gained' : 'lost',
            candidate: { runId, position, value },
            baseline: { runId: then.runId, position: then.position, value: other },
          },
        ]
      })
    })
    return { changed, compared }
  } finally {
    db.close()
  }
}

interface ScoredTask extends Pick<ChangedTask, 'taskNo' | 'taskId' | 'sourceRef' | 'split'> {
  readonly runId: string
  /** Of the first scored sample. */
  readonly position: number
  sum: number
  n: number
}

function meanOf({ sum, n }: ScoredTask): number {
  return sum / n
}

/** The tasks that have a score by their primary metric, in the order of the runs. */
function scoredTasks(db: Database, runs: readonly SideRun[]): ReadonlyMap<string, ScoredTask> {
  const found = new Map<string, ScoredTask>()
  for (const { runId, resultVersion, profiles } of runs) {
    const primary = profiles.map(({ metrics }) => metrics.findIndex(metric => metric.primary))
    for (const { position, profileNo, taskNo, taskId, values } of readComparisonSamples(db, runId, resultVersion)) {
      const profile = profiles[profileNo]
      const value = values[primary[profileNo] ?? -1] ?? null
      if (!profile || value === null) continue
      const name = `${profile.source_ref} ${taskId}`
      const known = found.get(name)
      if (known) {
        known.sum += value
        known.n++
      } else found.set(name, { taskNo, taskId, sourceRef: profile.source_ref, split: profile.split, runId, position, sum: value, n: 1 })
    }
  }
  return found
}
