import type { MetricPlan } from '../engine/execution/scheduler/ports.ts'
import { ScorerConfigError } from '../engine/grading/scorers/config-error.ts'
import { prepareScorer } from '../engine/grading/scorers/registry.ts'
import type { PreparedScorer, Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'

export interface ScoreTask {
  readonly metrics: readonly MetricPlan[]
  readonly inputs: readonly ScoreInput[]
  /** Counts outputs as they are begun. */
  readonly beats: Int32Array<SharedArrayBuffer>
}

/** Compiling a pattern takes as long as grading dozens of outputs by it, and a run's batches all have the same few metrics. */
const prepared = new Map<string, PreparedScorer>()
const mostPrepared = 64

/** Options of a scorer, to be looked at. */
export interface CheckTask {
  readonly check: Pick<MetricPlan, 'scorer' | 'options'>
  readonly beats: Int32Array<SharedArrayBuffer>
}

/** Grades each output by each metric: a row per output, by metric number. Of options, what is wrong with them or null. */
export default function score(task: ScoreTask | CheckTask): Score[][] | string | null {
  Atomics.add(task.beats, 0, 1)
  if ('check' in task) return problemOf(task.check)
  const { metrics, inputs, beats } = task
  return scoreBatch(metrics, inputs, () => void Atomics.add(beats, 0, 1))
}

/** @param begun called before each output */
export function scoreBatch(metrics: readonly MetricPlan[], inputs: readonly ScoreInput[], begun?: () => void): Score[][] {
  const scorers = metrics.map(scorerOf)
  return inputs.map(input => {
    begun?.()
    return scorers.map(scorer => scorer(input))
  })
}

function problemOf(spec: Pick<MetricPlan, 'scorer' | 'options'>): string | null {
  try {
    scorerOf(spec)
    return null
  } catch (error) {
    // An error would lose its class on its way to the service.
    if (error instanceof ScorerConfigError) return error.message
    throw error
  }
}

function scorerOf({ scorer, options }: Pick<MetricPlan, 'scorer' | 'options'>): PreparedScorer {
  const key = JSON.stringify([scorer, options])
  const known = prepared.get(key)
  if (known) return known
  if (prepared.size >= mostPrepared) prepared.clear()
  const made = prepareScorer({ scorer, options })
  prepared.set(key, made)
  return made
}
