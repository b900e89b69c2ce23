import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import type { ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { recordType } from '../../lib/release-statements.ts'
import { appVersion } from '../version.ts'
import type { DecisionRow } from './decisions.store.ts'
import { sha256 } from './plan-decision.ts'
import type { StoredRecord } from './records.store.ts'

export interface RecordParts {
  readonly decision: DecisionRow
  readonly status: Decision['status']
  readonly closedAt: string
  readonly suite: ReleaseSuite
  readonly policy: ReleasePolicy
  readonly evaluations: Decision['evaluations']
  readonly labels: readonly ReleaseLabel[]
  readonly previousDigest: string | null
}

/**
 * The record of a closed decision: everything that its outcome follows from, by value or by digest. Tasks are in it by the digest of their
 * suite, which is over every task's id and version.
 */
export function makeRecord({ decision, status, closedAt, suite, policy, evaluations, labels, previousDigest }: RecordParts): StoredRecord {
  const { id, name, by, createdAt, plan, planDigest, attempt, alpha, look, outcome, suspects, notes } = decision
  const document = canonicalJson({
    _type: recordType,
    decision: { id, name, status, created_by: by, created_at: createdAt, closed_at: closedAt },
    plan,
    plan_digest: planDigest,
    suite: {
      ...suite,
      groups: suite.groups.map(({ task_selections: selections, ...group }) => ({ ...group, sources: selections.map(summary) })),
    },
    policy,
    attempt,
    alpha,
    look,
    evaluations,
    rules: outcome?.rules ?? [],
    recommendation: outcome?.recommendation ?? null,
    confirmed_tasks: suspects ?? [],
    labels,
    overrides: labels.filter(label => label.override).map(label => label.id),
    cautions: [...(outcome?.cautions ?? []), ...notes],
    app_version: appVersion,
    previous_record_digest: previousDigest,
  })
  return { digest: sha256(document), previousDigest, document }
}

function summary({ source_ref, split, version_digest, task_ids }: ReleaseSuite['groups'][number]['task_selections'][number]) {
  return { source_ref, split, version_digest, tasks: task_ids.length }
}
