import { z } from 'zod'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { ReleaseRule } from './rules.schemas.ts'

export const HumanApproval = named('ReleaseHumanApproval', {
  required: z.boolean().default(true).describe('Whether a person decides; if false, the recommendation is the outcome.'),
  approvals: z.int().min(1).max(20).default(1).describe('Number of distinct people who must approve.'),
  not_author: z.boolean().default(false).describe('Whether the person who created the decision may not decide it.'),
  override: z
    .enum(['never', 'inconclusive', 'any'])
    .default('never')
    .describe('Which recommendations a person may decide against, with a reason: none, `inconclusive` ones, or any.'),
})

const policyFields = {
  name: Name,
  confidence: z.number().min(0.6).max(0.9999).default(0.95).describe('1 − α of every one-sided bound.'),
  rules: z.array(ReleaseRule).min(1).max(40),
  looks: z
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('Planned analyses at nested stages of the tasks; above 1, α is spent by O’Brien–Fleming (Lan & DeMets 1983).'),
  repeat: z
    .enum(['record', 'spend', 'refuse'])
    .default('record')
    .describe(
      'Attempt k of the same candidate, baseline and policy: `record` states k, `spend` tests at 6α/(π²k²), `refuse` is a conflict.',
    ),
  human: HumanApproval.default(() => HumanApproval.parse({})),
}

export const NewReleasePolicy = named('NewReleasePolicy', {
  ...policyFields,
  previous_version_id: Uuid.nullable().default(null).describe('Creates the next version of that policy.'),
})

/** One immutable version of a release policy. */
export const ReleasePolicy = named('ReleasePolicy', {
  id: Uuid.describe('Id of this version; used by decisions.'),
  policy_id: Uuid.describe('Id of the policy across versions: that of the first.'),
  version: z.int().min(1),
  previous_version_id: Uuid.nullable(),
  ...policyFields,
  digest: Sha256.describe('Digest of everything except ids, name, cautions and time.'),
  cautions: z.array(z.string()).default([]).describe('Rules that no candidate can pass, found when the policy was created.'),
  created_at: Timestamp,
})

export type NewReleasePolicy = z.infer<typeof NewReleasePolicy>
export type ReleasePolicy = z.infer<typeof ReleasePolicy>
