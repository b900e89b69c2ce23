import { z } from 'zod'
import { MicroUsd } from '../primitives.ts'
import { ReleaseKey } from './suites.schemas.ts'

/** Fields of every rule, beside the parameters of its kind. */
const common = {
  key: ReleaseKey.describe('Identifies the rule in verdicts and in the record; unique in its policy.'),
  group: ReleaseKey.nullable().default(null).describe('A group of the suite; null for the whole suite, weighted.'),
  metric: z.string().min(1).max(200).nullable().default(null).describe('Name of a metric; null for each profile’s primary metric.'),
  required: z.boolean().default(true).describe('Approval needs every required rule to pass.'),
  basis: z
    .enum(['bound', 'point'])
    .default('bound')
    .describe(
      '`bound` compares a one-sided confidence bound with the threshold; `point` the estimate itself, which is no statistical claim.',
    ),
  any_of: ReleaseKey.optional().describe(
    'Rules with the same value are one requirement: at least one must pass, tested with Holm’s method.',
  ),
  source: z
    .enum(['runs', 'external'])
    .default('runs')
    .describe('`external` takes the figures from imported evidence; without per-task values it supports only `min_score`.'),
}

const rule = <Kind extends string, Parameters extends z.ZodRawShape>(kind: Kind, parameters: Parameters) =>
  z.strictObject({ kind: z.literal(kind), ...common, ...parameters })

const share = z.number().min(0).max(1)

/** A rule of a policy, by kind. Bounds are one-sided at α = 1 − confidence. */
export const ReleaseRule = z
  .discriminatedUnion('kind', [
    rule('min_score', {
      threshold: z.number().min(-1_000_000).max(1_000_000).describe('In the unit of the metric; pass/fail metrics in [0, 1].'),
    }).describe('Clopper–Pearson for pass/fail, t for scores, CR1 where tasks are clustered.'),
    rule('superiority', {
      delta: z.number().min(0).max(1_000_000).default(0).describe('δ: the candidate must be better than the baseline by more than this.'),
    }).describe('Paired difference against δ: Tango for pass/fail, paired t or CR1, sign-flip permutation up to 20 tasks.'),
    rule('non_inferiority', {
      margin: z.number().gt(0).max(1_000_000).describe('M: the candidate may be worse than the baseline by less than this.'),
    }).describe('Paired difference against −M, with the same methods as `superiority`.'),
    rule('no_critical_regression', {
      max: z.int().min(0).max(100_000).default(0).describe('Max confirmed regressions.'),
      confirm_epochs: z.int().min(1).max(25).default(5).describe('New answers per suspect from both models, bypassing the cache.'),
    }).describe('Critical tasks that the baseline passed and the candidate failed, counted when majorities of new answers still differ.'),
    rule('max_error_rate', { threshold: share }).describe('Clopper–Pearson on tasks with a failed sample.'),
    rule('max_cost', { max_microusd_per_task: MicroUsd }).describe('t bound on the cost of a task; unknown rates are inconclusive.'),
    rule('max_latency', {
      quantile: z.number().gt(0).lt(1).meta({ example: 0.95 }),
      max_ms: z.int().min(1).max(86_400_000),
    }).describe('Order statistics; timeouts count as slower than any answer.'),
    rule('judge_calibrated', {
      min_kappa: z.number().min(-1).max(1).describe('Compared with the lower bound of Cohen’s κ.'),
      min_n: z.int().min(1).max(1_000_000),
      max_age_days: z.int().min(1).max(36_500),
    }).describe('The judges of the suite’s runs against people’s labels; another evaluator version fails.'),
    rule('min_coverage', {
      of: z.enum(['samples', 'capabilities', 'issues']),
      share,
    }).describe(
      '`samples`: graded share of both sides; `capabilities`: tested ones; `issues`: open critical ones with a task in the suite.',
    ),
    rule('min_labels', { min_n: z.int().min(1).max(1_000_000) }).describe('Samples of the candidate that people have labeled.'),
    rule('open_issues', {
      max: z.int().min(0).max(1_000_000).default(0),
      severity: z.enum(['critical', 'high', 'medium', 'low']).describe('Issues of this severity or a higher one count.'),
    }).describe('Issues that are open, reproduced or regressed.'),
  ])
  .meta({ id: 'ReleaseRule' })

export type ReleaseRule = z.infer<typeof ReleaseRule>
