import { passAtK, passHatK } from '../../../statistics/pass-at-k.ts'
import { valueToFloat } from './value-to-float.ts'
import { isObject } from '../../../../lib/json-value.ts'

/** One epoch's score: a value, or values by position or by name. NaN is unscored. */
export type EpochScore = unknown

/** Reduces the scored values of one place; empty places never reach it. */
type Reduce = (values: readonly unknown[]) => unknown

/**
 * Reduces the scores of several epochs to one, per position or key where they have any. Unscored epochs are dropped first; with
 * none left the result is NaN.
 * @throws Error when the scores have different shapes
 */
export function reduceEpochs(scores: readonly EpochScore[], reduce: Reduce): EpochScore {
  const scored = scores.filter(score => !isUnscored(score))
  const first = scored[0]
  if (first === undefined) return Number.NaN
  if (Array.isArray(first)) {
    const rows = scored.map(score => rowOf(score, first.length))
    return first.map((_, i) =>
      place(
        rows.map(row => row[i]),
        reduce,
      ),
    )
  }
  if (isObject(first)) {
    const names = Object.keys(first)
    const records = scored.map(score => recordOf(score, names))
    return Object.fromEntries(
      names.map(name => [
        name,
        place(
          records.map(record => record[name]),
          reduce,
        ),
      ]),
    )
  }
  return place(scored, reduce)
}

function place(values: readonly unknown[], reduce: Reduce): unknown {
  const scored = values.filter(value => !isUnscored(value))
  return scored.length === 0 ? Number.NaN : reduce(scored)
}

function isUnscored(value: unknown): boolean {
  return typeof value === 'number' && Number.isNaN(value)
}

function rowOf(score: EpochScore, length: number): readonly unknown[] {
  if (!Array.isArray(score) || score.length !== length)
    throw new Error(`The epochs have scores of different shapes: one has ${length} positions, another does not.`)
  return score
}

function recordOf(score: EpochScore, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isObject(score) || !names.every(name => Object.hasOwn(score, name)))
    throw new Error(`The epochs have scores of different shapes: one has the keys ${names.join(', ')}, another does not.`)
  return score
}

function numbers(values: readonly unknown[]): number[] {
  return values.map(value => valueToFloat(value))
}

export const meanOf: Reduce = values => numbers(values).reduce((sum, value) => sum + value, 0) / values.length

export const medianOf: Reduce = values => {
  const sorted = numbers(values).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The most frequent value; of equals the one seen first. */
export const modeOf: Reduce = values => {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

/** The value that is largest as a number, as it was written. */
export const maxOf: Reduce = values => values.reduce((best, value) => (valueToFloat(value) > valueToFloat(best) ? value : best))

/** 1 when at least `k` values reach `threshold`, else 0. */
export function atLeast(k: number, threshold = 1): Reduce {
  return values => (numbers(values).filter(value => value >= threshold).length >= k ? 1 : 0)
}

/** The chance that at least one of `k` epochs reaches `threshold`; NaN with fewer than `k` scored epochs. */
export function passAt(k: number, threshold = 1): Reduce {
  return values => passAtK(values.length, numbers(values).filter(value => value >= threshold).length, k).value ?? Number.NaN
}

/** The chance that `k` epochs drawn without replacement all reach `threshold`; NaN with fewer than `k` scored epochs. */
export function passAll(k: number, threshold = 1): Reduce {
  return values => passHatK(values.length, numbers(values).filter(value => value >= threshold).length, k).value ?? Number.NaN
}

/** The scored values themselves; NaN when there is none. */
export function collectScored(scores: readonly EpochScore[]): EpochScore {
  const scored = scores.filter(score => !isUnscored(score))
  return scored.length === 0 ? Number.NaN : scored
}
