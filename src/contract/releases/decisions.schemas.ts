import { z } from 'zod'
import { JsonObject, MicroUsd, Name, named, page, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { By } from '../datasets/examples.schemas.ts'
import { ExecutionSettings, ModelChoice, ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { runMachine } from '../runs/run.machine.ts'
import { decisionMachine } from './decision.machine.ts'
import { Issue, NewIssueEvent } from './issues.schemas.ts'
import { ReleaseLabel } from './labels.schemas.ts'
import { ReleaseRule } from './rules.schemas.ts'
import { ReleaseKey } from './suites.schemas.ts'
import { ReleaseRecommendation, RuleVerdict } from './verdicts.schemas.ts'

export const ReleaseSideName = z.enum(['candidate', 'baseline'])

export const ReleaseArtifact = named('ReleaseArtifact', { name: Name, sha256: Sha256 }).describe(
  'Digest of the released artifact, such as a model file. Part of the identity of an attempt.',
)

const NewSide = named('NewReleaseSide', {
  label: Name,
  model: ModelChoice.optional().describe('Evaluated by the decision; either this, `evaluation_ids` or `run_ids`.'),
  evaluation_ids: z
    .record(ReleaseKey, Uuid)
    .optional()
    .describe('Earlier evaluations of exactly the tasks of each group, by group; they are marked as seen before the plan.'),
  run_ids: z
    .record(ReleaseKey, Uuid)
    .optional()
    .describe('Finished runs of exactly the tasks of each group, by group, in the place of `evaluation_ids`.'),
  artifact: ReleaseArtifact.optional(),
})

export const ReleaseEvidenceRef = named('ReleaseEvidenceRef', {
  evidence_id: Uuid,
  analysis: z.int().min(1).describe('Number of the analysis of that evidence.'),
  side: ReleaseSideName,
  group: ReleaseKey.nullable().default(null).describe('Null: the whole suite.'),
  confirmed_label: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      'Model or provider of the file, repeated by a person to confirm that it is this side. Required if it is named otherwise than the side and its model; a key may not send it.',
    ),
})

export const NewDecision = named('NewReleaseDecision', {
  name: Name,
  candidate: NewSide,
  baseline: NewSide.optional().describe('Required by paired rules.'),
  suite_version_id: Uuid.describe('`id` of a release suite’s version.'),
  policy_id: Uuid.describe('`id` of a release policy’s version.'),
  max_charge_microusd: MicroUsd.describe('Spending limit: total that all evaluations of the decision may charge to the wallet.'),
  execution: ExecutionSettings.default(() => ExecutionSettings.parse({})),
  evidence: z.array(ReleaseEvidenceRef).max(100).default([]).describe('Analyses that `external` rules may use; frozen with the plan.'),
  calibration_ids: z.array(Uuid).max(20).default([]).describe('Pinned calibrations that `judge_calibrated` may use; frozen with the plan.'),
})

const Side = z.strictObject({
  label: z.string(),
  model: ModelSnapshot.nullable().describe('Snapshot at creation of the decision; null if only evidence supports it.'),
  evaluation_ids: z.record(z.string(), Uuid).describe('Adopted evaluations by group.'),
  artifact: ReleaseArtifact.nullable(),
})

/** The plan frozen at creation. Its digest is `plan_digest`. */
export const ReleasePlan = named('ReleasePlan', {
  suite: z.strictObject({ id: Uuid, suite_id: Uuid, version: z.int(), name: z.string(), digest: Sha256 }),
  policy: z.strictObject({ id: Uuid, policy_id: Uuid, version: z.int(), name: z.string(), digest: Sha256 }),
  candidate: Side,
  baseline: Side.nullable(),
  models: z.strictObject({ candidate: ModelChoice.nullable(), baseline: ModelChoice.nullable() }),
  profiles: z
    .array(z.strictObject({ group: z.string(), source_ref: z.string(), profile_id: z.string(), prompt_digest: Sha256 }))
    .describe('Profiles and settings of the tasks.'),
  execution: ExecutionSettings,
  max_charge_microusd: MicroUsd,
  alpha: z.number().describe('One-sided error, before attempts are accounted for.'),
  looks: z.int().min(1).max(5),
  seed: z.int().describe('Orders the tasks into stages by SHA-256 of `seed:task_id`.'),
  evidence: z.array(
    z.strictObject({
      ...ReleaseEvidenceRef.shape,
      sha256: Sha256,
      analysis_digest: Sha256,
      label: z.string().nullable().optional().describe('Model or provider that the file names; absent in plans made before it was read.'),
      confirmed_by: By.optional().describe('Who confirmed that a label of another name is this side.'),
    }),
  ),
  calibrations: z.array(z.strictObject({ id: Uuid, digest: Sha256 })),
})

/** What a plan can find out, told before anything is frozen. */
export const NewPlanPreview = named('NewReleasePlanPreview', {
  groups: z
    .array(z.strictObject({ key: ReleaseKey, tasks: z.int().min(1).max(1_000_000_000) }))
    .min(1)
    .max(50),
  rules: z.array(ReleaseRule).min(1).max(40),
  confidence: z.number().min(0.6).max(0.9999).default(0.95),
  repeat: z.enum(['record', 'spend', 'refuse']).default('record'),
  epochs: z.int().min(1).max(100).default(1),
})

const detectable = z
  .array(z.strictObject({ rule: z.string(), margin: z.number().nullable() }))
  .describe('Smallest margin that each paired rule finds at power 1 − 0.2/R; null where none.')

export const PlanPreview = named('ReleasePlanPreview', {
  tasks: z.int().min(1),
  detectable,
  cautions: z.array(z.string()).describe('Rules that no candidate can pass on so few tasks.'),
})

export const MissingItem = named('ReleaseMissingItem', {
  code: z.enum(['evaluation_running', 'evaluation_incomplete', 'calibration', 'labels', 'credit', 'human_verdict']),
  message: z.string(),
  action: z
    .strictObject({ method: z.enum(['GET', 'POST']), path: z.string(), body: JsonObject.optional() })
    .describe('Request that supplies it.'),
})

export const DecisionEvaluation = named('ReleaseDecisionEvaluation', {
  purpose: z.enum(['main', 'confirm']).describe('`confirm`: new answers to critical tasks that appear to have regressed.'),
  side: ReleaseSideName,
  group: z.string(),
  look: z.int().min(1).describe('The first look that uses it.'),
  evaluation_id: Uuid.nullable().describe('Null until it is created.'),
  run_id: Uuid.nullable(),
  status: z.enum(runMachine.states).nullable(),
  adopted: z.boolean(),
  seen_before_plan: z.boolean().describe('Whether its results could have been known when the decision was created.'),
  max_charge_microusd: MicroUsd,
  charged_microusd: MicroUsd,
  result_version: z.int().min(1).nullable().describe('Result version used by the analysis; null before it.'),
  samples_digest: Sha256.nullable(),
})

const ProposedIssueEvent = named('ReleaseProposedIssueEvent', {
  issue: Issue.pick({ id: true, title: true, severity: true, status: true }),
  reason: z.string(),
  body: NewIssueEvent.describe('Body for `POST /v1/releases/issues/events`.'),
})

const listed = {
  id: Uuid,
  name: z.string(),
  status: z.enum(decisionMachine.states),
  candidate: z.string().describe('Label.'),
  baseline: z.string().nullable(),
  suite_version_id: Uuid,
  suite_name: z.string(),
  policy_id: Uuid,
  policy_name: z.string(),
  attempt: z.int().min(1).nullable().describe('k of the same candidate, baseline, suite and policy; null before the first `advance`.'),
  look: z.int().min(1),
  looks: z.int().min(1),
  recommendation: ReleaseRecommendation.nullable(),
  created_by: z.strictObject({ kind: z.enum(['person', 'key']), id: Uuid, name: z.string() }),
  created_at: Timestamp,
  closed_at: Timestamp.nullable(),
}

export const DecisionListItem = named('ReleaseDecisionListItem', listed)

export const Decision = named('ReleaseDecision', {
  ...listed,
  plan: ReleasePlan,
  plan_digest: Sha256,
  alpha: z.number().nullable().describe('One-sided error of this attempt over all looks; null before the first `advance`.'),
  evaluations: z.array(DecisionEvaluation),
  committed_microusd: MicroUsd.describe('Charged or set aside by its evaluations.'),
  rules: z.array(RuleVerdict).nullable().describe('Rules in the latest analysis.'),
  detectable,
  cautions: z.array(z.string()),
  labels: z.array(ReleaseLabel).describe('What people concluded about this decision, oldest first.'),
  missing: z.array(MissingItem),
  proposed_events: z
    .array(ProposedIssueEvent)
    .describe('Issue events that the candidate’s samples support, for a person to send; empty before the analysis.'),
  job_id: Uuid.nullable().describe('Of the analysis.'),
  record: z
    .strictObject({
      digest: Sha256,
      previous_record_digest: Sha256.nullable(),
      newer_results: z.boolean().describe('Whether one of its evaluations was regraded or retried since.'),
    })
    .nullable()
    .describe('Of a closed decision.'),
})

export const DecisionStep = named('ReleaseDecisionStep', {
  ...Decision.shape,
  did: z.array(z.string()).describe('Steps that this request executed; empty if it only waits.'),
})

export const DecisionPage = page(DecisionListItem)

export type NewDecision = z.infer<typeof NewDecision>
export type NewPlanPreview = z.infer<typeof NewPlanPreview>
export type PlanPreview = z.infer<typeof PlanPreview>
export type NewReleaseSide = z.infer<typeof NewSide>
export type ReleasePlan = z.infer<typeof ReleasePlan>
export type ReleaseEvidenceRef = z.infer<typeof ReleaseEvidenceRef>
export type ProposedIssueEvent = z.infer<typeof ProposedIssueEvent>
export type MissingItem = z.infer<typeof MissingItem>
export type Decision = z.infer<typeof Decision>
export type DecisionListItem = z.infer<typeof DecisionListItem>
export type DecisionEvaluation = z.infer<typeof DecisionEvaluation>
