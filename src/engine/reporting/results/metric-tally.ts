import type { z } from 'zod'
import type { CredibleInterval, Estimate } from '../../../contract/runs/results.schemas.ts'
import { meanPosterior, ratePosterior } from '../../statistics/posterior.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import { createVotes } from './count-votes.ts'
import { createAttemptTally, type RepeatedAttempts } from './repeated-attempts.ts'

/**
 * Gathers one metric's values. The unit is the task: with several epochs its value is their mean, since epochs of one task are not
 * independent of one another.
 */
export interface MetricTally {
  /**
   * The value of one scored sample; null where it has no verdict.
   * @param cluster whose tasks depend on one another; a task without one is its own
   * @param counts what it adds to a figure that is not a mean
   * @param answer what votes where a task was asked several times; undefined where that was not read
   */
  add(
    taskId: string,
    value: number | null,
    cluster?: string,
    counts?: Readonly<Record<string, number>> | null,
    answer?: string | null,
  ): void
  /** A sample of a task that ended without any score. */
  miss(taskId: string, cluster?: string): void
  estimate(): Estimate
  /** From a uniform prior; null where it is undefined. */
  posterior(): z.infer<typeof CredibleInterval> | null
  /** pass@k, pass^k and maj@k of a run that asked each task several times; none for values that do not say right or wrong. */
  repeated(epochs: number): RepeatedAttempts[]
  /** Samples without a value, whatever the reason. */
  readonly unscored: number
  /** Means over all samples if those without a score were all wrong, or all right; null when there are none. */
  bounds(): { readonly worst: number | null; readonly best: number | null }
  /** How the original tool names the settings of the figure; null where it has no name for them. */
  signature(): string | null
}

/** Fixed, so that equal samples give equal results. */
const posteriorSeed = 1

/**
 * @param binary whether each sample's value is 0 or 1
 * @param unit whether each is between them, so that an interval ends there
 */
export function createMetricTally(binary: boolean, unit = binary): MetricTally {
  const means: number[] = []
  const clusters: string[] = []
  let clustered = false
  let cluster: string | undefined
  const attempts = createAttemptTally()
  let repeated = false
  let task: string | null = null
  let sum = 0
  let count = 0
  let votes = createVotes()
  let total = 0
  let scored = 0
  let without = 0
  const close = () => {
    if (count > 0) {
      means.push(sum / count)
      clusters.push(cluster === undefined ? `#${means.length}` : `=${cluster}`)
      if (cluster !== undefined) clustered = true
    }
    if (count > 1) repeated = true
    if (task !== null && binary) attempts.add(count, sum, votes.winner())
    sum = 0
    count = 0
    votes = createVotes()
    task = null
  }
  const turnTo = (taskId: string) => {
    if (taskId !== task) close()
    task = taskId
  }
  return {
    add: (taskId, value, of, _counts, answer) => {
      turnTo(taskId)
      cluster = of
      if (value === null) {
        without++
        return
      }
      sum += value
      count++
      votes.add(answer, value)
      total += value
      scored++
    },
    miss: taskId => {
      turnTo(taskId)
      without++
    },
    estimate: () => {
      close()
      const { n, mean, standardError, interval, reason, cautions } = summarizeMetric(means, {
        binary: binary && !repeated,
        shares: binary && repeated,
        ...(clustered && new Set(clusters).size < clusters.length && { clusters }),
      })
      const within = unit && interval ? { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) } : interval
      return { n, mean, standard_error: standardError, interval: within, reason, cautions: [...cautions] }
    },
    posterior: () => {
      close()
      const isClustered = clustered && new Set(clusters).size < clusters.length
      const { value } =
        binary && !repeated && !isClustered
          ? ratePosterior(total, means.length, 0.5)
          : meanPosterior(means, { seed: posteriorSeed, ...(isClustered && { clusters }) })
      return value && { ...value.interval }
    },
    repeated: epochs => {
      close()
      return attempts.results(binary ? epochs : 1)
    },
    get unscored() {
      return without
    },
    signature: () => null,
    bounds: () => {
      const all = scored + without
      return all === 0 ? { worst: null, best: null } : { worst: total / all, best: (total + without) / all }
    },
  }
}
