import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'

export const LabelTarget = z
  .union([
    z.strictObject({ run_id: Uuid, sample_id: Uuid }),
    z.strictObject({ dataset_id: Uuid, example_id: Uuid, revision: z.int().min(1) }),
    z.strictObject({ decision_id: Uuid }),
  ])
  .describe('A run’s sample, a revision of a dataset’s example, or a decision that awaits a person.')

export const NewReleaseLabel = named('NewReleaseLabel', {
  target: LabelTarget,
  verdict: z
    .enum(['pass', 'fail', 'unsure', 'approve', 'reject', 'inconclusive'])
    .describe('Samples and examples: `pass`, `fail` or `unsure`. Decisions: `approve`, `reject` or `inconclusive`.'),
  rationale: z.string().trim().max(5000).default(''),
  override: z.boolean().default(false).describe('Confirms a verdict against the recommendation; needs a rationale of 20 characters.'),
})

/** A person’s verdict. Append-only; each person’s newest label on a target counts. */
export const ReleaseLabel = named('ReleaseLabel', {
  id: Uuid,
  target: LabelTarget,
  verdict: NewReleaseLabel.shape.verdict,
  rationale: z.string(),
  override: z.boolean().describe('Whether it overrides the recommendation.'),
  by: z.strictObject({ id: Uuid, name: z.string() }),
  created_at: Timestamp,
})

export type NewReleaseLabel = z.infer<typeof NewReleaseLabel>
export type ReleaseLabel = z.infer<typeof ReleaseLabel>
