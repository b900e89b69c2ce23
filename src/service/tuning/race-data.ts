import type { TuneObjective } from '../../contract/tuning/draft.schemas.ts'
import type { RaceRules } from '../../engine/reporting/tuning/advance-race.ts'
import type { ArmData, CaseOutcome } from '../../engine/reporting/tuning/measure-arm.ts'
import { orderCases, planLooks, type RacedCase } from '../../engine/statistics/race/order-cases.ts'
import type { Runs } from '../runs/index.ts'

/** The plan of a group, the same whenever it is made from the approved draft. */
export interface RaceFrame {
  readonly ordered: readonly RacedCase[]
  /** Cases after each look. */
  readonly looks: readonly number[]
  /** One name a case in race order; null where cases are independent. */
  readonly clusters: readonly string[] | null
}

export function raceFrame(cases: readonly RacedCase[], seed: number, mode: 'race' | 'full'): RaceFrame {
  const ordered = orderCases(cases, seed)
  const names = ordered.map(({ id, cluster }) => (cluster === null ? `case ${id}` : `cluster ${cluster}`))
  return { ordered, looks: planLooks(ordered, mode), clusters: new Set(names).size < names.length ? names : null }
}

/** Cases that the runs of a group may ask at a look; null at the last one, after which they complete. */
export function gateOf(looks: readonly number[], look: number): number | null {
  return look < looks.length - 1 ? (looks[look] ?? null) : null
}

/** One-sided error of a group. */
export function groupAlpha({ confidence, planned_groups }: Pick<TuneObjective, 'confidence' | 'planned_groups'>): number {
  return (1 - confidence) / planned_groups
}

export function raceRules(
  { looks, clusters, ordered }: RaceFrame,
  objective: TuneObjective,
  mode: 'race' | 'full',
  candidates: number,
): RaceRules {
  const shares = looks.map(n => n / ordered.length)
  return {
    margin: objective.margin,
    alpha: groupAlpha(objective),
    candidates,
    shares,
    mode,
    clusters,
    betterFactor: objective.better_price_factor ?? null,
  }
}

/** The first cases of an arm; those that an ended run never reached count as missing. */
export function armData(
  runs: Pick<Runs, 'gated'>,
  workspaceId: string,
  runId: string,
  evaluatorVersionId: string | null,
  count: number,
): ArmData & { readonly reachedLook: boolean } {
  const state = runs.gated.state(workspaceId, runId)
  const reachedLook = !state || state.isEnded || state.ended >= count
  const none: CaseOutcome = { value: null, cost: 0, latencyMs: null }
  const rows = !state ? [] : runs.gated.outcomes(workspaceId, runId, reachedLook ? count : Math.min(count, state.ended), evaluatorVersionId)
  const outcomes: CaseOutcome[] = rows.map(({ value, cost, latencyMs }) => ({ value, cost, latencyMs }))
  while (reachedLook && outcomes.length < count) outcomes.push(none)
  return { outcomes, priced: state?.priced ?? false, reachedLook }
}
