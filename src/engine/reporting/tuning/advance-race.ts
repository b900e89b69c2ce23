import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import type { ArmReason, TuneLook } from '../../../contract/tuning/race.schemas.ts'
import { normalSf } from '../../statistics/distributions/normal.ts'
import { normalToT } from '../../statistics/distributions/student-t.ts'
import { type Assessment, assessLook } from '../../statistics/race/assess-look.ts'
import { decideLook, type LookDecision, mostMissing, type RacePlan } from '../../statistics/race/decide-look.ts'
import { mean } from '../../statistics/sample.ts'
import { tangoWithin } from '../../statistics/tango.ts'
import type { CaseOutcome } from './measure-arm.ts'

export interface RaceRules extends RacePlan {
  readonly mode: 'race' | 'full'
  /** One name a case in race order; null where cases are independent. */
  readonly clusters: readonly string[] | null
  /** Times the current call's cost that a better candidate may cost; null: only cheaper ones are looked for. */
  readonly betterFactor: number | null
}

/** An arm at the look that is being run. */
export interface RacingArm {
  readonly arm: number
  readonly verdict: 'accepted' | 'dropped' | 'undecided' | null
  /** All cases of the look, where it has run them; otherwise as many as it has run. */
  readonly outcomes: readonly CaseOutcome[]
  readonly reachedLook: boolean
  readonly priced: boolean
  /** Whether its latency is shown to keep the limit. */
  readonly keepsLatency: boolean
  /** Whether it was accepted for being better, outside of the test for being not worse. */
  readonly isSuperior: boolean
}

export interface ArmStep {
  readonly arm: number
  readonly verdict: 'accepted' | 'dropped' | 'undecided' | null
  readonly reason: ArmReason
  /** Null: decided without a look of its own. */
  readonly look: TuneLook | null
}

export interface RaceStep {
  readonly arms: readonly ArmStep[]
  /** `wait`: some arm has not reached the look. `next`: all continue. `done`: none is open. */
  readonly then: 'wait' | 'next' | 'done'
}

/**
 * What the outcomes at hand decide. Candidates that have reached the look are judged at once, so that an acceptance can stop a dearer
 * arm in the middle of its look. Costs only ever drop: a candidate that does not cost less than the current call, and one that costs
 * more than an accepted candidate which is quick enough. One that is not cheaper but within the stated factor is tested for being better
 * instead, at alpha / K: it is accepted by less than the test for being not worse would ask, so the chance of recommending anything worse
 * by the margin stays as it is, and the claim "better" is false with a chance of at most alpha.
 * @param arms the current call first
 */
export function advanceRace(rules: RaceRules, look: number, arms: readonly RacingArm[], at: string): RaceStep {
  const [current, ...candidates] = arms
  const open = candidates.filter(arm => arm.verdict === null)
  if (!current || open.length === 0) return { arms: [], then: 'done' }
  if (!current.reachedLook) return { arms: [], then: 'wait' }
  const ready = open.filter(arm => arm.reachedLook)
  const steps = new Map<number, ArmStep>()
  const drop = (arm: RacingArm, reason: ArmReason) =>
    steps.set(arm.arm, { arm: arm.arm, verdict: 'dropped', reason, look: steps.get(arm.arm)?.look ?? null })

  const assessed = ready.map(arm => ({ arm, assessment: assess(arm, current, rules) }))
  const mayBeBetter = (arm: RacingArm): boolean => isNotCheaper(arm, current) && isWithin(arm, current, rules.betterFactor)
  const judged = assessed.filter(({ arm }) => !(rules.mode === 'race' && isNotCheaper(arm, current)))
  const acceptedBefore = candidates.filter(arm => arm.verdict === 'accepted' && !arm.isSuperior).length
  const decisions = decideLook(
    rules,
    look,
    acceptedBefore,
    judged.map(({ assessment }) => assessment),
  )
  for (const [i, { arm, assessment }] of judged.entries()) {
    const decision = decisions[i]
    if (!decision) continue
    const { verdict, reason } = decision
    steps.set(arm.arm, {
      arm: arm.arm,
      verdict: verdict === 'continue' ? null : verdict,
      reason: reason ?? 'pending',
      look: describeLook(rules, look, arm, current, assessment, decision, at),
    })
  }
  for (const arm of ready) {
    if (!mayBeBetter(arm)) continue
    const step = testBetter(rules, look, arm, current, at)
    // Where every case is asked anyway, what is not better may still be not worse.
    if (rules.mode === 'race' || step.reason === 'superior') steps.set(arm.arm, step)
  }
  if (rules.mode === 'race') {
    for (const { arm } of assessed) if (isNotCheaper(arm, current) && !mayBeBetter(arm)) drop(arm, 'not_cheaper')
    const winners = candidates.filter(
      arm => (steps.get(arm.arm)?.verdict ?? arm.verdict) === 'accepted' && arm.keepsLatency && !mayBeBetter(arm) && !arm.isSuperior,
    )
    for (const arm of open) {
      if ((steps.get(arm.arm)?.verdict ?? null) !== null || mayBeBetter(arm)) continue
      if (winners.some(winner => isDearer(arm, winner))) drop(arm, 'not_needed')
    }
  }
  const left = open.filter(arm => (steps.get(arm.arm)?.verdict ?? null) === null)
  const then = left.length === 0 ? 'done' : left.every(arm => arm.reachedLook) ? 'next' : 'wait'
  return { arms: [...steps.values()], then }
}

const betterReasons: Readonly<Partial<Record<NonNullable<LookDecision['reason']>, ArmReason>>> = {
  noninferior: 'superior',
  worse: 'not_better',
}

/** One look of the same sequential test at a margin of 0. Bonferroni over the candidates, since each may be better. */
function testBetter(rules: RaceRules, look: number, arm: RacingArm, current: RacingArm, at: string): ArmStep {
  const test = { ...rules, margin: 0, alpha: rules.alpha / rules.candidates, candidates: 1 }
  const assessment = assess(arm, current, test)
  const [decision] = decideLook(test, look, 0, [assessment])
  if (!decision) throw new Error('A look at one candidate decided about none.')
  const { verdict, reason } = decision
  return {
    arm: arm.arm,
    verdict: verdict === 'continue' ? null : verdict,
    reason: reason === null ? 'pending' : (betterReasons[reason] ?? reason),
    look: describeLook(test, look, arm, current, assessment, decision, at),
  }
}

function isWithin(arm: RacingArm, current: RacingArm, factor: number | null): boolean {
  return factor !== null && costOf(arm) <= factor * costOf(current)
}

function assess(arm: RacingArm, current: RacingArm, { clusters, margin }: RaceRules): Assessment {
  const n = arm.outcomes.length
  return assessLook(
    {
      candidate: arm.outcomes.map(({ value }) => value),
      current: current.outcomes.slice(0, n).map(({ value }) => value),
      clusters: clusters && clusters.slice(0, n),
    },
    margin,
  )
}

/** Calls that failed cost next to nothing, so the current call is not a measure where too many of its own did. */
function isNotCheaper(arm: RacingArm, current: RacingArm): boolean {
  const missing = current.outcomes.filter(({ value }) => value === null).length
  if (missing > mostMissing * current.outcomes.length) return false
  return arm.priced && current.priced && costOf(arm) >= costOf(current)
}

function isDearer(arm: RacingArm, winner: RacingArm): boolean {
  return arm.priced && winner.priced && arm.outcomes.length > 0 && costOf(arm) > costOf(winner)
}

function costOf({ outcomes }: RacingArm): number {
  return outcomes.length === 0 ? 0 : mean(outcomes.map(({ cost }) => cost))
}

function describeLook(
  rules: RaceRules,
  look: number,
  arm: RacingArm,
  current: RacingArm,
  assessment: Assessment,
  { bound, conditionalPower }: LookDecision,
  at: string,
): TuneLook {
  const { n, z } = assessment
  const missing = arm.outcomes.reduce((sum, { value }, i) => sum + (value === null || current.outcomes[i]?.value == null ? 1 : 0), 0)
  return {
    look: look + 1,
    n,
    share: rules.shares[look] ?? 1,
    missing,
    difference: interval(arm, current, assessment, bound),
    z: Number.isFinite(z) ? z : null,
    bound,
    conditional_power: conditionalPower,
    at,
  }
}

/** The interval that goes with the bound of a look: its lower end passes -margin exactly where z passes the bound. */
function interval(arm: RacingArm, current: RacingArm, assessment: Assessment, bound: number): Estimate {
  const { n, difference, standardError, method } = assessment
  const level = 1 - 2 * normalSf(bound)
  const limits = limitsOf(arm, current, assessment, bound)
  return {
    n,
    mean: difference,
    standard_error: standardError,
    reason: null,
    cautions: [],
    interval: limits && { ...limits, level, method },
  }
}

function limitsOf(
  arm: RacingArm,
  current: RacingArm,
  { n, units, difference, standardError, designEffect, method }: Assessment,
  bound: number,
): { readonly low: number; readonly high: number } | null {
  if (units < 2) return null
  const critical = method === 'cr1' ? normalToT(bound, units - 1) : bound
  if (designEffect !== null) {
    let [onlyNew, onlyOld] = [0, 0]
    for (const [i, { value }] of arm.outcomes.entries()) {
      const change = (value ?? 0) - (current.outcomes[i]?.value ?? 1)
      if (change > 0) onlyNew++
      if (change < 0) onlyOld++
    }
    return tangoWithin({ onlyNew, onlyOld, n }, critical * Math.sqrt(designEffect))
  }
  if (standardError > 0) return { low: difference - critical * standardError, high: difference + critical * standardError }
  const equal = tangoWithin({ onlyNew: 0, onlyOld: 0, n: units }, critical)
  return { low: Math.max(-1, Math.min(difference, 0) + equal.low), high: Math.min(1, Math.max(difference, 0) + equal.high) }
}
