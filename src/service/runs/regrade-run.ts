import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { ApiError, FrozenProfile, invalidField, type JobOwner, type Regrade } from '../../contract/index.ts'
import { toScoreInput, verdictFor } from '../../engine/execution/scheduler/grading.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { scorerVersion } from '../../engine/grading/scorers/scorer-version.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { demandAtRest } from './retry-samples.ts'
import {
  createAnswerReader,
  dropRegrade,
  endRegrade,
  insertNewScores,
  insertRegrade,
  isBinary,
  openRegrades,
  regradedSamples,
  type RegradeRow,
  regradeOf,
  type StoredAnswer,
} from './regrades.store.ts'
import { recordSandboxes } from './record-sandboxes.ts'
import { presentRun, resultFrame } from './result-frame.ts'
import { profilesOf } from './run-record.ts'
import { countsOf, insertResult, markNewVersion, type RunRow } from './runs.store.ts'

const batch = 200

const RegradeInput = z.strictObject({ runNo: z.int(), version: z.int(), profiles: z.array(FrozenProfile) })
type RegradeInput = z.infer<typeof RegradeInput>

/** Grades stored answers again, as a job. */
export interface Regrading {
  /** @throws ApiError illegal_transition, conflict, validation_error */
  begin(row: RunRow, wish: Regrade, owner: JobOwner): void
  /** At start: regrades of a version that had no jobs are queued. */
  resume(): void
}

export interface RegradingDependencies {
  readonly catalog: Catalog
  readonly workers: Workers
  readonly jobs: Jobs
  /** The run has changed. */
  readonly announce: (runNo: number) => void
}

export function createRegrading(kernel: Kernel, { catalog, workers, jobs, announce }: RegradingDependencies): Regrading {
  const { db, clock } = kernel

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

  /** What is graded already is found in the database, so that an interrupted attempt needs no checkpoint. */
  const run = async (job: JobContext<RegradeInput>) => {
    const { runNo, version, profiles } = job.input
    const metrics = profiles.flatMap(profile => profile.metrics)
    await recordSandboxes(kernel, workers, runNo, metrics)
    const next = createAnswerReader(db, runNo, version)
    const total = countsOf(db, runNo).get('scored') ?? 0
    for (let answers = next(batch); answers.length > 0; answers = next(batch)) {
      for (const [profileNo, some] of Map.groupBy(answers, answer => answer.profileNo)) {
        const rows = await grade(profiles, profileNo, some)
        job.commit(() => insertNewScores(db, runNo, version, rows))
      }
      job.progress({ done: regradedSamples(db, runNo, version), total, message: 'Grading' })
      announce(runNo)
      await nextTurn()
    }
    return finish(presentRun(kernel, runNo), job)
  }

  const finish = async (row: RunRow, { input, signal }: JobContext<RegradeInput>) => {
    const { version } = input
    const createdAt = timestamp(clock)
    const profiles = input.profiles.map((profile, profileNo) => ({
      ...profile,
      metrics: profile.metrics.map((metric, metricNo) => ({ ...metric, binary: isBinary(db, row.no, { version, profileNo, metricNo }) })),
    }))
    const frame = resultFrame(kernel, row, { version, status: row.status, createdAt, profiles })
    const results = await workers.results({ runNo: row.no, frame })
    signal.throwIfAborted()
    return () => {
      insertResult(db, row.no, version, results, createdAt)
      markNewVersion(db, row.no, version)
      endRegrade(db, row.no, { version, profiles })
      db.afterCommit(() => announce(row.no))
    }
  }

  const enqueue = (row: RunRow, { version, profiles }: RegradeRow, owner: JobOwner) =>
    jobs.enqueue('regrade', {
      workspaceId: row.workspace_id,
      owner,
      input: { runNo: row.no, version, profiles },
      subject: { type: 'run', id: row.id },
    })

  jobs.register({
    kind: 'regrade',
    input: RegradeInput,
    lane: 'regrades',
    concurrency: 2,
    run,
    ended: ({ input: { runNo, version, profiles } }) => {
      dropRegrade(db, runNo, { version, profiles })
      db.afterCommit(() => announce(runNo))
    },
    retried: ({ input: { runNo, version, profiles } }) => {
      const row = presentRun(kernel, runNo)
      demandAtRest(kernel, row, 'regrade')
      if ((row.result_version ?? 0) + 1 !== version)
        throw new ApiError('conflict', `The run "${row.id}" has a newer result by now. Grade it again from there.`)
      insertRegrade(db, runNo, { version, profiles }, timestamp(clock))
    },
  })

  return {
    begin: (row, wish, owner) => {
      demandAtRest(kernel, row, 'regrade')
      if (row.result_version === null)
        throw new ApiError('conflict', `The run "${row.id}" has no result, so there is nothing to grade again.`)
      const regrade = { version: row.result_version + 1, profiles: regradedProfiles(profilesOf(row), wish) }
      db.transaction(() => {
        insertRegrade(db, row.no, regrade, timestamp(clock))
        enqueue(row, regrade, owner)
      })
    },
    resume: () => {
      const known = new Set(jobs.open('regrade').map(job => job.subject?.id))
      for (const runNo of openRegrades(db)) {
        const row = presentRun(kernel, runNo)
        const regrade = regradeOf(db, runNo)
        if (regrade && !known.has(row.id)) enqueue(row, regrade, { kind: 'service' })
      }
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
        return { ...metric, scorer, options, scorer_version: scorerVersion({ scorer, options }) }
      } catch (error) {
        if (error instanceof ScorerConfigError) throw invalidField(['body', 'metrics', Math.max(0, place)], error.message)
        throw error
      }
    }),
  }))
}
