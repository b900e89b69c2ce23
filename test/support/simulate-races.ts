import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { assessLook } from '../../src/engine/statistics/race/assess-look.ts'
import { decideLook } from '../../src/engine/statistics/race/decide-look.ts'

export interface SimulatedRaces {
  readonly races: number
  readonly n: number
  /** Share of cases on which the two differ, where both are equally good. */
  readonly discordant: number
  /** True loss of the candidate. */
  readonly worseBy: number
  readonly margin: number
  readonly alpha: number
  readonly seed: number
  readonly shares?: readonly number[]
  /** Cases of a cluster, which all have one outcome; 1: independent cases. */
  readonly clusterSize?: number
}

/** Races of one candidate through the functions that decide real ones: how often it is accepted or dropped, and cases on average. */
export function simulateRaces({
  races,
  n,
  discordant,
  worseBy,
  margin,
  alpha,
  seed,
  shares = [0.2, 0.4, 0.6, 0.8, 1],
  clusterSize = 1,
}: SimulatedRaces) {
  const source = xoroshiro128plus(seed)
  const random = () => uniformFloat64(source)
  const loses = Math.max(discordant, worseBy) / 2 + worseBy / 2
  const wins = loses - worseBy
  const plan = { margin, alpha, candidates: 1, shares }
  let [accepted, dropped, cases] = [0, 0, 0]
  for (let race = 0; race < races; race++) {
    const candidate: number[] = []
    const current: number[] = []
    for (const [look, share] of shares.entries()) {
      for (const upTo = Math.round(share * n); candidate.length < upTo; ) {
        const draw = random()
        for (let i = 0; i < clusterSize; i++) {
          candidate.push(draw < loses ? 0 : 1)
          current.push(draw >= loses && draw < loses + wins ? 0 : 1)
        }
      }
      const clusters = clusterSize === 1 ? null : candidate.map((_, i) => String(Math.floor(i / clusterSize)))
      const [decision] = decideLook(plan, look, 0, [assessLook({ candidate, current, clusters }, margin)])
      if (decision?.verdict === 'continue') continue
      if (decision?.verdict === 'accepted') accepted++
      if (decision?.verdict === 'dropped') dropped++
      cases += candidate.length
      break
    }
  }
  return { accepted: accepted / races, dropped: dropped / races, cases: cases / races }
}
