import type { MetricPlan } from '../engine/execution/scheduler/ports.ts'
import type { Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'
import { unscored } from '../engine/grading/scorers/verdict.ts'
import { type BoundedPool, createBoundedPool, WorkLimitError } from './bounded-pool.ts'
import type scoreWorker from './score.worker.ts'

/** Milliseconds that the scorers of an output may take for it. */
const outputMs = 10_000
/** The same for who waits at a screen. */
const triedMs = 5_000
const heapMb = 1_024

/** What is wrong with a scorer's options. */
export interface ScorerProblem {
  readonly message: string
  /** Preparing them passed the deadline, which they may not do on a machine that is less busy. */
  readonly isLate: boolean
}

/** Scores outputs; a row for each, by metric. */
export interface ScorePool {
  score(metrics: readonly MetricPlan[], inputs: readonly ScoreInput[]): Promise<Score[][]>
  /** One output, now: runs do not wait for it, and it ends with its request. */
  try(metrics: readonly MetricPlan[], input: ScoreInput, signal: AbortSignal): Promise<Score[]>
  /** What is wrong with a scorer's options, or null. */
  check(spec: Pick<MetricPlan, 'scorer' | 'options'>, signal: AbortSignal): Promise<ScorerProblem | null>
  close(): Promise<void>
}

export function createScorePool(filename: string, threads: number, limits = { outputMs, triedMs, heapMb }): ScorePool {
  const bounds = { filename, heapMb: limits.heapMb }
  const runs = createBoundedPool({ ...bounds, threads, idleMs: 5_000, deadlineMs: limits.outputMs })
  const tries = createBoundedPool({ ...bounds, threads: 1, idleMs: 5_000, deadlineMs: limits.triedMs })
  const run = (pool: BoundedPool, metrics: readonly MetricPlan[], inputs: readonly ScoreInput[], signal?: AbortSignal) => {
    const beats = new Int32Array(new SharedArrayBuffer(4))
    return pool.run<typeof scoreWorker, Score[][]>({ metrics, inputs, beats }, { beats, signal })
  }
  /**
   * An output must not choose to be left out of the mean: breaking a limit is wrong. Where an empty output breaks it too, the scorer does,
   * and there is no verdict (decision 0186).
   */
  const blame = async (pool: BoundedPool, metrics: readonly MetricPlan[], input: ScoreInput, fault: WorkLimitError, signal?: AbortSignal) =>
    Promise.all(
      metrics.map(async (metric): Promise<Score> => {
        try {
          const [alone] = await run(pool, [metric], [input], signal)
          if (alone?.[0]) return alone[0]
        } catch (error) {
          if (!(error instanceof WorkLimitError)) throw error
          try {
            await run(pool, [metric], [{ ...input, output: '' }], signal)
          } catch (again) {
            if (!(again instanceof WorkLimitError)) throw again
            return unscored(`The scorer breaks its limit on an empty output too, so there is no verdict. ${again.message}`)
          }
        }
        const explanation = `This output breaks the limit of its scorer and an empty one does not, so it counts as wrong. ${fault.message}`
        return { value: 0, class: 'wrong', answer: null, answerSpan: null, explanation }
      }),
    )
  return {
    score: async (metrics, inputs) => {
      try {
        return await run(runs, metrics, inputs)
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        const [only] = inputs
        if (inputs.length === 1 && only) return [await blame(runs, metrics, only, error)]
        // One by one, so that the output that broke the limit takes no other with it, and other runs have their turns between.
        return Promise.all(
          inputs.map(async input => {
            try {
              return (await run(runs, metrics, [input]))[0] ?? []
            } catch (alone) {
              if (!(alone instanceof WorkLimitError)) throw alone
              return blame(runs, metrics, input, alone)
            }
          }),
        )
      }
    },
    try: async (metrics, input, signal) => {
      try {
        return (await run(tries, metrics, [input], signal))[0] ?? []
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return blame(tries, metrics, input, error, signal)
      }
    },
    check: async (check, signal) => {
      const beats = new Int32Array(new SharedArrayBuffer(4))
      try {
        const message = await tries.run<typeof scoreWorker, string | null>({ check, beats }, { beats, signal })
        return message === null ? null : { message, isLate: false }
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return {
          message: `The options of ${check.scorer} are too much to be prepared: ${error.message} Make them smaller.`,
          isLate: error.limit === 'time',
        }
      }
    },
    close: async () => {
      await Promise.all([runs.close(), tries.close()])
    },
  }
}
