import { describe, expect, test } from 'vitest'
import { assessLook } from '../../../../src/engine/statistics/race/assess-look.ts'
import { bounds, decideLook } from '../../../../src/engine/statistics/race/decide-look.ts'
import { orderCases, planLooks } from '../../../../src/engine/statistics/race/order-cases.ts'
import { simulateRaces } from '../../../support/simulate-races.ts'

const shares = [0.2, 0.4, 0.6, 0.8, 1]
const cases = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `case-${i}`, cluster: null }))

describe('cases', () => {
  test('come in the order of SHA-256 of seed and id, with looks at fifths', () => {
    const ordered = orderCases(cases(100), 7)
    expect(ordered.map(({ id }) => id)).toEqual(orderCases(cases(100).reverse(), 7).map(({ id }) => id))
    expect(ordered.map(({ id }) => id)).not.toEqual(orderCases(cases(100), 8).map(({ id }) => id))
    expect(planLooks(ordered, 'race')).toEqual([20, 40, 60, 80, 100])
    expect(planLooks(ordered, 'full')).toEqual([100])
    expect(planLooks(orderCases(cases(49), 1), 'race')).toEqual([49])
  })

  test('of one cluster follow one another, and no look cuts a cluster', () => {
    const clustered = Array.from({ length: 90 }, (_, i) => ({ id: `case-${i}`, cluster: `thread-${i % 15}` }))
    const ordered = orderCases(clustered, 1)
    const changes = ordered.filter((item, i) => item.cluster !== ordered[i - 1]?.cluster)
    expect(changes).toHaveLength(15)
    for (const end of planLooks(ordered, 'race')) expect(ordered[end]?.cluster).not.toBe(ordered[end - 1]?.cluster)
  })
})

describe('a look', () => {
  const full = { margin: 0.05, alpha: 0.05, candidates: 1, shares: [1] }
  test('counts a missing score as 0 for the candidate and 1 for the current call', () => {
    const assessment = assessLook({ candidate: [1, null, 1, 0], current: [1, 1, null, 0], clusters: null }, 0.05)
    expect(assessment).toMatchObject({ difference: -0.25, missing: { candidate: 1, current: 1 } })
  })

  test('accepts nothing with more than 5 % missing', () => {
    const scores = Array.from({ length: 200 }, () => 1)
    const gaps = scores.map((value, i) => (i < 11 ? null : value))
    const [decision] = decideLook(full, 0, 0, [assessLook({ candidate: gaps, current: scores, clusters: null }, 0.5)])
    expect(decision).toMatchObject({ verdict: 'undecided', reason: 'missing' })
  })

  test('lowers the bound of the others with each acceptance, at the same look', () => {
    const plan = { margin: 0.05, alpha: 0.05, candidates: 2, shares }
    const between = ((bounds(shares, 0.025)[2] ?? 0) + (bounds(shares, 0.05)[2] ?? 0)) / 2
    const arm = (z: number) => ({
      n: 300,
      units: 300,
      designEffect: 1,
      difference: 0,
      standardError: 0.015,
      z,
      method: 'tango' as const,
      missing: { candidate: 0, current: 0 },
    })
    expect(decideLook(plan, 2, 0, [arm(between)]).map(({ verdict }) => verdict)).toEqual(['continue'])
    expect(decideLook(plan, 2, 0, [arm(between), arm(9)]).map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted'])
  })

  test('uses the clusters: repeated answers of one thread prove less', () => {
    const candidate = Array.from({ length: 120 }, (_, i) => (Math.floor(i / 10) % 4 === 0 ? 0 : 1))
    const current = Array.from({ length: 120 }, () => 1)
    const clusters = candidate.map((_, i) => `thread-${Math.floor(i / 10)}`)
    const alone = assessLook({ candidate, current, clusters: null }, 0.3)
    const together = assessLook({ candidate, current, clusters }, 0.3)
    expect(together.method).toBe('cr1')
    expect(together.z).toBeLessThan(alone.z / 2)
  })

  test('proves no more by clusters without any difference than as many equal pairs', () => {
    const same = Array.from({ length: 120 }, () => 1)
    const clusters = same.map((_, i) => `thread-${Math.floor(i / 10)}`)
    const together = assessLook({ candidate: same, current: same, clusters }, 0.3)
    expect(together).toMatchObject({ n: 120, units: 12, standardError: 0 })
    expect(together.z).toBeLessThan(assessLook({ candidate: same.slice(0, 12), current: same.slice(0, 12), clusters: null }, 0.3).z)
    const one = assessLook({ candidate: same, current: same, clusters: same.map(() => 'thread') }, 0.3)
    expect(one.z).toBe(Number.NEGATIVE_INFINITY)
    // Every case better by a little is no better proof than every case alike, and every case worse by the margin is none.
    const half = same.map(() => 0.5)
    expect(assessLook({ candidate: same, current: half, clusters: null }, 0.3).z).toBe(
      assessLook({ candidate: half, current: half, clusters: null }, 0.3).z,
    )
    expect(assessLook({ candidate: same.map(() => 0.2), current: half, clusters: null }, 0.3).z).toBe(Number.NEGATIVE_INFINITY)
  })
})

/** The short form of `npm run bench -- tuning`: fewer races, wider limits. */
describe('simulated races of 500 cases with a margin of 5 points', () => {
  test.each([
    {
      what: 'a candidate worse by the margin is accepted in about 5 % of them',
      worseBy: 0.05,
      least: 0.02,
      most: 0.08,
      from: 100,
      to: 500,
    },
    {
      what: 'an equal candidate is accepted in about 95 %, after about 330 cases',
      worseBy: 0,
      least: 0.91,
      most: 0.99,
      from: 300,
      to: 360,
    },
    { what: 'one worse by 15 points is dropped after about 107 cases', worseBy: 0.15, least: 0, most: 0.005, from: 100, to: 120 },
  ])('$what', ({ worseBy, least, most, from, to }) => {
    const { accepted, cases: used } = simulateRaces({ races: 600, n: 500, discordant: 0.1, margin: 0.05, alpha: 0.05, seed: 5, worseBy })
    expect(accepted).toBeGreaterThanOrEqual(least)
    expect(accepted).toBeLessThanOrEqual(most)
    expect(used).toBeGreaterThan(from)
    expect(used).toBeLessThan(to)
  })
})

describe('simulated races for a better candidate', () => {
  // What decides is the same test at a margin of 0.
  test('call one that is as good better in at most about 5 % of them, and find one better by 8 points', () => {
    const race = { races: 600, n: 500, discordant: 0.1, margin: 0, alpha: 0.05 }
    expect(simulateRaces({ ...race, worseBy: 0, seed: 17 }).accepted).toBeLessThanOrEqual(0.065)
    expect(simulateRaces({ ...race, discordant: 0.2, worseBy: -0.08, seed: 17 }).accepted).toBeGreaterThanOrEqual(0.95)
  })
})

describe('simulated races of clustered cases', () => {
  test.each([
    { clusters: 25, clusterSize: 4 },
    { clusters: 50, clusterSize: 4 },
  ])(
    'accept a candidate worse by the margin in at most about 5 % of them, with $clusters clusters that answer alike',
    ({ clusters, clusterSize }) => {
      const n = clusters * clusterSize
      const { accepted } = simulateRaces({ races: 600, n, discordant: 0.2, margin: 0.1, alpha: 0.05, seed: 11, worseBy: 0.1, clusterSize })
      expect(accepted).toBeLessThanOrEqual(0.06)
    },
  )
})
