import { expect, test } from 'vitest'
import type { Difference } from '../../../../../src/contract/comparisons/comparisons.schemas.ts'
import { describeHeadline, describeVerdict } from '../../../../../src/engine/reporting/comparisons/word-verdict.ts'

const difference: Difference = {
  contender_id: '0190aaaa-0000-7000-8000-000000000001',
  profile_id: 'sums@1:plain',
  title: 'Sums',
  metric: 'exact',
  metric_title: 'Exact',
  primary: true,
  headline: true,
  tested: true,
  copy_of: null,
  n: 1319,
  baseline_mean: 0.5,
  contender_mean: 0.531,
  difference: 0.031,
  standard_error: 0.0075,
  interval: { low: 0.008, high: 0.054, level: 0.95, method: 'tango' },
  test: 'mcnemar_exact',
  p: 0.01,
  wins: 100,
  losses: 59,
  ties: 1160,
  reason: null,
  p_adjusted: 0.01,
  passes: null,
  minimum_detectable_difference: 0.021,
  clustered_by: null,
  clusters: null,
  verdict: 'better',
  cautions: [],
}

test('a shown difference states its interval, its tasks and the smallest detectable difference', () => {
  expect(describeVerdict(difference, 'B', 'A', 1)).toBe(
    'B is better than A by 3.1 points, 95 % interval 0.8 to 5.4, on 1,319 common tasks; a difference under 2.1 points would be missed more than one time in five.',
  )
})

test('one to the worse is turned round, interval and all', () => {
  const worse = {
    ...difference,
    difference: -0.031,
    interval: { low: -0.054, high: -0.008, level: 0.95, method: 'tango' },
    verdict: 'worse',
  } as const
  expect(describeVerdict(worse, 'B', 'A', 1)).toContain('B is worse than A by 3.1 points, 95 % interval 0.8 to 5.4, on')
})

test('one that was not shown is not called equality', () => {
  const unshown = {
    ...difference,
    difference: 0.004,
    interval: { low: -0.017, high: 0.025, level: 0.95, method: 'tango' },
    verdict: 'not_shown',
  } as const
  expect(describeVerdict(unshown, 'B', 'A', 1)).toBe(
    'No difference was shown between B and A: +0.4 points, 95 % interval −1.7 to +2.5, on 1,319 common tasks; a difference under 2.1 points would be missed more than one time in five.',
  )
})

test('a difference removed only by adjustment says so', () => {
  const adjusted = { ...difference, p: 0.03, p_adjusted: 0.06, verdict: 'not_shown' } as const
  expect(describeVerdict(adjusted, 'B', 'A', 2)).toContain(
    '95 % interval 0.8 to 5.4, on 1,319 common tasks (p = 0.030 alone and 0.060 as one of 2 tests);',
  )
})

test('an empty comparison states its reason', () => {
  const nothing = { ...difference, n: 0, difference: null, interval: null, p: null, reason: 'There are no values.' }
  expect(describeVerdict(nothing, 'B', 'A', 1)).toBe('Nothing can be said of B against A: There are no values.')
})

test('several contenders are counted, and the best is named', () => {
  const entry = (verdict: Difference['verdict'], size: number, label: string) => ({
    difference: { ...difference, verdict, difference: size },
    label,
    text: `text of ${label}.`,
  })
  expect(
    describeHeadline([entry('better', 0.1, 'B'), entry('worse', -0.1, 'C'), entry('better', 0.2, 'D'), entry('not_shown', 0.01, 'E')], 'A'),
  ).toBe('Of 4 contenders, 2 are better than A and 1 is worse; for 1, no difference was shown. text of D.')
})
