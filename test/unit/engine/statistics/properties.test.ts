import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adjustPValues, type AdjustmentMethod } from '../../../../src/engine/statistics/adjustments.ts'
import { beatProbability, bradleyTerry } from '../../../../src/engine/statistics/bradley-terry.ts'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { correlations } from '../../../../src/engine/statistics/correlations.ts'
import type { Interval } from '../../../../src/engine/statistics/estimate.ts'
import { cohenKappa } from '../../../../src/engine/statistics/kappa.ts'
import { mcnemar } from '../../../../src/engine/statistics/mcnemar.ts'
import { passAtK, passHatK } from '../../../../src/engine/statistics/pass-at-k.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from '../../../../src/engine/statistics/proportions.ts'
import { summarizeMetric } from '../../../../src/engine/statistics/summarize.ts'
import { tangoInterval } from '../../../../src/engine/statistics/tango.ts'
import { twoProportions } from '../../../../src/engine/statistics/two-proportions.ts'
import { unpairedDifference } from '../../../../src/engine/statistics/unpaired.ts'
import { wilcoxonSignedRank } from '../../../../src/engine/statistics/wilcoxon.ts'

const runs = { seed: 20_260_101, numRuns: 150 }
const score = fc.double({ min: 0, max: 1, noNaN: true })
const scores = fc.array(score, { minLength: 2, maxLength: 40 })
const outcomes = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 60 })
const pairs = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 30 })
const successes = fc.integer({ min: 1, max: 400 }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
const squareTable = fc
  .integer({ min: 2, max: 4 })
  .chain(size => fc.array(fc.array(fc.nat(20), { minLength: size, maxLength: size }), { minLength: size, maxLength: size }))

function near(actual: number | null, expected: number | null, tol = 1e-9): void {
  if (actual === null || expected === null) expect(actual).toBe(expected)
  else expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(tol * (1 + Math.abs(expected)))
}

function contains(interval: Interval | null, value: number | null): void {
  if (interval === null || value === null) return
  expect(interval.low - 1e-9 * (1 + Math.abs(value))).toBeLessThanOrEqual(value)
  expect(interval.high + 1e-9 * (1 + Math.abs(value))).toBeGreaterThanOrEqual(value)
}

function transposed<T>(table: readonly (readonly T[])[]): T[][] {
  return table.map((_, i) => table.flatMap(row => row.slice(i, i + 1)))
}

describe('order of the values', () => {
  test('does not matter to a summary', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.tuple(score, fc.constantFrom('a', 'b', 'c')), { minLength: 2, maxLength: 30 })
          .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          const first = summarizeMetric(
            list.map(([value]) => value),
            { clusters: list.map(([, key]) => key) },
          )
          const second = summarizeMetric(
            shuffled.map(([value]) => value),
            { clusters: shuffled.map(([, key]) => key) },
          )
          near(second.mean, first.mean)
          near(second.standardError, first.standardError, 1e-7)
          near(second.interval?.low ?? null, first.interval?.low ?? null, 1e-6)
        },
      ),
      runs,
    )
  })

  test('does not matter to a comparison or a correlation', () => {
    fc.assert(
      fc.property(
        pairs.chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          const split = (of: readonly (readonly [number, number])[]): [number[], number[]] => [of.map(([a]) => a), of.map(([, b]) => b)]
          near(wilcoxonSignedRank(...split(shuffled)).p, wilcoxonSignedRank(...split(list)).p)
          near(correlations(...split(shuffled)).kendallTauB, correlations(...split(list)).kendallTauB)
          near(unpairedDifference(...split(shuffled)).p, unpairedDifference(...split(list)).p, 1e-6)
        },
      ),
      runs,
    )
  })
})

describe('swapping the models', () => {
  test('turns the sign of a paired comparison and leaves p', () => {
    fc.assert(
      fc.property(pairs, list => {
        const [a, b] = [list.map(([value]) => value), list.map(([, value]) => value)]
        const [there, back] = [comparePaired(a, b, { seed: 1 }), comparePaired(b, a, { seed: 1 })]
        near(back.difference, there.difference === null ? null : -there.difference)
        near(back.p, there.p)
        expect([back.wins, back.losses]).toEqual([there.losses, there.wins])
        if (list.length <= 20 && there.interval !== null) near(back.interval?.low ?? null, -there.interval.high, 1e-8)
      }),
      runs,
    )
  })

  test("turns Tango's and Newcombe's interval and leaves McNemar and Fisher", () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.nat(40), successes, successes, (b, c, ties, [k1, n1], [k2, n2]) => {
        const n = b + c + ties + 1
        const there = tangoInterval({ onlyNew: b, onlyOld: c, n }).value
        const back = tangoInterval({ onlyNew: c, onlyOld: b, n }).value
        near(back?.low ?? null, there && -there.high, 1e-7)
        expect(mcnemar(b, c)).toEqual(mcnemar(c, b))
        near(twoProportions(k1, n1, k2, n2).pFisher, twoProportions(k2, n2, k1, n1).pFisher, 1e-8)
        near(twoProportions(k1, n1, k2, n2).interval?.low ?? null, -(twoProportions(k2, n2, k1, n1).interval?.high ?? 0))
      }),
      runs,
    )
  })

  test('leaves kappa, weighted or not', () => {
    fc.assert(
      fc.property(squareTable, fc.constantFrom('none', 'linear', 'quadratic'), (table, weights) => {
        near(cohenKappa(transposed(table), weights).kappa, cohenKappa(table, weights).kappa)
        near(cohenKappa(transposed(table), weights).standardError, cohenKappa(table, weights).standardError, 1e-7)
      }),
      runs,
    )
  })
})

describe('the unit of the values', () => {
  test('scales mean, standard error and interval, and leaves p', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0.001, max: 1000, noNaN: true }), (values, factor) => {
        const scaled = values.map(value => value * factor)
        const [before, after] = [summarizeMetric(values), summarizeMetric(scaled)]
        near(after.mean, before.mean === null ? null : before.mean * factor)
        near(after.standardError, before.standardError === null ? null : before.standardError * factor)
        near(after.interval?.high ?? null, before.interval && before.interval.high * factor, 1e-8)
        const zeros = values.map(() => 0)
        near(comparePaired(scaled, zeros, { seed: 1 }).p, comparePaired(values, zeros, { seed: 1 }).p, 1e-6)
      }),
      runs,
    )
  })

  test('does not matter to the strengths of a ranking, only to their errors', () => {
    fc.assert(
      fc.property(squareTable, fc.integer({ min: 2, max: 9 }), (wins, factor) => {
        const before = bradleyTerry(wins, { prior: 1 }).fit
        const after = bradleyTerry(
          wins.map(row => row.map(count => count * factor)),
          { prior: factor },
        ).fit
        after?.logStrengths.forEach((strength, i) => near(strength, before?.logStrengths[i] ?? null, 1e-8))
        after?.standardErrors.forEach((error, i) => near(error, (before?.standardErrors[i] ?? 0) / Math.sqrt(factor), 1e-8))
      }),
      runs,
    )
  })
})

describe('intervals', () => {
  test('contain their estimate', () => {
    fc.assert(
      fc.property(successes, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ([k, n], level) => {
        for (const method of [wilsonInterval, clopperPearsonInterval, jeffreysInterval, agrestiCoullInterval]) {
          const { value } = method(k, n, level)
          contains(value, k / n)
          expect(value?.low).toBeGreaterThanOrEqual(0)
          expect(value?.high).toBeLessThanOrEqual(1)
        }
      }),
      runs,
    )
    fc.assert(
      fc.property(outcomes, fc.constantFrom(2, 3, 7), (values, size) => {
        const plain = summarizeMetric(values, { binary: true })
        contains(plain.interval, plain.mean)
        const clustered = summarizeMetric(values, { binary: true, clusters: values.map((_, i) => `c${Math.floor(i / size)}`) })
        contains(clustered.interval, clustered.mean)
      }),
      runs,
    )
    fc.assert(
      fc.property(scores, values => {
        const summary = summarizeMetric(values)
        contains(summary.interval, summary.mean)
      }),
      runs,
    )
  })

  test('widen with their level', () => {
    fc.assert(
      fc.property(successes, ([k, n]) => {
        const [narrow, wide] = [wilsonInterval(k, n, 0.9).value, wilsonInterval(k, n, 0.99).value]
        expect(wide?.low).toBeLessThanOrEqual(narrow?.low ?? -1)
        expect(wide?.high).toBeGreaterThanOrEqual(narrow?.high ?? 2)
      }),
      runs,
    )
  })

  test('mirror when successes and failures are swapped', () => {
    fc.assert(
      fc.property(successes, ([k, n]) => {
        for (const method of [wilsonInterval, clopperPearsonInterval, jeffreysInterval, agrestiCoullInterval]) {
          near(method(n - k, n).value?.low ?? null, 1 - (method(k, n).value?.high ?? 0), 1e-10)
        }
      }),
      runs,
    )
  })
})

describe('order relations', () => {
  test('keeps the order of p-values under every adjustment and never lowers one', () => {
    const methods: AdjustmentMethod[] = ['bonferroni', 'holm', 'hochberg', 'bh', 'by']
    fc.assert(
      fc.property(fc.array(score, { maxLength: 20 }), fc.constantFrom(...methods), (p, method) => {
        const adjusted = [...adjustPValues(p, method)]
        p.forEach((value, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value)
          expect(adjusted[i]).toBeLessThanOrEqual(1)
          p.forEach((other, j) => {
            if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? 0)
          })
        })
        adjustPValues(p, 'holm').forEach((value, i) => expect(value).toBeLessThanOrEqual((adjustPValues(p, 'bonferroni')[i] ?? 0) + 1e-15))
      }),
      runs,
    )
  })

  test('raises pass@k and lowers pass^k with k', () => {
    fc.assert(
      fc.property(successes, ([c, n]) => {
        for (let k = 1; k < Math.min(n, 30); k++) {
          expect(passAtK(n, c, k + 1).value).toBeGreaterThanOrEqual((passAtK(n, c, k).value ?? 2) - 1e-12)
          expect(passHatK(n, c, k + 1).value).toBeLessThanOrEqual((passHatK(n, c, k).value ?? -1) + 1e-12)
        }
        near(passAtK(n, c, 1).value, c / n)
        near(passHatK(n, c, 1).value, c / n)
      }),
      runs,
    )
  })
})

describe('Bradley-Terry', () => {
  test('depends on differences alone: strengths add up to 0 and renaming models renames strengths', () => {
    fc.assert(
      fc.property(squareTable, wins => {
        const strengths = bradleyTerry(wins, { prior: 0.5 }).fit?.logStrengths ?? []
        near(
          strengths.reduce((total, strength) => total + strength, 0),
          0,
        )
        const reversed = bradleyTerry(wins.map(row => row.toReversed()).toReversed(), { prior: 0.5 }).fit?.logStrengths ?? []
        reversed.toReversed().forEach((strength, i) => near(strength, strengths[i] ?? null, 1e-8))
        near(beatProbability(3 + (strengths[0] ?? 0), 3 + (strengths[1] ?? 0)), beatProbability(strengths[0] ?? 0, strengths[1] ?? 0))
      }),
      runs,
    )
  })
})
