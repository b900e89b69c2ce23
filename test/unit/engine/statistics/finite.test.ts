import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapMean } from '../../../../src/engine/statistics/bootstrap.ts'
import { bradleyTerry } from '../../../../src/engine/statistics/bradley-terry.ts'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { correlations } from '../../../../src/engine/statistics/correlations.ts'
import { cohenKappa } from '../../../../src/engine/statistics/kappa.ts'
import { krippendorffAlpha } from '../../../../src/engine/statistics/krippendorff.ts'
import { mcnemar } from '../../../../src/engine/statistics/mcnemar.ts'
import { noninferiorityTwoProportions } from '../../../../src/engine/statistics/noninferiority-proportions.ts'
import { summarizeMetric } from '../../../../src/engine/statistics/summarize.ts'
import { twoProportions } from '../../../../src/engine/statistics/two-proportions.ts'
import { unpairedDifference } from '../../../../src/engine/statistics/unpaired.ts'
import { wilcoxonSignedRank } from '../../../../src/engine/statistics/wilcoxon.ts'

const runs = { seed: 20_260_101, numRuns: 150 }
const successes = fc.integer({ min: 1, max: 400 }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
const squareTable = fc
  .integer({ min: 2, max: 4 })
  .chain(size => fc.array(fc.array(fc.nat(20), { minLength: size, maxLength: size }), { minLength: size, maxLength: size }))

describe('no NaN and nothing infinite', () => {
  const wild = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, 1, -1, 1e-300, 1e150, Number.NaN, Number.POSITIVE_INFINITY),
  )

  /** Every number in a result is finite; where something is null a reason stands beside it. */
  function expectClean(result: object): void {
    for (const [key, value] of Object.entries(result)) {
      if (typeof value === 'number') expect(Number.isFinite(value), `${key} is ${value}`).toBe(true)
      else if (typeof value === 'object' && value !== null) expectClean(value)
    }
    if (!('reason' in result)) return
    const missing = Object.entries(result).filter(([key, value]) => key !== 'reason' && value === null)
    expect(missing.length > 0, `reason: ${String(result.reason)}`).toBe(result.reason !== null)
  }

  test('leaves the functions of samples', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(wild, wild, fc.constantFrom('a', 'b', 'c')), { maxLength: 12 }), rows => {
        const a = rows.map(([value]) => value)
        const b = rows.map(([, value]) => value)
        const clusters = rows.map(([, , key]) => key)
        expectClean(summarizeMetric(a))
        expectClean(summarizeMetric(a, { clusters }))
        expectClean(
          summarizeMetric(
            a.map(value => (value > 0 ? 1 : 0)),
            { binary: true, clusters },
          ),
        )
        expectClean(comparePaired(a, b, { seed: 1 }))
        expectClean(comparePaired(a, b, { seed: 1, clusters }))
        expectClean(unpairedDifference(a, b))
        expectClean(correlations(a, b))
        expectClean(wilcoxonSignedRank(a, b))
        expectClean(bootstrapMean(a, { seed: 1, replicates: 50 }))
        expectClean(krippendorffAlpha([a, b], 'ratio'))
      }),
      runs,
    )
  })

  test('leaves the functions of counts', () => {
    fc.assert(
      fc.property(squareTable, successes, successes, (table, [k1, n1], [k2, n2]) => {
        expectClean(cohenKappa(table))
        expectClean(bradleyTerry(table))
        expectClean(twoProportions(k1, n1, k2, n2))
        expectClean(mcnemar(k1, k2))
        expectClean(noninferiorityTwoProportions({ successesNew: k1, trialsNew: n1, successesOld: k2, trialsOld: n2 }, 0.1))
      }),
      runs,
    )
  })
})
