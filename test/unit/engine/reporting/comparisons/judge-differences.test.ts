import { describe, expect, test } from 'vitest'
import { judgeDifferences, type Unjudged } from '../../../../../src/engine/reporting/comparisons/judge-differences.ts'
import { mulberry32, type Random } from '../../../../../src/engine/statistics/random.ts'

const facts: Unjudged['facts'] = {
  contender_id: 'b',
  profile_id: 'p',
  title: 'P',
  metric: 'm',
  metric_title: 'M',
  primary: true,
  headline: true,
  clustered_by: null,
  tested: true,
  copy_of: null,
}
const level = 0.95
/** `npm run test:policies` takes 2,000; the short form finds gross errors. */
const simulations = Number(process.env['ASSAY_SIMULATIONS'] ?? 250)

/** Of 200 tasks the contender alone passes `wins` and the baseline alone `losses`. */
function passing(wins: number, losses: number, more: Partial<Unjudged['facts']> = {}): Unjudged {
  const contender = Array.from({ length: 200 }, (_, i) => (i < wins ? 1 : i < wins + losses ? 0 : i % 2))
  const baseline = Array.from({ length: 200 }, (_, i) => (i < wins ? 0 : i < wins + losses ? 1 : i % 2))
  return { facts: { ...facts, ...more }, values: { contender, baseline, binary: true, clusters: null } }
}

function passes(rate: number, random: Random): number[] {
  return Array.from({ length: 120 }, () => (random() < rate ? 1 : 0))
}

describe('a verdict', () => {
  test('is better or worse where test and interval say so', () => {
    const of = (wins: number, losses: number) => judgeDifferences([passing(wins, losses)], level, 1)[0]?.verdict
    expect(of(30, 5)).toBe('better')
    expect(of(5, 30)).toBe('worse')
    expect(of(10, 8)).toBe('not_shown')
    expect(of(0, 0)).toBe('not_shown')
  })

  test('is adjusted over what is tested, and over nothing else', () => {
    const alone = judgeDifferences([passing(20, 6)], level, 1)[0]
    expect(alone?.verdict).toBe('better')
    const beside = judgeDifferences(
      [passing(20, 6), ...[1, 2, 3, 4, 5, 6].map(() => passing(9, 8, { tested: false, headline: false }))],
      level,
      1,
    )
    expect(beside[0]).toEqual(alone)
    expect(beside.slice(1).map(({ verdict, p_adjusted }) => [verdict, p_adjusted])).toEqual(beside.slice(1).map(() => ['not_tested', null]))
    const tested = judgeDifferences([passing(20, 6), ...[1, 2, 3, 4, 5, 6].map(() => passing(9, 8))], level, 1)
    expect(tested[0]).toMatchObject({ verdict: 'not_shown', p_adjusted: expect.closeTo((alone?.p ?? 0) * 7, 10) })
  })

  test('of shares of three tasks has an interval that ends at 100 points', () => {
    const values = { contender: [1, 1, 1], baseline: [0.2, 0, 0.2], binary: false, clusters: null }
    const highOf = (unit: boolean) => judgeDifferences([{ facts, values: { ...values, unit } }], level, 1)[0]?.interval?.high
    expect(highOf(false)).toBeGreaterThan(1)
    expect(highOf(true)).toBe(1)
  })

  test('of several tests comes with an interval at its Holm step', () => {
    const [strong, weak] = judgeDifferences([passing(30, 5), passing(9, 8)], level, 1)
    expect(strong?.interval?.level).toBeCloseTo(0.975, 10)
    expect(weak?.interval?.level).toBe(0.95)
    // Alone it would leave out 0; as the first that is not rejected of seven it does not.
    const [alone] = judgeDifferences([passing(20, 6)], level, 1)
    const [among] = judgeDifferences([passing(20, 6), ...[1, 2, 3, 4, 5, 6].map(() => passing(9, 8))], level, 1)
    expect(alone?.interval?.low).toBeGreaterThan(0)
    expect(among?.interval?.low).toBeLessThan(0)
    expect(among?.interval?.level).toBeCloseTo(1 - 0.05 / 7, 10)
  })

  test('never says "no difference" beside an interval that leaves out 0, for tests that are adjusted', () => {
    const random = mulberry32(5)
    let contradictions = 0
    for (let round = 0; round < simulations / 5; round++) {
      const judged = judgeDifferences(
        [0, 1, 2].map(() => passing(Math.floor(10 + random() * 20), Math.floor(4 + random() * 12))),
        level,
        1,
      )
      for (const { verdict, interval } of judged)
        if (verdict === 'not_shown' && interval && (interval.low > 0 || interval.high < 0)) contradictions++
    }
    expect(contradictions).toBe(0)
  })
})

describe(`over ${simulations} seeded comparisons of identical models`, () => {
  test.each([1, 3])('with %i contenders, no more than 5 % call any of them different', contenders => {
    const random = mulberry32(11)
    let called = 0
    for (let round = 0; round < simulations; round++) {
      const baseline = passes(0.7, random)
      const measured = Array.from({ length: contenders }, () => ({
        facts,
        values: { contender: passes(0.7, random), baseline, binary: true, clusters: null },
      }))
      if (judgeDifferences(measured, level, 1).some(({ verdict }) => verdict !== 'not_shown')) called++
    }
    // Two standard errors of a share of 5 % above it.
    expect(called / simulations).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / simulations))
    expect(called).toBeGreaterThan(0)
  })
})
