import type { TuneObjective } from '../../../contract/tuning/draft.schemas.ts'
import { currentLabel } from '../../../contract/tuning/quotes.schemas.ts'
import type { TuneArm, TuneConclusion } from '../../../contract/tuning/race.schemas.ts'
import { normalQuantile } from '../../statistics/distributions/normal.ts'

export type RacedArm = Pick<
  TuneArm,
  | 'label'
  | 'current'
  | 'verdict'
  | 'reason'
  | 'n'
  | 'difference'
  | 'looks'
  | 'cost_per_case_microusd'
  | 'cost_difference_microusd'
  | 'latency'
>

/**
 * What a group recommends: the cheapest accepted arm by measured cost whose cost difference has an upper 95 % bound below 0 and whose
 * p95 latency is shown to keep the limit; ties by p50 latency.
 */
export function concludeGroup(
  groupId: string,
  arms: readonly RacedArm[],
  objective: Pick<TuneObjective, 'margin' | 'max_latency_ms' | 'better_price_factor'>,
  alpha: number,
  cautions: readonly string[],
): TuneConclusion {
  const cheaper = concludeCheaper(groupId, arms, objective, alpha, cautions)
  const { better_price_factor: factor, max_latency_ms: limit } = objective
  if (factor === undefined) return cheaper
  const [best] = arms.filter(arm => arm.reason === 'superior' && keepsLatency(arm, limit)).toSorted((a, b) => lowOf(b) - lowOf(a))
  if (!best) return { ...cheaper, better: null }
  const text = betterText(best, arms)
  const { cases_needed: _, ...rest } = cheaper
  return cheaper.recommended === null
    ? { ...rest, recommended: best.label, reason: 'recommended', better: best.label, text }
    : { ...cheaper, better: best.label, text: `${cheaper.text} ${text}` }
}

function concludeCheaper(
  groupId: string,
  arms: readonly RacedArm[],
  { margin, max_latency_ms: limit }: Pick<TuneObjective, 'margin' | 'max_latency_ms'>,
  alpha: number,
  cautions: readonly string[],
): TuneConclusion {
  const base = { group_id: groupId, recommended: null, cautions: [...cautions] }
  const keep = 'Keep the current call'
  const candidates = arms.filter(arm => !arm.current)
  if (candidates.every(arm => arm.reason === 'missing'))
    return { ...base, reason: 'unusable', text: `${keep}: too many cases have no score to say anything about a candidate.` }
  if (candidates.every(arm => arm.reason === 'not_cheaper'))
    return { ...base, reason: 'none_cheaper', text: `${keep}: no candidate costs less.` }
  const accepted = candidates.filter(arm => arm.verdict === 'accepted' && arm.reason !== 'superior')
  if (accepted.length === 0) {
    const needed = casesNeeded(candidates, margin, alpha)
    const text = `${keep}: no candidate was shown to be less than ${points(margin)} worse${needed === null ? '.' : `; about ${needed} cases would decide.`}`
    return { ...base, reason: 'none_accepted', text, ...(needed !== null && { cases_needed: needed }) }
  }
  const quick = accepted.filter(arm => keepsLatency(arm, limit))
  if (quick.length === 0)
    return { ...base, reason: 'too_slow', text: `${keep}: no accepted candidate was shown to answer within ${limit} ms (p95).` }
  const priced = quick.filter(arm => arm.cost_difference_microusd !== null)
  if (priced.length === 0)
    return {
      ...base,
      reason: 'rates_unknown',
      text: 'No recommendation: the rates are unknown, so no candidate is shown to cost less. State the rates of the connections.',
    }
  const [best] = priced.filter(arm => (arm.cost_difference_microusd?.upper ?? 0) < 0).toSorted(byCostThenLatency)
  if (!best) return { ...base, reason: 'none_cheaper', text: `${keep}: no accepted candidate was shown to cost less.` }
  return { ...base, recommended: best.label, reason: 'recommended', text: recommendation(best, arms, margin) }
}

/** Whether the p95 latency is shown to keep the limit. */
export function keepsLatency({ latency }: Pick<TuneArm, 'latency'>, limit: number | undefined): boolean {
  return limit === undefined || (latency.p95_upper_ms !== null && latency.p95_upper_ms <= limit)
}

function byCostThenLatency(a: RacedArm, b: RacedArm): number {
  return costOf(a) - costOf(b) || (a.latency.p50_ms ?? 0) - (b.latency.p50_ms ?? 0)
}

function costOf({ cost_per_case_microusd: cost }: RacedArm): number {
  return cost === null ? Number.POSITIVE_INFINITY : Number(cost)
}

function recommendation(best: RacedArm, arms: readonly RacedArm[], margin: number): string {
  const current = arms.find(arm => arm.current)
  const { mean = 0 } = best.cost_difference_microusd ?? {}
  const before = current ? costOf(current) : 0
  const saving = before > 0 && Number.isFinite(before) ? `${Math.round((-mean / before) * 100)} % less` : 'less'
  // Of the look that accepted it: the table's interval knows nothing about the looks before, and is too narrow.
  const low = best.looks.at(-1)?.difference.interval?.low ?? -margin
  const quality = low >= 0 ? 'is not worse' : `is at most ${points(-low)} worse`
  return `${best.label} costs ${saving} than ${current?.label ?? currentLabel} and ${quality}.`
}

/** The lower end at the look that showed it. */
function lowOf({ looks }: RacedArm): number {
  return looks.at(-1)?.difference.interval?.low ?? 0
}

function betterText(best: RacedArm, arms: readonly RacedArm[]): string {
  const current = arms.find(arm => arm.current)
  const before = current ? costOf(current) : 0
  return `${best.label} is better than ${current?.label ?? currentLabel} by at least ${points(Math.max(0, lowOf(best)))}${priceText(costOf(best), before)}.`
}

/** Empty where a cost is unknown, or none was paid before. */
function priceText(cost: number, before: number): string {
  if (!Number.isFinite(cost) || !Number.isFinite(before)) return ''
  if (cost === before) return ' at the same price'
  if (cost === 0) return ' at no cost'
  if (before === 0) return ''
  const ratio = cost / before
  return Math.round(ratio * 100) === 100 ? ' at about the same price' : ` at ${Number(ratio.toPrecision(3))} times the price`
}

/** n = (z₁₋α + z₀.₈)²·Var(d)/(d + M)² of the most promising candidate; null where more cases would not help. */
function casesNeeded(candidates: readonly RacedArm[], margin: number, alpha: number): number | null {
  const sizes = candidates.flatMap(({ looks, reason }) => {
    const last = looks.at(-1)
    const { mean, standard_error: error } = last?.difference ?? {}
    if (!last || mean == null || !error || mean + margin <= 0 || reason === 'not_cheaper' || reason === 'not_needed') return []
    return [((normalQuantile(1 - alpha) + normalQuantile(0.8)) ** 2 * error ** 2 * last.n) / (mean + margin) ** 2]
  })
  return sizes.length === 0 ? null : Math.ceil(Math.min(...sizes))
}

function points(share: number): string {
  const value = Math.round(share * 1000) / 10
  return `${value} point${value === 1 ? '' : 's'}`
}
