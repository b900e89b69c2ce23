import { z } from 'zod'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { DifferencePosterior, Estimate } from '../runs/results.schemas.ts'
import { runMachine, sampleStates } from '../runs/run.machine.ts'

export const ComparisonOptions = named('ComparisonOptions', {
  level: z.number().min(0.8).max(0.999).default(0.95).describe('Nominal coverage of the intervals; tests use α = 1 − level.'),
  cluster_by: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default('cluster')
    .describe(
      'Facet whose equal values mark dependent tasks, such as questions on one text. Tasks without it are not clustered; null disables clustering.',
    ),
  accept_different_prompts: z
    .boolean()
    .default(false)
    .describe(
      'Two models with different prompts differ in both, so the comparison is refused unless this is true; one model with two prompts is always accepted.',
    ),
  dated_from: z.iso.date().optional().describe('Compare only tasks dated on this day or later. Undated tasks are left out.'),
  dated_to: z.iso.date().optional().describe('Compare only tasks dated on this day or earlier. Undated tasks are left out.'),
  tested_metrics: z
    .array(z.string().min(1).max(100))
    .max(20)
    .default([])
    .describe(
      'Metrics to test in addition to the primary one. Metrics that are not tested are shown without affecting the p-value adjustment.',
    ),
})

export const NewComparison = named('NewComparison', {
  name: Name,
  run_ids: z.array(Uuid).min(2).max(10).describe('Ended runs or evaluations.'),
  baseline_id: Uuid.describe('One of `run_ids`; the others are compared with it.'),
  seed: z.int().min(0).max(0xffffffff).default(1).describe('Seed of the bootstrap: the same runs, seed and options give the same results.'),
  options: ComparisonOptions.default(() => ComparisonOptions.parse({})),
})

/** A comparability check made before any computation. Misleading comparisons are refused, so a stored check passes or warns. */
export const ComparabilityCheck = named('ComparabilityCheck', {
  check: z.enum(['benchmark_version', 'task_content', 'prompt', 'scorer', 'generation', 'coverage', 'epochs', 'model', 'outcome']),
  contender_id: Uuid,
  profile_id: z.string().nullable().describe('The baseline’s profile; null when it concerns the whole run.'),
  status: z.enum(['pass', 'warn']),
  detail: z.string(),
})

export const ComparedRun = named('ComparedRun', {
  id: Uuid.describe('Id from the request: a run or an evaluation.'),
  kind: z.enum(['run', 'evaluation']),
  run_id: Uuid,
  result_version: z.int().min(1),
  samples_digest: Sha256.describe('Digest of the samples of that result version.'),
  baseline: z.boolean(),
  name: z.string(),
  label: z.string().describe('Label in text and charts; unique in the comparison.'),
  model: ModelSnapshot,
  status: z.enum(runMachine.states),
  tasks: z.int().min(0).describe('Tasks of the compared profiles in this run.'),
  scored_tasks: z.int().min(0).describe('Tasks with a score of their primary metric.'),
})

const interval = z.strictObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() }).nullable()

const effect = {
  n: z.int().min(0).describe('Tasks scored in both. A task’s epochs are averaged first, so it counts once.'),
  baseline_mean: z
    .number()
    .nullable()
    .describe('Mean over those tasks, or the metric’s figure of them where that is no mean, such as corpus BLEU.'),
  contender_mean: z.number().nullable().describe('Likewise.'),
  difference: z.number().nullable().describe('Contender minus baseline.'),
  standard_error: z.number().nullable(),
  interval: interval.describe('`method` is `tango`, `mcnemar_exact`, `bootstrap_bca`, `paired_t`, `cr1_t` or `paired_bootstrap`.'),
  test: z.enum(['mcnemar_exact', 'permutation_exact', 'paired_t', 'cr1_t', 'paired_bootstrap']).nullable(),
  p: z.number().nullable().describe('Two-sided p-value, unadjusted.'),
  wins: z.int().min(0).describe('Tasks on which the contender scored higher.'),
  losses: z.int().min(0),
  ties: z.int().min(0),
  reason: z.string().nullable().describe('Why a null is null.'),
}

const { baseline_mean: _, contender_mean: __, ...withoutMeans } = effect

export const Difference = named('Difference', {
  contender_id: Uuid,
  profile_id: z.string().nullable().describe('The baseline’s profile; null for all profiles together.'),
  title: z.string(),
  metric: z.string().nullable().describe('Null for all profiles together, each with its primary metric.'),
  metric_title: z.string(),
  primary: z.boolean(),
  headline: z.boolean().describe('Whether the verdict is based on it; exactly one per contender.'),
  ...effect,
  tested: z
    .boolean()
    .default(true)
    .describe('Whether it is tested in this comparison: the headline difference of each contender and the chosen metrics.'),
  copy_of: z.string().nullable().default(null).describe('Metric with identical values on every task, which is tested instead.'),
  p_adjusted: z
    .number()
    .nullable()
    .describe(
      'Holm-adjusted over the tests of this comparison; each test’s interval uses the level of its Holm step, so both agree. Null if not tested.',
    ),
  passes: z
    .strictObject({ both: z.int(), neither: z.int(), only_baseline: z.int(), only_contender: z.int() })
    .nullable()
    .describe('Tasks by which run passed, if the metric is pass/fail and each task was run once.'),
  minimum_detectable_difference: z
    .number()
    .nullable()
    .describe(
      'Minimum detectable difference: smaller true differences would be missed with a probability above 20 %, given the observed share of discordant tasks (exact McNemar test) or the observed variance (other tests).',
    ),
  clustered_by: z.string().nullable().describe('Facet by which standard error and interval are clustered.'),
  clusters: z.int().nullable(),
  verdict: z
    .enum(['better', 'worse', 'not_shown', 'not_tested'])
    .describe('`not_shown` is not “equal”: see the minimum detectable difference. `not_tested`: shown for orientation.'),
  posterior: DifferencePosterior.optional().describe(
    'Bayesian view from a uniform prior: Dirichlet over the four outcomes of pass/fail, else the Bayesian bootstrap. Absent where it is undefined and in older comparisons.',
  ),
  one_sided: z
    .strictObject({
      p_better: z.number().describe('p-value of “the contender is no better”.'),
      p_worse: z.number().describe('p-value of “the contender is no worse”.'),
    })
    .optional()
    .describe('One-sided p-values of the same test, unadjusted; choose the side before looking. Absent where there is no test.'),
  agreement: z
    .strictObject({
      observed: z.number().describe('Share of tasks with the same verdict.'),
      kappa: z.number().nullable().describe('Cohen’s kappa of the two runs’ verdicts.'),
      low: z.number().nullable(),
      high: z.number().nullable(),
      gwet_ac1: z.number().nullable().describe('Gwet’s AC1, which stays meaningful where nearly all tasks pass or fail.'),
      reason: z.string().nullable().describe('Why a null is null.'),
    })
    .optional()
    .describe('Only if the metric is pass/fail and each task was run once.'),
  cautions: z.array(z.string()),
})

export const DifferenceBreakdown = named('DifferenceBreakdown', {
  contender_id: Uuid,
  profile_id: z.string(),
  metric: z.string(),
  dimension: z.string(),
  value: z.string(),
  ...effect,
  p_adjusted: z.number().nullable().describe('Benjamini–Hochberg, over all breakdowns of this contender. Exploratory.'),
})

export const LabelDifference = named('LabelDifference', {
  contender_id: Uuid,
  profile_id: z.string(),
  metric: z.string(),
  metric_title: z.string(),
  dimension: z.string().nullable().describe('What the groups are, as in `breakdowns`; null: all tasks of the profile.'),
  value: z.string().nullable().describe('The group; null: all tasks of the profile.'),
  label: z.string(),
  baseline: Estimate.describe('Share of this label in the baseline, on the tasks with a label in both runs.'),
  contender: Estimate.describe('Likewise in the contender.'),
  ...withoutMeans,
  p_adjusted: z.number().nullable().describe('Benjamini–Hochberg, over all label differences of this contender. Exploratory.'),
})

/** Quality, cost and latency on the tasks scored in every run. */
export const TradeOff = named('TradeOff', {
  run_id: Uuid.describe('Matches `runs[].id`.'),
  quality: Estimate,
  cost_microusd_per_sample: z.number().nullable().describe('Mean cost from tokens and rates; null if either is unknown.'),
  latency_ms: z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable() }),
  output_tokens_per_sample: z.number().nullable(),
  on_front: z.boolean().describe('No other run is at least as good in quality, cost and latency and better in one.'),
  dominated_by: z.array(Uuid),
})

export const ComparisonCaution = z.strictObject({ code: z.string(), contender_id: Uuid.nullable(), message: z.string() })

const listed = {
  id: Uuid,
  name: Name,
  created_at: Timestamp,
  headline: z.string().describe('Outcome in one sentence.'),
  runs: z.array(z.strictObject({ id: Uuid, kind: z.enum(['run', 'evaluation']), label: z.string(), baseline: z.boolean() })),
  digest: Sha256.describe(
    'Digest of everything computed, excluding id, name and time: the same runs, seed and options give the same digest.',
  ),
}

export const ComparisonListItem = named('ComparisonListItem', listed)

export const Comparison = named('Comparison', {
  ...listed,
  runs: z.array(ComparedRun).describe('The baseline first.'),
  seed: z.int(),
  options: ComparisonOptions,
  tasks: z.strictObject({
    total: z.int().describe('Tasks in any of the runs.'),
    common: z.int().describe('Tasks scored in every run.'),
  }),
  profiles: z
    .array(
      z.strictObject({
        profile_id: z.string(),
        title: z.string(),
        source_ref: z.string(),
        split: z.enum(['test', 'canonical']),
        metric: z.string().describe('The primary metric.'),
        metric_title: z.string(),
      }),
    )
    .describe('The compared profiles, as run by the baseline.'),
  checks: z.array(ComparabilityCheck),
  verdicts: z.array(z.strictObject({ contender_id: Uuid, verdict: Difference.shape.verdict, text: z.string() })),
  differences: z.array(Difference),
  breakdowns: z.array(DifferenceBreakdown),
  label_differences: z
    .array(LabelDifference)
    .optional()
    .describe(
      'Shares of each label in both runs and their paired difference, overall and by group: of evaluators and recorded scores whose verdicts are words, at most 30 of up to 80 characters. Absent without them and in older comparisons.',
    ),
  trade_off: z.array(TradeOff),
  cautions: z.array(ComparisonCaution),
  app_version: z.string(),
})

/** Change of a task’s outcome from baseline to contender. */
export const taskChanges = ['gained', 'lost', 'both_passed', 'both_failed', 'not_compared'] as const
export const TaskChange = z
  .enum(taskChanges)
  .describe(
    '`gained` and `lost`: the contender scored higher or lower. `both_passed`: the same, at full marks; `both_failed`: the same, below them. `not_compared`: one of them has no score.',
  )

export const ComparedTask = named('ComparedTask', {
  position: z.int().min(0),
  source_ref: z.string(),
  profile_id: z.string().describe('The baseline’s profile.'),
  metric: z.string().describe('Primary metric; values and changes refer to it.'),
  task_id: z.string(),
  preview: z.string(),
  capabilities: z.array(z.string()),
  outcomes: z
    .array(
      z.strictObject({
        run_id: Uuid.describe('Matches `runs[].id`.'),
        status: z.enum(sampleStates).nullable().describe('Status of its first epoch; null if the task is not in the run.'),
        value: z.number().nullable().describe('Mean over the scored epochs.'),
        sample_id: Uuid.nullable().describe('Sample of the first epoch.'),
      }),
    )
    .describe('In the order of the comparison’s runs.'),
  changes: z.array(z.strictObject({ contender_id: Uuid, change: TaskChange })),
})

export type NewComparison = z.infer<typeof NewComparison>
export type ComparisonOptions = z.infer<typeof ComparisonOptions>
export type Comparison = z.infer<typeof Comparison>
export type ComparisonListItem = z.infer<typeof ComparisonListItem>
export type ComparabilityCheck = z.infer<typeof ComparabilityCheck>
export type ComparedRun = z.infer<typeof ComparedRun>
export type ComparisonCaution = z.infer<typeof ComparisonCaution>
export type Difference = z.infer<typeof Difference>
export type DifferenceBreakdown = z.infer<typeof DifferenceBreakdown>
export type LabelDifference = z.infer<typeof LabelDifference>
export type TradeOff = z.infer<typeof TradeOff>
export type TaskChange = (typeof taskChanges)[number]
export type ComparedTask = z.infer<typeof ComparedTask>
