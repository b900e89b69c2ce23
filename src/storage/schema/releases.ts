import type { Generated } from 'kysely'
import type { DecisionStatus } from '../../contract/releases/decision.machine.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface ReleaseSuitesTable {
  id: string
  workspace_id: string
  /** Id of the suite's first version. */
  suite_id: string
  version: number
  previous_version_id: string | null
  name: string
  /** The contract's ReleaseSuiteSummary. */
  summary: JsonText
  /** For each group, in order, the contract's ResolvedSelection[]; JSON, zstd. */
  selections: Uint8Array
  digest: string
  created_at: string
}

export interface ReleasePoliciesTable {
  id: string
  workspace_id: string
  /** Id of the policy's first version. */
  policy_id: string
  version: number
  previous_version_id: string | null
  name: string
  /** The contract's ReleasePolicy. */
  policy: JsonText
  digest: string
  created_at: string
}

export interface ReleaseDecisionsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  name: string
  status: StatusColumn<DecisionStatus>
  suite_version_id: string
  policy_id: string
  /** The contract's ReleasePlan. */
  plan: JsonText
  plan_digest: string
  /** What makes two decisions attempts at the same: models, artifacts, prompts, suite and policy. */
  lineage: string
  /** Null before the first advance. */
  attempt: number | null
  /** One-sided error of this attempt over all looks; null likewise. */
  alpha: number | null
  look: number
  /** Verdicts, recommendation and cautions of the latest analysis. */
  outcome: JsonText | null
  /** Critical tasks to confirm, by group; null before the last look's analysis. */
  suspects: JsonText | null
  /** Cautions beside those of the analysis. */
  notes: JsonText
  job_id: string | null
  /** Who advanced it last, who pays for steps that follow by themselves; null before the first advance. */
  payer: JsonText | null
  by_kind: 'person' | 'key'
  by_id: string
  by_name: string
  created_at: string
  closed_at: string | null
}

export interface ReleaseEvaluationsTable {
  no: Generated<number>
  decision_no: number
  purpose: 'main' | 'confirm'
  side: 'candidate' | 'baseline'
  group_key: string
  look: number
  adopted: 0 | 1
  seen_before_plan: 0 | 1
  /** Fixed before the evaluation is created, so that repeating the request names the same one. */
  max_charge_microusd: string
  evaluation_id: string | null
  result_version: number | null
  samples_digest: string | null
}

export interface ReleaseLabelsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  target_kind: 'sample' | 'example' | 'decision'
  /** The run, dataset or decision. */
  owner_id: string
  /** The sample or example; the decision again. */
  target_id: string
  revision: number | null
  verdict: 'pass' | 'fail' | 'unsure' | 'approve' | 'reject' | 'inconclusive'
  rationale: string
  is_override: 0 | 1
  person_id: string
  person_name: string
  created_at: string
}

export interface ReleaseRecordsTable {
  no: Generated<number>
  workspace_id: string
  decision_id: string
  digest: string
  previous_digest: string | null
  /** RFC 8785. */
  document: JsonText
  created_at: string
}

/** The Ed25519 key with which a workspace signs records. */
export interface ReleaseKeysTable {
  workspace_id: string
  /** SPKI, DER, base64. */
  public_key: string
  /** SHA-256 of the public key, hexadecimal. */
  fingerprint: string
  /** PKCS #8, PEM, sealed. */
  secret: Uint8Array
  created_at: string
}
