import type { ReleaseRule } from '../../../contract/releases/rules.schemas.ts'
import type { RuleVerdict } from '../../../contract/releases/verdicts.schemas.ts'
import { at } from '../../statistics/sample.ts'
import type { DecisionFigures, GroupColumns } from './figures.ts'
import type { TestedRule } from './measure-rule.ts'

export type CountedRule = Exclude<ReleaseRule, TestedRule>

type Counted = Pick<RuleVerdict, 'verdict' | 'estimate' | 'n' | 'threshold' | 'detail'>

/** A critical task that the baseline passed and the candidate failed. */
export interface Suspect {
  readonly group: string
  readonly task: string
}

/** Rules that count or look up rather than test. */
export function countRule(rule: CountedRule, figures: DecisionFigures): Counted {
  const { facts } = figures
  switch (rule.kind) {
    case 'no_critical_regression':
      return countRegressions(rule, figures)
    case 'judge_calibrated':
      return judgeCalibrated(rule, figures)
    case 'min_labels': {
      const labels = Object.entries(facts.labels).reduce((sum, [key, n]) => (rule.group === null || key === rule.group ? sum + n : sum), 0)
      return {
        verdict: labels >= rule.min_n ? 'pass' : 'missing',
        estimate: labels,
        n: labels,
        threshold: rule.min_n,
        detail: `${labels} of ${rule.min_n} samples of the candidate are labeled by people.`,
      }
    }
    case 'open_issues': {
      const severities = ['critical', 'high', 'medium', 'low'] as const
      const counted = severities.slice(0, severities.indexOf(rule.severity) + 1)
      const open = counted.reduce((sum, severity) => sum + facts.issues[severity], 0)
      const detail = `${open} open issues of severity ${counted.join(' or ')}; at most ${rule.max} are accepted.`
      return { verdict: open <= rule.max ? 'pass' : 'fail', estimate: open, n: open, threshold: rule.max, detail }
    }
    case 'min_coverage':
      return coverage(rule, figures)
  }
}

function coverage(rule: Extract<CountedRule, { kind: 'min_coverage' }>, { groups: all, facts }: DecisionFigures): Counted {
  const groups = rule.group === null ? all : all.filter(({ key }) => key === rule.group)
  const [covered, of, what] =
    rule.of === 'samples'
      ? gradedOf(groups, rule.metric ?? '')
      : rule.of === 'capabilities'
        ? ([facts.capabilities.covered, facts.capabilities.named, 'capabilities have a graded task on every side'] as const)
        : ([facts.criticalIssues.covered, facts.criticalIssues.open, 'open critical issues have a task in the suite'] as const)
  // Nothing to cover is covered.
  const share = of === 0 ? 1 : covered / of
  return {
    verdict: share >= rule.share ? 'pass' : 'fail',
    estimate: share,
    n: of,
    threshold: rule.share,
    detail: `${covered} of ${of} ${what}.`,
  }
}

function gradedOf(groups: readonly GroupColumns[], metric: string): readonly [number, number, string] {
  const graded = (values: Float64Array | undefined) => values?.filter(value => !Number.isNaN(value)).length ?? 0
  const sides = (['candidate', 'baseline'] as const).filter(side => groups.every(group => group[side] !== null))
  const counts = sides.map(side => groups.reduce((sum, group) => sum + graded(group[side]?.values[metric]), 0))
  const tasks = groups.reduce((sum, group) => sum + group.tasks.length, 0)
  return [Math.min(...counts), tasks, sides.length === 2 ? 'tasks are graded on the side with fewer of them' : 'tasks are graded']
}

/** Tasks of critical groups, or of the rule's group, that more than half of the baseline's answers pass and of the candidate's fail. */
export function suspectsOf(rule: Pick<CountedRule, 'group' | 'metric'>, groups: readonly GroupColumns[]): Suspect[] {
  const metric = rule.metric ?? ''
  const asked = rule.group === null ? groups.filter(({ critical }) => critical) : groups.filter(({ key }) => key === rule.group)
  return asked.flatMap(({ key, tasks, candidate, baseline }) => {
    const [first, second] = [candidate.values[metric], baseline?.values[metric]]
    if (!first || !second) return []
    return tasks.flatMap((task, i) => (at(second, i) > 0.5 && at(first, i) <= 0.5 ? [{ group: key, task }] : []))
  })
}

function countRegressions(
  rule: Extract<CountedRule, { kind: 'no_critical_regression' }>,
  { groups, confirmations, look, looks }: DecisionFigures,
): Counted {
  const asked = rule.group === null ? groups.filter(({ critical }) => critical) : groups.filter(({ key }) => key === rule.group)
  const n = asked.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const base = { n, threshold: rule.max }
  if (look < looks)
    return { ...base, verdict: 'inconclusive', estimate: null, detail: 'Critical tasks are compared at the last look, when all were run.' }
  const suspects = suspectsOf(rule, groups)
  if (suspects.length <= rule.max) {
    const detail = `${suspects.length} of ${n} critical tasks were passed by the baseline and failed by the candidate.`
    return { ...base, verdict: 'pass', estimate: suspects.length, detail }
  }
  if (confirmations === null)
    return { ...base, verdict: 'missing', estimate: suspects.length, detail: `${suspects.length} suspected regressions need new answers.` }
  const found = suspects.map(({ group, task }) =>
    confirmations.find(other => other.group === group && other.task === task && other.metric === (rule.metric ?? '')),
  )
  const confirmed = found.filter(answer => answer?.baselinePasses === true && answer.candidatePasses === false).length
  const unknown = found.filter(answer => !answer || answer.baselinePasses === null || answer.candidatePasses === null).length
  const detail = `${confirmed} of ${suspects.length} suspected regressions were confirmed by the majority of new answers${unknown > 0 ? `; ${unknown} could not be answered again` : ''}.`
  const verdict = confirmed > rule.max ? 'fail' : confirmed + unknown > rule.max ? 'inconclusive' : 'pass'
  return { ...base, verdict, estimate: confirmed, detail }
}

const dayMs = 86_400_000

function judgeCalibrated(rule: Extract<CountedRule, { kind: 'judge_calibrated' }>, { facts, now }: DecisionFigures): Counted {
  const base = { estimate: null, n: 0, threshold: rule.min_kappa }
  if (facts.judges.length === 0) return { ...base, verdict: 'inconclusive', detail: 'No judge graded the candidate’s samples.' }
  if (facts.calibrations.length === 0) return { ...base, verdict: 'missing', detail: 'The decision was created without a calibration.' }
  const missing = facts.judges.find(judge => !facts.calibrations.some(({ evaluatorVersionId: id }) => id === judge))
  if (missing !== undefined)
    return {
      ...base,
      verdict: 'fail',
      detail: `The judge "${missing}" has no calibration in the decision; a calibration of another version does not count.`,
    }
  const used = facts.calibrations.filter(({ evaluatorVersionId: id }) => facts.judges.includes(id))
  const worst = used.reduce((low, { kappaLower }) => Math.min(low, kappaLower ?? Number.NEGATIVE_INFINITY), Number.POSITIVE_INFINITY)
  const n = Math.min(...used.map(calibration => calibration.n))
  const days = Math.max(...used.map(({ at: time }) => (Date.parse(now) - Date.parse(time)) / dayMs))
  const faults = [
    worst >= rule.min_kappa ? null : `the lower bound of κ is ${Number.isFinite(worst) ? worst.toFixed(3) : 'undefined'}`,
    n >= rule.min_n ? null : `it rests on ${n} labels of ${rule.min_n}`,
    days <= rule.max_age_days ? null : `it is ${Math.floor(days)} days old`,
  ].filter(fault => fault !== null)
  return {
    verdict: faults.length === 0 ? 'pass' : 'fail',
    estimate: Number.isFinite(worst) ? worst : null,
    n,
    threshold: rule.min_kappa,
    detail:
      faults.length === 0
        ? `Every judge is calibrated: κ is at least ${worst.toFixed(3)}.`
        : `A calibration does not suffice: ${faults.join('; ')}.`,
  }
}
