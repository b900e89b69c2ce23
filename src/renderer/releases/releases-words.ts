import type { Decision, MissingItem } from '../../contract/releases/decisions.schemas.ts'
import type { Issue, NewIssueEvent } from '../../contract/releases/issues.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import type { RuleVerdict } from '../../contract/releases/verdicts.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import type { Status } from '../ui/values/statuses.ts'

const is = (word: string, tone: Status['tone']): Status => ({ word, tone })

export const decisionStatuses: Readonly<Record<Decision['status'], Status>> = {
  draft: is('Draft', 'neutral'),
  collecting: is('Collecting', 'running'),
  analyzing: is('Analyzing', 'running'),
  awaiting_human: is('Awaiting verdict', 'human'),
  approved: is('Approved', 'pass'),
  rejected: is('Rejected', 'fail'),
  inconclusive: is('Inconclusive', 'warn'),
  cancelled: is('Cancelled', 'neutral'),
}

export const recommendations: Readonly<Record<NonNullable<Decision['recommendation']>, Status>> = {
  approve: is('Approve', 'pass'),
  reject: is('Reject', 'fail'),
  inconclusive: is('Inconclusive', 'warn'),
}

export const verdicts: Readonly<Record<RuleVerdict['verdict'], Status>> = {
  pass: is('Pass', 'pass'),
  fail: is('Fail', 'fail'),
  inconclusive: is('Inconclusive', 'warn'),
  missing: is('Missing', 'neutral'),
}

export const issueStatuses: Readonly<Record<Issue['status'], Status>> = {
  open: is('Open', 'fail'),
  reproduced: is('Reproduced', 'fail'),
  fixed: is('Fixed', 'pass'),
  regressed: is('Regressed', 'fail'),
  closed: is('Closed', 'neutral'),
}

export const severityWords: Readonly<Record<Issue['severity'], string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

export const severityOptions = Object.entries(severityWords).map(([value, label]) => ({ value, label }))

/** What a person does by sending an event of an issue. */
export const issueEventWords: Readonly<Record<NewIssueEvent['type'], string>> = {
  open: 'Open',
  link: 'Link',
  reproduce: 'Mark as reproduced',
  fix: 'Mark as fixed',
  regress: 'Mark as regressed',
  close: 'Close',
}

export const missingWords: Readonly<Record<MissingItem['code'], string>> = {
  evaluation_running: 'Evaluation running',
  evaluation_incomplete: 'Evaluation incomplete',
  calibration: 'Calibration',
  labels: 'Labels',
  credit: 'Credit',
  human_verdict: 'Human verdict',
}

export const ruleTitles: Readonly<Record<ReleaseRule['kind'], string>> = {
  min_score: 'Minimum score',
  superiority: 'Better than the baseline',
  non_inferiority: 'Not worse than the baseline',
  no_critical_regression: 'No critical regression',
  max_error_rate: 'Maximum error rate',
  max_cost: 'Maximum cost',
  max_latency: 'Maximum latency',
  judge_calibrated: 'Calibrated judge',
  min_coverage: 'Minimum coverage',
  min_labels: 'Labels by people',
  open_issues: 'Open issues',
}

export const percent = (share: number): string => `${Number((share * 100).toFixed(3))} %`
export const points = (share: number): string => `${Number((share * 100).toFixed(3))} points`

/** A rule as one sentence. */
export function describeRule(rule: ReleaseRule, confidence: number): string {
  const scope = rule.group === null ? 'on the whole suite' : `on the group “${rule.group}”`
  const metric = rule.metric === null ? 'score' : `metric “${rule.metric}”`
  const sure = rule.basis === 'point' ? ' (the estimate alone, no statistical claim)' : `, shown with ${percent(confidence)} confidence`
  const optional = rule.required ? '' : ' For information only.'
  return `${text()}${optional}`

  function text(): string {
    switch (rule.kind) {
      case 'min_score':
        return `The candidate’s ${metric} ${scope} is at least ${percent(rule.threshold)}${sure}.`
      case 'superiority':
        return rule.delta === 0
          ? `The candidate’s ${metric} ${scope} is better than the baseline’s${sure}.`
          : `The candidate’s ${metric} ${scope} is better than the baseline’s by more than ${points(rule.delta)}${sure}.`
      case 'non_inferiority':
        return `The candidate’s ${metric} ${scope} is worse than the baseline’s by less than ${points(rule.margin)}, if at all${sure}.`
      case 'no_critical_regression':
        return `At most ${formatCount(rule.max)} critical tasks ${scope} that the baseline passes fail with the candidate, confirmed by ${formatCount(rule.confirm_epochs)} new answers each.`
      case 'max_error_rate':
        return `At most ${percent(rule.threshold)} of the tasks ${scope} fail with an error${sure}.`
      case 'max_cost':
        return `A task ${scope} costs at most ${formatUsd(rule.max_microusd_per_task)} on average${sure}.`
      case 'max_latency':
        return `${percent(rule.quantile)} of the answers ${scope} take at most ${formatDuration(rule.max_ms)}${sure}.`
      case 'judge_calibrated':
        return `Judges agree with at least ${formatCount(rule.min_n)} labels of people (κ at least ${rule.min_kappa}), measured in the last ${formatCount(rule.max_age_days)} days.`
      case 'min_coverage':
        return `At least ${percent(rule.share)} of the ${coverageWords[rule.of]} ${scope} are covered.`
      case 'min_labels':
        return `People have labeled at least ${formatCount(rule.min_n)} of the candidate’s samples.`
      case 'open_issues':
        return `At most ${formatCount(rule.max)} issues of severity ${rule.severity} or higher are open.`
    }
  }
}

const overrideWords = {
  never: 'Nobody may decide against the recommendation.',
  inconclusive: 'Only an inconclusive recommendation may be decided otherwise.',
  any: 'Any recommendation may be decided otherwise, with a reason.',
} as const

const repeatWords = {
  record: 'A repeated decision is recorded as another attempt.',
  spend: 'Each repeated decision is tested more strictly.',
  refuse: 'A repeated decision is refused.',
} as const

/** What a policy says beside its rules, as sentences. */
export function describeTerms({ looks, repeat, human }: Pick<ReleasePolicy, 'looks' | 'repeat' | 'human'>): string[] {
  const approvals = `${human.approvals === 1 ? 'One person approves' : `${formatCount(human.approvals)} people approve`}${human.not_author ? ', none of them the author' : ''}.`
  return [
    ...(human.required ? [approvals, overrideWords[human.override]] : ['The recommendation is the outcome; no person decides.']),
    ...(looks > 1 ? [`Up to ${formatCount(looks)} looks on growing parts of the tasks; a clear result ends it early.`] : []),
    repeatWords[repeat],
  ]
}

const coverageWords = { samples: 'samples', capabilities: 'capabilities', issues: 'critical issues' } as const
