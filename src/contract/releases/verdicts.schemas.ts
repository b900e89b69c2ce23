import { z } from 'zod'
import { named } from '../primitives.ts'

export const RuleVerdict = named('ReleaseRuleVerdict', {
  key: z.string(),
  kind: z.string(),
  required: z.boolean(),
  verdict: z
    .enum(['pass', 'fail', 'inconclusive', 'missing'])
    .describe('`pass`: the bound clears the threshold; `fail`: the opposite bound misses it; `missing`: required data is not available.'),
  estimate: z.number().nullable().describe('In the unit of the rule: a score, a difference, a share, micro-USD or milliseconds.'),
  bound: z.number().nullable().describe('One-sided, at the α of this analysis: what must clear the threshold.'),
  opposite_bound: z.number().nullable().describe('The bound of the other side: what fails the rule when it misses the threshold.'),
  n: z.int().min(0).describe('Number of tasks, or of counted items for counts.'),
  threshold: z.number().nullable(),
  statistic: z
    .strictObject({
      method: z.string().describe('e.g. `tango`, `clopper_pearson`, `paired_t`, `cr1_t`, `sign_flip_permutation`, `order_statistic`.'),
      alpha: z.number().describe('Of this analysis, after attempts and looks are accounted for.'),
      p: z.number().nullable().describe('One-sided p-value of “misses the threshold”: a pass needs at most α.'),
      p_adjusted: z.number().nullable().describe('The same after Holm over the set `any_of`; equal to p without one.'),
      p_fail: z.number().nullable().describe('One-sided p-value of “clears the threshold”.'),
      p_fail_adjusted: z.number().nullable().describe('The same after Holm over all required tested rules: a fail needs at most α.'),
    })
    .nullable()
    .describe('Null where nothing was tested.'),
  tasks_needed: z
    .int()
    .min(1)
    .optional()
    .describe('Of an inconclusive rule: tasks that would decide it if the estimate stays as it is; absent where no number would.'),
  detail: z.string().describe('Verdict as text; for inconclusive ones, what would decide it.'),
})

export const ReleaseRecommendation = z.enum(['approve', 'reject', 'inconclusive'])

export type RuleVerdict = z.infer<typeof RuleVerdict>
export type ReleaseRecommendation = z.infer<typeof ReleaseRecommendation>
