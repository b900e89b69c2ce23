import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import { passAtK, passHatK } from '../../statistics/pass-at-k.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'

/** Attempts at one task that have a verdict, how many of them passed, the score of their majority, and how many tasks went like that. */
interface Went {
  readonly n: number
  readonly c: number
  readonly majority: number | null
  tasks: number
}

/** What k attempts at a task would come to, from the epochs of each. */
export interface RepeatedAttempts {
  readonly kind: 'pass_at_k' | 'pass_hat_k' | 'majority'
  readonly k: number
  readonly estimate: Estimate
}

const kinds = [
  ['pass_at_k', passAtK],
  ['pass_hat_k', passHatK],
] as const

export interface AttemptTally {
  /** One task's attempts that have a verdict. @param majority the score of the answer given most often; null where answers do not vote */
  add(n: number, c: number, majority: number | null): void
  /** @param epochs that the run made of each task */
  results(epochs: number): RepeatedAttempts[]
}

/** Gathers tasks by how their attempts went: there are few ways, however many tasks. */
export function createAttemptTally(): AttemptTally {
  const ways = new Map<string, Went>()
  return {
    add: (n, c, majority) => {
      const key = `${n} ${c} ${majority}`
      const way = ways.get(key) ?? { n, c, majority, tasks: 0 }
      way.tasks++
      ways.set(key, way)
    },
    results: epochs => {
      if (epochs < 2) return []
      const all = [...ways.values()].sort((a, b) => a.n - b.n || a.c - b.c)
      const repeated = all.filter(({ n }) => n > 1)
      const alike = repeated.length > 0 && repeated.every(({ n, c }) => c === 0 || c === n) ? [neverVaries] : []
      // Every number of attempts up to those that the run made; k = 1 is the mean, which every metric shows.
      const ladder = Array.from({ length: epochs - 1 }, (_, i) => i + 2).flatMap(k =>
        kinds.map(([kind, probability]): RepeatedAttempts => {
          const valueOf = ({ n, c }: Went) => probability(n, c, k).value
          return { kind, k, estimate: withCautions(estimateOf(all, k, valueOf), alike) }
        }),
      )
      // Of two answers the majority is always the first. Answers vote only where every task's do.
      if (epochs < 3 || repeated.length === 0 || repeated.some(({ majority }) => majority === null)) return ladder
      return [
        ...ladder,
        {
          kind: 'majority',
          k: epochs,
          estimate: withCautions(
            estimateOf(all, epochs, way => way.majority, true),
            alike,
          ),
        },
      ]
    },
  }
}

const neverVaries = 'The attempts at each task all went alike: the model seems to repeat itself, so k attempts are no better than one.'

function withCautions(estimate: Estimate, more: readonly string[]): Estimate {
  return { ...estimate, cautions: [...estimate.cautions, ...more] }
}

/**
 * A value within 0 and 1 for each task that has k verdicts, then as a proportion given as shares: the task is the unit, so its attempts do
 * not pass for independent, and the interval stays within 0 and 1.
 */
function estimateOf(ways: readonly Went[], k: number, valueOf: (way: Went) => number | null, binary = false): Estimate {
  const enough = ways.filter(({ n }) => n >= k)
  const values = enough.flatMap(way => {
    const value = valueOf(way)
    return value === null ? [] : Array.from({ length: way.tasks }, () => value)
  })
  const leftOut = ways.filter(({ n }) => n < k).reduce((sum, { tasks }) => sum + tasks, 0)
  // One method for every k: a task's estimate is 0 or 1 where it has k verdicts exactly, and a share in between otherwise.
  const { n, mean, standardError, interval, reason, cautions } = summarizeMetric(values, binary ? { binary } : { shares: true })
  const fewer =
    leftOut === 0
      ? []
      : [`${leftOut} ${leftOut === 1 ? 'task has' : 'tasks have'} fewer than ${k} verdicts and ${leftOut === 1 ? 'is' : 'are'} left out.`]
  return {
    n,
    mean,
    standard_error: standardError,
    interval,
    reason: n === 0 ? `No task has ${k} verdicts.` : reason,
    cautions: [...cautions, ...fewer],
  }
}
