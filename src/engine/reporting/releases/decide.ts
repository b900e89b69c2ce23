import type { ReleaseRule } from '../../../contract/releases/rules.schemas.ts'
import type { ReleaseRecommendation, RuleVerdict } from '../../../contract/releases/verdicts.schemas.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { adjustPValues } from '../../statistics/adjustments.ts'
import { alphaSpendingBounds } from '../../statistics/alpha-spending.ts'
import { countRule, type Suspect, suspectsOf } from './count-rule.ts'
import type { DecisionFigures } from './figures.ts'
import { costPerTask, isTested, type Measured, type Measurement, measureRule, tasksToDecide, type TestedRule } from './measure-rule.ts'

export interface Decided {
  readonly rules: readonly RuleVerdict[]
  readonly recommendation: ReleaseRecommendation
  /** Critical tasks whose regression has to be confirmed by new answers before the recommendation counts. */
  readonly suspects: readonly Suspect[]
  /** α of this look. */
  readonly alpha: number
  readonly cautions: readonly string[]
}

/**
 * The recommendation of a policy on what was measured. Approval is an intersection–union test: every required rule passes at the same α
 * (Berger 1982). Rules of one `any_of` set share α by Holm; fails share it by Holm over all required tested rules; what no longer fails
 * is inconclusive. Interim looks test at O'Brien–Fleming's bound. Pure: simulations run through it.
 */
export function decideRelease(figures: DecisionFigures): Decided {
  const { rules, look, looks } = figures
  const alpha = alphaOfLook(figures.alpha, look, looks)
  const measured = new Map<TestedRule, Measurement>(rules.filter(isTested).map(rule => [rule, measureRule(rule, figures)]))
  const byBound = rules.filter(isTested).flatMap(rule => {
    const measurement = measured.get(rule)
    return rule.basis === 'bound' && measurement && !('why' in measurement) ? [{ rule, measurement }] : []
  })
  const pAdjusted = adjustSets(byBound)
  const failing = byBound.filter(({ rule }) => rule.required)
  const pFailAdjusted = new Map(
    [
      ...adjustPValues(
        failing.map(({ measurement }) => unit(measurement.pFail)),
        'holm',
      ),
    ].map((p, i) => [failing[i]?.rule, p]),
  )
  const verdicts = rules.map((rule): RuleVerdict => {
    const { key, kind, required } = rule
    if (!isTested(rule)) return { key, kind, required, bound: null, opposite_bound: null, statistic: null, ...countRule(rule, figures) }
    const measurement = measured.get(rule) ?? { why: 'It was not measured.' }
    if ('why' in measurement)
      return {
        key,
        kind,
        required,
        verdict: 'inconclusive',
        estimate: null,
        bound: null,
        opposite_bound: null,
        n: 0,
        threshold: thresholdOf(rule),
        statistic: null,
        detail: measurement.why,
      }
    const adjusted = { p: pAdjusted.get(rule) ?? measurement.p, pFail: pFailAdjusted.get(rule) ?? measurement.pFail }
    return judge(rule, measurement, adjusted, alpha, figures)
  })
  const suspects =
    look === looks && figures.confirmations === null
      ? rules.flatMap(rule => {
          if (rule.kind !== 'no_critical_regression') return []
          const found = suspectsOf(rule, figures.groups)
          return found.length > rule.max ? found : []
        })
      : []
  return {
    rules: verdicts,
    recommendation: recommend(rules, verdicts),
    suspects: distinct(suspects),
    alpha,
    cautions: cautionsOf(measured),
  }
}

/** One-sided O'Brien–Fleming bound of a look at equal stages, as a p-value. Source: Lan & DeMets 1983. */
export function alphaOfLook(alpha: number, look: number, looks: number): number {
  if (looks === 1) return alpha
  const key = `${alpha} ${looks}`
  const known = bounds.get(key) ?? boundsOf(alpha, looks)
  if (bounds.size < 100) bounds.set(key, known)
  return known[look - 1] ?? alpha
}

/** Finding them takes a third of a second, and a policy asks for the same ones each time. */
const bounds = new Map<string, readonly number[]>()

function boundsOf(alpha: number, looks: number): readonly number[] {
  const informationFractions = Array.from({ length: looks }, (_, i) => (i + 1) / looks)
  return alphaSpendingBounds({ spending: 'obrien_fleming', informationFractions, alpha, sides: 1 }).nominalP
}

function adjustSets(tested: readonly { readonly rule: TestedRule; readonly measurement: Measured }[]): Map<TestedRule, number> {
  const adjusted = new Map<TestedRule, number>()
  for (const [set, members] of Map.groupBy(tested, ({ rule }) => rule.any_of)) {
    const ps = members.map(({ measurement }) => unit(measurement.p))
    const holm = set === undefined ? ps : [...adjustPValues(ps, 'holm')]
    for (const [i, { rule }] of members.entries()) adjusted.set(rule, holm[i] ?? 1)
  }
  return adjusted
}

function judge(
  rule: TestedRule,
  measured: Measured,
  adjusted: { readonly p: number; readonly pFail: number },
  alpha: number,
  { look, looks, groups, external }: DecisionFigures,
): RuleVerdict {
  const { estimate, n, threshold, p, pFail, method, excluded } = measured
  const base = { key: rule.key, kind: rule.kind, required: rule.required, estimate: finite(estimate), n, threshold }
  const left = `${excluded > 0 ? ` ${excluded} tasks without a value are left out.` : ''}${describeSources(rule, external)}`
  if (rule.basis === 'point') {
    const clears = measured.upwards ? estimate >= threshold : estimate <= threshold
    return {
      ...base,
      verdict: clears ? 'pass' : 'fail',
      bound: null,
      opposite_bound: null,
      statistic: null,
      detail: `The estimate ${clears ? 'clears' : 'misses'} the threshold; no statistical claim.${left}`,
    }
  }
  const waits = measured.fewClusters && look < looks
  const needed = tasksToDecide(measured, alpha)
  const verdict = waits ? 'inconclusive' : adjusted.p <= alpha ? 'pass' : adjusted.pFail <= alpha ? 'fail' : 'inconclusive'
  return {
    ...base,
    verdict,
    bound: finite(measured.bound(alpha)),
    opposite_bound: finite(measured.opposite(alpha)),
    ...(verdict === 'inconclusive' && needed !== null && needed > n && { tasks_needed: needed }),
    statistic: { method, alpha, p, p_adjusted: adjusted.p, p_fail: pFail, p_fail_adjusted: adjusted.pFail },
    detail: `${waits ? 'Fewer than 20 clusters are tested at the last look only.' : describe(verdict, measured, needed, costPerTask(groups))}${left}`,
  }
}

function describe(verdict: RuleVerdict['verdict'], measured: Measured, needed: number | null, cost: number | null): string {
  if (verdict === 'pass') return 'The bound clears the threshold.'
  if (verdict === 'fail') return 'The opposite bound misses the threshold.'
  if (needed === null || needed <= measured.n) return 'The threshold lies between the two bounds; the estimate is too close to it.'
  const price = cost === null ? '' : `, about $${((cost * (needed - measured.n)) / 1e6).toFixed(2)} more for the candidate`
  return `The threshold lies between the two bounds. If the estimate stays, about ${formatCount(needed)} tasks would decide it (now ${formatCount(measured.n)})${price}.`
}

/** Which systems the evidence of a rule is about, and who said that they are its sides. */
function describeSources(rule: TestedRule, external: DecisionFigures['external']): string {
  if (!('source' in rule) || rule.source !== 'external') return ''
  return external
    .filter(({ side, group, label }) => group === rule.group && label !== null && (side === 'candidate' || rule.kind !== 'min_score'))
    .map(({ side, label, confirmedBy }) => {
      const confirmed = confirmedBy === null ? '' : `, which ${confirmedBy} confirmed to be the ${side}`
      return ` The evidence of the ${side} is about "${label}"${confirmed}.`
    })
    .join('')
}

function recommend(rules: readonly ReleaseRule[], verdicts: readonly RuleVerdict[]): ReleaseRecommendation {
  const required = rules.flatMap((rule, i) => (rule.required && verdicts[i] ? [{ rule, verdict: verdicts[i].verdict }] : []))
  const sets = [...Map.groupBy(required, ({ rule }) => rule.any_of ?? `=${rule.key}`).values()].map(members =>
    members.map(({ verdict }) => verdict),
  )
  const of = (verdicts: readonly string[]) =>
    verdicts.includes('pass') ? 'pass' : verdicts.every(verdict => verdict === 'fail') ? 'fail' : 'inconclusive'
  const outcomes = sets.map(of)
  if (outcomes.includes('fail')) return 'reject'
  // Without a required rule nothing was asked, so nothing is approved.
  return outcomes.length > 0 && outcomes.every(outcome => outcome === 'pass') ? 'approve' : 'inconclusive'
}

function cautionsOf(measured: ReadonlyMap<TestedRule, Measurement>): string[] {
  const cautions = [...measured].flatMap(([rule, measurement]) =>
    'why' in measurement || !measurement.fewClusters ? [] : [`Rule "${rule.key}" rests on fewer than 20 clusters, which is unreliable.`],
  )
  const excluded = Math.max(0, ...[...measured.values()].map(measurement => ('why' in measurement ? 0 : measurement.excluded)))
  return excluded > 0 ? [...cautions, `Up to ${excluded} tasks have no value on a side and are left out of a rule.`] : cautions
}

export function thresholdOf(rule: ReleaseRule): number | null {
  switch (rule.kind) {
    case 'min_score':
    case 'max_error_rate':
      return rule.threshold
    case 'superiority':
      return rule.delta
    case 'non_inferiority':
      return -rule.margin
    case 'max_cost':
      return Number(rule.max_microusd_per_task)
    case 'max_latency':
      return rule.max_ms
    default:
      return null
  }
}

function distinct(suspects: readonly Suspect[]): Suspect[] {
  return [...new Map(suspects.map(suspect => [`${suspect.group}\n${suspect.task}`, suspect])).values()]
}

function unit(p: number): number {
  return Math.min(1, Math.max(0, p))
}

function finite(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : value
}
