import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, type FrozenProfile, invalidField, type Regrade } from '../../contract/index.ts'
import { toScoreInput, verdictFor } from '../../engine/execution/scheduler/grading.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import { scorerTitle, scorerVersion } from '../../engine/grading/scorers/scorer-version.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { demandAtRest } from './ask-again.ts'
import {
  createAnswerReader,
  endRegrade,
  insertNewScores,
  insertRegrade,
  openRegrades,
  type RegradeRow,
  regradeOf,
  type StoredAnswer,
} from './regrades.store.ts'
import { recordSandboxes } from './record-sandboxes.ts'
import { presentRun, resultFrame } from './result-frame.ts'
import { profilesOf } from './run-record.ts'
import { insertResult, markNewVersion, type RunRow } from './runs.store.ts'

const batch = 200

/** Grades stored answers again in the background; a stop is gone on from at the next start. */
export interface Regrading {
  /** @throws ApiError illegal_transition, conflict, validation_error */
  begin(row: RunRow, wish: Regrade): void
  /** At start: what had not ended goes on. */
  resume(): void
  close(): Promise<void>
}

export interface RegradingDependencies {
  readonly catalog: Catalog
  readonly workers: Workers
  /** The run has changed. */
  readonly announce: (runNo: number) => void
}

export function createRegrading(kernel: Kernel, { catalog, workers, announce }: RegradingDependencies): Regrading {
  const { db, clock, log } = kernel
  const closing = new AbortController()
  const tasks = new Set<Promise<void>>()

  const grade = async (profiles: readonly FrozenProfile[], profileNo: number, answers: readonly StoredAnswer[]) => {
    const metrics = profiles[profileNo]?.metrics ?? []
    const contents = catalog.tasks(answers.map(answer => answer.taskNo))
    const rows = await workers.score(
      metrics,
      answers.map((answer, i) => {
        const task = contents[i]
        if (!task) throw new Error(`Task ${answer.taskNo} is gone.`)
        return toScoreInput(answer.output, task, false)
      }),
    )
    return answers.map(({ position, refused }, i) => ({ position, metrics, scores: verdictFor(rows[i]?.scores ?? [], refused) }))
  }

  const carryOut = async (runNo: number) => {
    const plan = regradeOf(db, runNo)
    if (!plan) return
    await recordSandboxes(
      kernel,
      workers,
      runNo,
      plan.profiles.flatMap(profile => profile.metrics),
    )
    const next = createAnswerReader(db, runNo, plan.version)
    for (let answers = next(batch); answers.length > 0; answers = next(batch)) {
      for (const [profileNo, some] of Map.groupBy(answers, answer => answer.profileNo)) {
        const rows = await grade(plan.profiles, profileNo, some)
        if (closing.signal.aborted) return
        insertNewScores(db, runNo, plan.version, rows)
      }
      announce(runNo)
      await nextTurn()
    }
    await finish(presentRun(kernel, runNo), plan)
  }

  const finish = async (row: RunRow, { version, profiles }: RegradeRow) => {
    const createdAt = timestamp(clock)
    const frame = resultFrame(kernel, row, { version, status: row.status, createdAt, profiles })
    const results = await workers.results({ runNo: row.no, frame })
    if (closing.signal.aborted) return
    db.transaction(() => {
      insertResult(db, row.no, version, results, createdAt)
      markNewVersion(db, row.no, version)
      endRegrade(db, row.no, { version, profiles })
    })
    announce(row.no)
  }

  const start = (runNo: number) => {
    const task: Promise<void> = carryOut(runNo)
      .catch(error => {
        if (!closing.signal.aborted) log.error({ err: error, runNo }, 'grading again could not go on; it is taken up at the next start')
      })
      .finally(() => tasks.delete(task))
    tasks.add(task)
  }

  return {
    begin: (row, wish) => {
      demandAtRest(kernel, row, 'regrade')
      if (row.result_version === null)
        throw new ApiError('conflict', `The run "${row.id}" has no result, so there is nothing to grade again.`)
      const profiles = regradedProfiles(profilesOf(row), wish)
      db.transaction(() => insertRegrade(db, row.no, { version: (row.result_version ?? 0) + 1, profiles }, timestamp(clock)))
      start(row.no)
    },
    resume: () => {
      for (const runNo of openRegrades(db)) start(runNo)
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled(tasks)
    },
  }
}

/** The profiles with the metrics changed as wished, each by the present version of its scorer. */
function regradedProfiles(profiles: readonly FrozenProfile[], { metrics: changes }: Regrade): FrozenProfile[] {
  for (const [i, { profile_id, metric }] of changes.entries()) {
    const profile = profiles.find(candidate => candidate.profile_id === profile_id)
    if (!profile) throw invalidField(['body', 'metrics', i, 'profile_id'], `the run has no profile ${JSON.stringify(profile_id)}`)
    if (!profile.metrics.some(({ id }) => id === metric)) {
      const known = profile.metrics.map(({ id }) => id).join(', ')
      throw invalidField(['body', 'metrics', i, 'metric'], `the profile has no metric ${JSON.stringify(metric)}; it has ${known}`)
    }
  }
  return profiles.map(profile => ({
    ...profile,
    metrics: profile.metrics.map(metric => {
      const place = changes.findLastIndex(change => change.profile_id === profile.profile_id && change.metric === metric.id)
      const { scorer = metric.scorer, options = metric.options } = changes[place] ?? {}
      try {
        const isOther = scorer !== metric.scorer || JSON.stringify(options) !== JSON.stringify(metric.options)
        return {
          ...metric,
          // Under other rules it is another figure, which the old words would misname.
          ...(isOther && { title: scorerTitle(scorer), binary: isBinaryScorer({ scorer, options }) }),
          scorer,
          options,
          scorer_version: scorerVersion({ scorer, options }),
        }
      } catch (error) {
        if (error instanceof ScorerConfigError) throw invalidField(['body', 'metrics', Math.max(0, place)], error.message)
        throw error
      }
    }),
  }))
}
