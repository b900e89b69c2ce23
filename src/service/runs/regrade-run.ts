import { withTurns } from '../../engine/execution/samples/with-turns.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Regrade } from '../../contract/runs/runs.schemas.ts'
import { type PromptRecipe, renderPrompt } from '../../engine/execution/samples/render-prompt.ts'
import { toScoreInput, verdictFor } from '../../engine/execution/scheduler/grading.ts'
import { placedWithin, storedAnswerWithin } from '../../engine/grading/answer-within.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { unscored } from '../../engine/grading/scorers/verdict.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { asApiError, askedItem, type EvaluatedItem, type Evaluators, type JudgeOwner } from '../evaluators/index.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { scorerProblem } from '../scorer-problem.ts'
import { createRegradeDropping } from './drop-regrade.ts'
import { createSampleFacts } from './sample-facts.store.ts'
import { requireAtRest } from './retry-samples.ts'
import {
  createAnswerReader,
  endRegrade,
  insertNewScores,
  insertRegrade,
  openRegrades,
  regradedSamples,
  type RegradeRow,
  regradeOf,
  scoresBefore,
  type StoredAnswer,
} from './regrades.store.ts'
import { recordSandboxes } from './record-sandboxes.ts'
import { presentRun, resultFrame } from './result-frame.ts'
import { presentProfiles } from './present-profiles.ts'
import { regradedProfiles, requirePrepared } from './regraded-profiles.ts'
import { recipesOf } from './run-plan.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { countsOf, insertResult, markNewVersion, type RunRow } from './runs.store.ts'

const batch = 200
/** Answers evaluated together: judges take long, and a stop should not lose many. */
const evaluatedAtOnce = 64

const neverScored: Score = unscored('There was no earlier score to carry over.')
type OpenRegrade = Awaited<ReturnType<Evaluators['runs']['openRegrade']>>

/** A regrade by an evaluator: whose metric is new, every other score stays as it is. */
const ByEvaluator = z.strictObject({ versionId: z.string(), ownerId: z.string(), principalId: z.string(), cap: z.string().nullable() })
type ByEvaluator = z.infer<typeof ByEvaluator>

const RegradeInput = z.strictObject({
  runNo: z.int(),
  version: z.int(),
  profiles: z.array(FrozenProfile),
  evaluator: ByEvaluator.optional(),
})
type RegradeInput = z.infer<typeof RegradeInput>

/** Grades stored answers again, as a job. */
export interface Regrading {
  /** @throws ApiError as `begin`, and as `requirePrepared`; options are prepared in a thread */
  requireMetrics(row: RunRow, wish: Regrade, signal: AbortSignal): Promise<void>
  /** @throws ApiError illegal_transition, conflict, validation_error */
  begin(row: RunRow, wish: Regrade, owner: JobOwner): void
  /** At start: regrades of a version that had no jobs are queued, and removals continued. */
  resume(): void
  close(): Promise<void>
}

export interface RegradingDependencies {
  readonly catalog: Catalog
  readonly evaluators: Pick<Evaluators, 'runs' | 'pause'>
  readonly workers: Workers
  readonly jobs: Jobs
  /** The run has changed. */
  readonly announce: (runNo: number) => void
}

export function createRegrading(kernel: Kernel, { catalog, evaluators, workers, jobs, announce }: RegradingDependencies): Regrading {
  const { db, clock } = kernel
  const sampleFacts = createSampleFacts(db)
  const dropping = createRegradeDropping(kernel, announce)

  /** The version of the result. */
  const requireResult = (row: RunRow): number => {
    requireAtRest(kernel, row, 'regrade')
    if (row.result_version === null)
      throw new ApiError('conflict', `The run "${row.id}" has no result, so there is nothing to grade again.`)
    return row.result_version
  }
  const ownerOf = (row: Pick<RunRow, 'workspace_id'>, { ownerId, principalId }: ByEvaluator): JudgeOwner => ({
    kind: 'regrade',
    id: ownerId,
    workspaceId: row.workspace_id,
    principalId,
  })
  const tasksOf = (answers: readonly StoredAnswer[]) => {
    const contents = catalog.tasks(answers.map(answer => answer.taskNo))
    return answers.map((answer, i) => {
      const task = contents[i]
      if (!task) throw new Error(`Task ${answer.taskNo} is gone.`)
      return { answer, task }
    })
  }
  /** What evaluators have scored is theirs: a regrade by other metrics carries it over, and calls no judge. */
  const grade = async ({ runNo, version, profiles }: RegradeInput, profileNo: number, answers: readonly StoredAnswer[]) => {
    const metrics = profiles[profileNo]?.metrics ?? []
    const scored = metrics.filter(metric => metric.evaluator === undefined)
    const generation = profiles[profileNo]?.generation ?? {}
    const within = answers.map(answer => storedAnswerWithin(generation, answer))
    const rows = await workers.score(
      scored,
      tasksOf(answers).map(({ answer, task }, i) => toScoreInput({ ...answer, output: within[i]?.answer ?? answer.output }, task, false)),
    )
    const before =
      scored.length === metrics.length
        ? null
        : scoresBefore(
            db,
            runNo,
            version,
            answers.map(({ position }) => position),
          )
    return answers.map((answer, i) => {
      const { position } = answer
      const placed = (rows[i]?.scores ?? []).map(score => placedWithin(score, within[i] ?? { offset: 0 }))
      const fresh = verdictFor(placed, answer).values()
      const scores = metrics.map(
        (metric, metricNo) => (metric.evaluator === undefined ? fresh.next().value : before?.get(position)?.get(metricNo)) ?? neverScored,
      )
      return { position, metrics, scores }
    })
  }
  /** The new metric of an evaluator; every other score as it was. */
  const evaluate = async (
    { runNo, version, profiles }: RegradeInput,
    versionId: string,
    evaluation: OpenRegrade,
    recipe: PromptRecipe | undefined,
    profileNo: number,
    answers: readonly StoredAnswer[],
  ) => {
    const metrics = profiles[profileNo]?.metrics ?? []
    const generation = profiles[profileNo]?.generation ?? {}
    const within = answers.map(answer => storedAnswerWithin(generation, answer))
    const facts = sampleFacts(
      presentRun(kernel, runNo),
      answers.map(({ position }) => position),
    )
    const evaluated = await evaluation.evaluate(
      tasksOf(answers).map(({ answer, task }, i): EvaluatedItem => {
        const messages = recipe ? withTurns(renderPrompt(recipe, task), task.turns, answer.earlierAnswers) : []
        return {
          ...askedItem(
            messages,
            answer.earlierAnswers?.map(({ output }) => output) ?? [],
            task,
            profiles[profileNo]?.generation.max_image_pixels,
          ),
          item: String(answer.position),
          output: within[i]?.answer ?? answer.output,
          isWhole: true,
          choices: task.choices ?? undefined,
          label: null,
          metadata: task.metadata,
          sample: { ...facts.get(answer.position), id: task.id, messages },
        }
      }),
    )
    const before = scoresBefore(
      db,
      runNo,
      version,
      answers.map(({ position }) => position),
    )
    return answers.map((answer, i) => ({
      position: answer.position,
      metrics,
      scores: metrics.map((metric, metricNo) => {
        if (metric.evaluator?.evaluator_version_id !== versionId) return before.get(answer.position)?.get(metricNo) ?? neverScored
        const score = placedWithin(evaluated[i]?.score ?? neverScored, within[i] ?? { offset: 0 })
        return verdictFor([score], answer)[0] ?? neverScored
      }),
    }))
  }

  /** What is graded already is found in the database, so that an interrupted attempt needs no checkpoint. */
  const run = async (job: JobContext<RegradeInput>) => {
    const { runNo, profiles } = job.input
    const metrics = profiles.flatMap(profile => profile.metrics)
    await recordSandboxes(kernel, workers, runNo, metrics)
    const by = job.input.evaluator
    const row = presentRun(kernel, runNo)
    const evaluation = by ? await evaluators.runs.openRegrade(ownerOf(row, by), by.versionId, by.cap, job.signal) : null
    try {
      await gradeAll(job, evaluation)
    } finally {
      await evaluation?.close()
    }
    return finish(presentRun(kernel, runNo), job)
  }

  const gradeAll = async (job: JobContext<RegradeInput>, evaluation: OpenRegrade | null) => {
    const { runNo, version, evaluator } = job.input
    const row = presentRun(kernel, runNo)
    const recipes = evaluation ? recipesOf(quoteOf(row), row.workspace_id, catalog) : []
    const next = createAnswerReader(db, runNo, version)
    const total = countsOf(db, runNo).get('scored') ?? 0
    const size = evaluation ? evaluatedAtOnce : batch
    let done = regradedSamples(db, runNo, version)
    for (let answers = next(size); answers.length > 0; answers = next(size)) {
      for (const [profileNo, some] of Map.groupBy(answers, answer => answer.profileNo)) {
        const rows =
          evaluation && evaluator
            ? await evaluate(job.input, evaluator.versionId, evaluation, recipes[profileNo], profileNo, some).catch(asApiError)
            : await grade(job.input, profileNo, some)
        job.commit(() => insertNewScores(db, runNo, version, rows))
      }
      done += answers.length
      job.progress({ done, total, message: 'Grading' })
      announce(runNo)
      await nextTurn()
    }
  }

  const finish = async (row: RunRow, { input, signal }: JobContext<RegradeInput>) => {
    const { version } = input
    const createdAt = timestamp(clock)
    const profiles = presentProfiles(kernel, evaluators, row, input.profiles)
    const frame = resultFrame(kernel, row, { version, status: row.status, createdAt, profiles })
    const results = await workers.results({ runNo: row.no, frame }, signal)
    signal.throwIfAborted()
    return () => {
      insertResult(db, row.no, version, results, createdAt)
      markNewVersion(db, row.no, version)
      endRegrade(db, row.no, { version, profiles })
      if (input.evaluator) evaluators.runs.endRegrade(ownerOf(row, input.evaluator))
      db.afterCommit(() => announce(row.no))
    }
  }

  const enqueue = (row: RunRow, { version, profiles }: RegradeRow, owner: JobOwner, evaluator?: ByEvaluator) =>
    jobs.enqueue('regrade', {
      workspaceId: row.workspace_id,
      owner,
      input: { runNo: row.no, version, profiles, ...(evaluator && { evaluator }) },
      subject: { type: 'run', id: row.id },
    })

  jobs.register({
    kind: 'regrade',
    input: RegradeInput,
    lane: 'regrades',
    concurrency: 2,
    run,
    ended: ({ input: { runNo, evaluator } }) => {
      dropping.drop(runNo)
      if (evaluator) evaluators.runs.endRegrade(ownerOf(presentRun(kernel, runNo), evaluator))
      db.afterCommit(() => announce(runNo))
    },
    evaluator: ({ evaluator }) => evaluator?.versionId ?? null,
    pause: ({ input: { evaluator } }) => (evaluator ? evaluators.pause({ kind: 'regrade', id: evaluator.ownerId }) : null),
    stored: ({ input: { runNo, evaluator } }) =>
      evaluator ? evaluators.runs.storedAnswers(ownerOf(presentRun(kernel, runNo), evaluator)) : 0,
    retried: ({ input: { runNo, version, profiles, evaluator } }, starterId) => {
      const row = presentRun(kernel, runNo)
      requireAtRest(kernel, row, 'regrade')
      if ((row.result_version ?? 0) + 1 !== version)
        throw new ApiError('conflict', `The run "${row.id}" has a newer result by now. Grade it again from there.`)
      if (evaluator) evaluators.runs.reopenRegrade(ownerOf(row, evaluator), evaluator.versionId, evaluator.cap, starterId)
      insertRegrade(db, runNo, { version, profiles }, timestamp(clock))
    },
  })

  return {
    requireMetrics: async (row, wish, signal) => {
      requireResult(row)
      await requirePrepared(profilesOf(row), wish, spec => scorerProblem(workers, spec, signal))
    },
    begin: (row, wish, owner) => {
      const version = requireResult(row) + 1
      const versionId = wish.evaluator_version_id?.toLowerCase()
      if (versionId === undefined) {
        const regrade = { version, profiles: regradedProfiles(profilesOf(row), wish) }
        db.transaction(() => {
          insertRegrade(db, row.no, regrade, timestamp(clock))
          enqueue(row, regrade, owner)
        })
        return
      }
      const regrade = {
        version,
        profiles: withEvaluator(evaluators, row.workspace_id, profilesOf(row), versionId, quoteOf(row).model.model),
      }
      db.transaction(() => {
        const by = { versionId, ownerId: kernel.ids.next(), principalId: owner.kind === 'service' ? '' : owner.id }
        const cap = evaluators.runs.beginRegrade(ownerOf(row, { ...by, cap: null }), row.no, versionId, wish.regrade_quote_id)
        insertRegrade(db, row.no, regrade, timestamp(clock))
        enqueue(row, regrade, owner, { ...by, cap })
      })
    },
    resume: () => {
      dropping.resume()
      const known = new Set(jobs.open('regrade').map(job => job.subject?.id))
      for (const runNo of openRegrades(db)) {
        const row = presentRun(kernel, runNo)
        const regrade = regradeOf(db, runNo)
        if (regrade && !known.has(row.id)) enqueue(row, regrade, { kind: 'service' })
      }
    },
    close: dropping.close,
  }
}

/** The profiles with the evaluator's metric at the end of each; where it is there already it is graded again. */
function withEvaluator(
  evaluators: Pick<Evaluators, 'runs'>,
  workspaceId: string,
  profiles: readonly FrozenProfile[],
  versionId: string,
  judgedModel: string,
): FrozenProfile[] {
  return profiles.map(profile => {
    const isThere = ({ evaluator }: Metric) => evaluator?.evaluator_version_id === versionId
    if (profile.metrics.some(isThere)) {
      const options = evaluators.runs.options(workspaceId, versionId)
      return { ...profile, metrics: profile.metrics.map(metric => (isThere(metric) ? { ...metric, options } : metric)) }
    }
    const taken = profile.metrics.map(({ id }) => id)
    return {
      ...profile,
      metrics: [
        ...profile.metrics,
        ...evaluators.runs.metrics(workspaceId, [versionId], taken, judgedModel, ['body', 'evaluator_version_id']),
      ],
    }
  })
}
