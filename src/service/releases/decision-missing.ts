import { isTerminal } from '../../contract/machine.ts'
import type { MissingItem } from '../../contract/releases/decisions.schemas.ts'
import type { ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseRecommendation } from '../../contract/releases/verdicts.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { DecisionRow } from './decisions.store.ts'

type Verdict = ReleaseRecommendation

/** What an evaluation lacks before its results can be read; null when nothing. Failed samples count, missing ones do not. */
export function missingOf(run: Run, evaluationId: string, what: string): MissingItem | null {
  if (!isTerminal(runMachine, run.status))
    return {
      code: 'evaluation_running',
      message: run.pause
        ? `${what} is paused at ${run.progress.completed} of ${run.progress.frozen} samples: ${run.pause.message} Resume the run, or cancel the decision.`
        : `${what} is ${run.status}: ${run.progress.completed} of ${run.progress.frozen} samples.`,
      action: { method: 'GET', path: `/v1/evaluations/${evaluationId}` },
    }
  const unasked = run.progress.missing + run.progress.cancelled
  if (run.result_version !== null && unasked === 0 && run.progress.scored + run.progress.failed + run.progress.excluded > 0) return null
  return {
    code: 'evaluation_incomplete',
    message: `${what} is ${run.status} and has no answer to ${unasked} of ${run.progress.frozen} samples. Retry them to continue.`,
    action: { method: 'POST', path: `/v1/runs/${run.id}/retry-failed` },
  }
}

/** Labels that required rules still wait for. Only the last look has every sample, so earlier ones wait for none. */
export function missingLabels(
  { rules }: ReleasePolicy,
  { look, plan }: Pick<DecisionRow, 'look' | 'plan'>,
  labeled: ReadonlyMap<string, number>,
  runId: string | null,
): MissingItem[] {
  if (look < plan.looks || runId === null) return []
  const all = [...labeled.values()].reduce((sum, n) => sum + n, 0)
  return rules.flatMap((rule): MissingItem[] => {
    if (rule.kind !== 'min_labels' || !rule.required) return []
    const n = rule.group === null ? all : (labeled.get(rule.group) ?? 0)
    if (n >= rule.min_n) return []
    const where = rule.group === null ? '' : ` on "${rule.group}"`
    return [
      {
        code: 'labels',
        message: `${n} of ${rule.min_n} samples of the candidate${where} are labeled by people.`,
        action: { method: 'GET', path: `/v1/runs/${runId}/samples` },
      },
    ]
  })
}

export function missingCalibration({ rules }: ReleasePolicy, { plan }: DecisionRow): MissingItem[] {
  if (plan.calibrations.length > 0 || !rules.some(rule => rule.kind === 'judge_calibrated')) return []
  return [
    {
      code: 'calibration',
      message:
        'A rule needs a calibrated judge, and the decision was created without a calibration. Pin one and create a new decision with it.',
      action: { method: 'POST', path: '/v1/releases/calibrations' },
    },
  ]
}

export function missingVerdict(decision: DecisionRow, { human }: ReleasePolicy, labels: readonly ReleaseLabel[]): MissingItem[] {
  if (decision.status !== 'awaiting_human' || outcomeOf(human.approvals, labels) !== null) return []
  const approvals = [...latest(labels).values()].filter(({ verdict }) => verdict === 'approve').length
  return [
    {
      code: 'human_verdict',
      message: describeVerdict(decision.outcome?.recommendation ?? 'inconclusive', approvals, human.approvals),
      action: {
        method: 'POST',
        path: '/v1/releases/labels',
        body: { target: { decision_id: decision.id }, verdict: decision.outcome?.recommendation ?? 'inconclusive' },
      },
    },
  ]
}

function describeVerdict(recommendation: Verdict, approvals: number, needed: number): string {
  const given = `${approvals} of ${needed} ${needed === 1 ? 'approval' : 'approvals'} so far`
  if (recommendation === 'approve') return `Approval is recommended. ${given}.`
  const lead = recommendation === 'reject' ? 'Rejection is recommended.' : 'The rules are inconclusive.'
  return `${lead} One person’s ${recommendation === 'reject' ? 'rejection' : 'verdict'} closes the decision${approvals > 0 ? `; ${given}` : ''}.`
}

/** What people have decided: one rejection rejects, enough approvals approve, one "inconclusive" without either closes it so. */
export function outcomeOf(approvals: number, labels: readonly ReleaseLabel[]): Verdict | null {
  const verdicts = [...latest(labels).values()].map(({ verdict }) => verdict)
  if (verdicts.includes('reject')) return 'reject'
  if (verdicts.filter(verdict => verdict === 'approve').length >= approvals) return 'approve'
  return verdicts.includes('inconclusive') ? 'inconclusive' : null
}

function latest(labels: readonly ReleaseLabel[]): Map<string, ReleaseLabel> {
  return new Map(labels.map(label => [label.by.id, label]))
}
