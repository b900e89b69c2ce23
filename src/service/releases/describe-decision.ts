import type { Decision, DecisionEvaluation, DecisionListItem, MissingItem } from '../../contract/releases/decisions.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import { whyCannotPass } from '../../engine/reporting/releases/cannot-pass.ts'
import type { Database } from '../../storage/database.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Runs } from '../runs/index.ts'
import type { Advance } from './advance-decision.ts'
import { evaluationsOf } from './decision-evaluations.store.ts'
import { missingVerdict } from './decision-missing.ts'
import type { DecisionRow } from './decisions.store.ts'
import { labelsOfDecision } from './labels.store.ts'
import { detectableMargins, firstAlpha } from './preview-plan.ts'
import { proposeEvents } from './propose-events.ts'
import { findRecord } from './records.store.ts'

export interface DescriberDependencies {
  readonly db: Database
  readonly catalog: Catalog
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly steps: Pick<Advance, 'committed' | 'missing' | 'candidateRuns'>
  readonly suiteOf: (decision: DecisionRow) => ReleaseSuite
  readonly policyOf: (decision: DecisionRow) => ReleasePolicy
}

/** Evaluations of a decision with what their runs are now. */
export function describeEvaluations(
  { db, evaluations, runs }: Pick<DescriberDependencies, 'db' | 'evaluations' | 'runs'>,
  decision: DecisionRow,
): DecisionEvaluation[] {
  return evaluationsOf(db, decision.no).map(evaluation => {
    const runId = evaluation.evaluationId === null ? null : evaluations.runOf(decision.workspaceId, evaluation.evaluationId)
    const run = runId === null ? null : runs.read(decision.workspaceId, runId)
    return {
      purpose: evaluation.purpose,
      side: evaluation.side,
      group: evaluation.group,
      look: evaluation.look,
      evaluation_id: evaluation.evaluationId,
      run_id: runId,
      status: run?.status ?? null,
      adopted: evaluation.adopted,
      seen_before_plan: evaluation.seenBeforePlan,
      max_charge_microusd: String(evaluation.maxCharge),
      charged_microusd: evaluation.adopted ? '0' : (run?.accounting.charged_microusd ?? '0'),
      result_version: evaluation.resultVersion,
      samples_digest: evaluation.samplesDigest,
    }
  })
}

/** A decision as lists show it. */
export function listedDecision(decision: DecisionRow): DecisionListItem {
  return {
    id: decision.id,
    name: decision.name,
    status: decision.status,
    candidate: decision.plan.candidate.label,
    baseline: decision.plan.baseline?.label ?? null,
    suite_version_id: decision.plan.suite.id,
    suite_name: decision.plan.suite.name,
    policy_id: decision.plan.policy.id,
    policy_name: decision.plan.policy.name,
    attempt: decision.attempt,
    look: decision.look,
    looks: decision.plan.looks,
    recommendation: decision.outcome?.recommendation ?? null,
    created_by: decision.by,
    created_at: decision.createdAt,
    closed_at: decision.closedAt,
  }
}

/** Puts a decision together as the interface shows it, from what is stored and what its runs are now. */
export function createDecisionDescriber(dependencies: DescriberDependencies) {
  const { db, catalog, runs, steps, suiteOf, policyOf } = dependencies

  /** Rules that cannot pass, told before anything is spent. */
  const tooFewTasks = ({ workspaceId, plan, alpha }: DecisionRow, { groups }: ReleaseSuite, { rules, repeat }: ReleasePolicy): string[] => {
    const atMost = alpha ?? firstAlpha(plan.alpha, repeat)
    const isPassFail = (key: string): boolean => {
      const found = plan.profiles.filter(({ group }) => group === key).map(({ profile_id: id }) => catalog.profile(workspaceId, id))
      return found.length === 1 && found.every(entry => entry?.definition.metrics.find(({ primary }) => primary)?.binary === true)
    }
    return rules.flatMap(rule => {
      const scope = groups.filter(({ key }) => rule.group === null || key === rule.group)
      const [only, other] = scope
      const isOneRate = only !== undefined && other === undefined && isPassFail(only.key)
      const why = whyCannotPass(rule, { tasks: scope.reduce((sum, { tasks }) => sum + tasks, 0), isOneRate }, atMost)
      return why === null ? [] : [why]
    })
  }

  const describe = (decision: DecisionRow, more: readonly MissingItem[] = []): Decision => {
    const { workspaceId } = decision
    const suite = suiteOf(decision)
    const policy = policyOf(decision)
    const labels = labelsOfDecision(db, workspaceId, decision.id)
    const record = findRecord(db, workspaceId, decision.id)
    const list = describeEvaluations(dependencies, decision)
    const changed = list.some(
      ({ run_id: id, result_version: version }) => id !== null && version !== null && runs.read(workspaceId, id).result_version !== version,
    )
    const planned = list.some(evaluation => evaluation.seen_before_plan)
      ? ['Adopted evaluations were run before the plan was frozen, so their results could have been known.']
      : []
    return {
      ...listedDecision(decision),
      plan: decision.plan,
      plan_digest: decision.planDigest,
      alpha: decision.alpha,
      evaluations: list,
      committed_microusd: String(steps.committed(decision, evaluationsOf(db, decision.no))),
      rules: decision.outcome?.rules ?? null,
      detectable: detectableMargins(
        { groups: suite.groups, epochs: decision.plan.execution.epochs, alpha: decision.plan.alpha },
        policy.rules,
      ),
      cautions: [
        ...planned,
        ...(decision.outcome === null ? tooFewTasks(decision, suite, policy) : []),
        ...(decision.outcome?.cautions ?? []),
        ...decision.notes,
      ],
      labels,
      missing: [...more, ...steps.missing(decision), ...missingVerdict(decision, policy, labels)],
      proposed_events: proposeEvents(dependencies, decision, suite),
      job_id: decision.jobId,
      record: record && { digest: record.digest, previous_record_digest: record.previousDigest, newer_results: changed },
    }
  }

  return describe
}
