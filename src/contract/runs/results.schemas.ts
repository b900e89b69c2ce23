import { z } from 'zod'
import { MetricEvaluator } from '../catalog/benchmarks.schemas.ts'
import { named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { FrozenCoverage, FrozenProfile, ModelSnapshot, ExecutionSettings } from '../quotes/quotes.schemas.ts'
import { Accounting } from './accounting.schemas.ts'
import { runMachine } from './run.machine.ts'

/** An estimate with sample size, interval and method; a number is never shown without these. */
export const Estimate = named('Estimate', {
  n: z.int().min(0).describe('Number of tasks; a task with several epochs counts once, with their mean.'),
  mean: z.number().nullable(),
  standard_error: z.number().nullable(),
  interval: z
    .strictObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string().describe('e.g. `wilson`, `t`, `cr1_t`.') })
    .nullable(),
  reason: z.string().nullable().describe('Why a null is null.'),
  cautions: z.array(z.string()),
})

/** Belief after the data, from a uniform prior. */
const credible = {
  low: z.number(),
  high: z.number(),
  level: z.number(),
  method: z.string().describe('`beta_uniform`, `dirichlet_uniform`, `bayesian_bootstrap` or `bayesian_bootstrap_normal`.'),
}
export const CredibleInterval = named('CredibleInterval', credible)

export const DifferencePosterior = named('DifferencePosterior', {
  ...credible,
  probability_better: z.number().min(0).max(1).describe('Probability that the contender is better.'),
})

/** A mean over groups that counts every group the same, whatever its size. */
export const MacroMean = named('MacroMean', {
  profile_id: z.string(),
  metric: z.string(),
  dimension: z.string().describe('What the groups are, e.g. `subject`.'),
  groups: z.int().min(0),
  mean: z.number().nullable(),
  standard_error: z.number().nullable(),
  interval: z
    .strictObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() })
    .nullable()
    .describe('Recovered from the groups’ own intervals (`mover`).'),
  reason: z.string().nullable().describe('Why a null is null.'),
})
export type MacroMean = z.infer<typeof MacroMean>

export const MetricResult = named('MetricResult', {
  profile_id: z.string(),
  metric: z.string(),
  title: z.string(),
  scorer: z.string(),
  scorer_version: z.int(),
  signature: z
    .string()
    .optional()
    .describe(
      'Of BLEU and chrF: the settings as sacrebleu states them, e.g. `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0`.',
    ),
  original: z
    .strictObject({ name: z.string(), value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
    .optional()
    .describe(
      'The figure and its interval as the original tool states them, where the score is a conversion to 0…1: `word_perplexity`, `byte_perplexity`, `bits_per_byte`, `perplexity`, `brier_score`.',
    ),
  primary: z.boolean(),
  estimate: Estimate,
  unscored: z.int().min(0).describe('Samples without a value of this metric, failed and missing ones included; excluded from the mean.'),
  not_run: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Samples that were never run: the run was cancelled, stopped or decided early. Part of `unscored`; absent where there are none.',
    ),
  chance_level: z.number().nullable(),
  worst_case: z.number().nullable().describe('Mean if every sample without a score were wrong.'),
  best_case: z.number().nullable().describe('Mean if every sample without a score were right.'),
  posterior: CredibleInterval.optional().describe(
    'Equal-tailed Bayesian interval from a uniform prior, beside the classical one. Absent where it is undefined and in older results.',
  ),
  evaluator: z
    .strictObject({
      ...MetricEvaluator.shape,
      corrected_pass_rate: z
        .strictObject({
          mean: z.number().nullable(),
          low: z.number().nullable(),
          high: z.number().nullable(),
          reason: z.string().nullable(),
        })
        .nullable()
        .describe('Rogan and Gladen’s estimate with Lang and Reiczigel’s interval, with the calibration’s rates; null without them.'),
    })
    .optional()
    .describe('Only for metrics produced by an evaluator.'),
  attempts: z
    .strictObject({
      kind: z
        .enum(['pass_at_k', 'pass_hat_k', 'majority'])
        .describe('At least one of k attempts passes (pass@k), all k do (pass^k), or the most frequent of k answers does (maj@k).'),
      k: z.int().min(2),
      metric: z.string().describe('The metric of this profile that says whether an attempt passes.'),
    })
    .optional()
    .describe(
      'Only for estimates from several epochs. pass@k and pass^k are unbiased: `1 - C(n-c,k)/C(n,k)` and `C(c,k)/C(n,k)` of each task with at least k verdicts. maj@k, of all k epochs where there are 3 or more, takes the score of the answer given most often, the first of equals; only where answers are at most 200 characters.',
    ),
})

export const Breakdown = named('Breakdown', {
  profile_id: z.string(),
  metric: z.string(),
  dimension: z.string(),
  value: z.string(),
  estimate: Estimate,
})

/** UTF-16 code units of a label that is counted; longer ones are texts. */
export const longestLabel = 80

export const LabelShare = named('LabelShare', {
  profile_id: z.string(),
  metric: z.string(),
  dimension: z.string().nullable().describe('What the groups are, as in `breakdowns`; null: all samples of the profile.'),
  value: z.string().nullable().describe('The group; null: all samples of the profile.'),
  label: z.string(),
  samples: z.int().min(0).describe('Samples of the group with this label.'),
  without_label: z.int().min(0).describe('Samples of the group without any label of this metric; excluded from the share.'),
  estimate: Estimate,
})
export type LabelShare = z.infer<typeof LabelShare>

export const Quantiles = z.strictObject({
  n: z.int(),
  mean: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
})

/** Sandbox in which model-written code ran, described so that another machine can be compared. */
export const SandboxRecord = named('SandboxRecord', {
  id: z.enum(['linux', 'portable', 'quickjs']),
  title: z.string(),
  language: z.enum(['python', 'javascript']),
  interpreter: z.string().describe('Interpreter with version.'),
  platform: z.string(),
  probes_refused: z.int().min(1).describe('Escape probes refused when the service started; all of them.'),
  probes_digest: Sha256.describe('Digest of the escape probes.'),
  memory_bytes: z.int(),
  disk_bytes: z.int(),
})

export const Results = named('Results', {
  run_id: Uuid,
  name: z.string(),
  result_version: z.int().min(1),
  created_at: Timestamp,
  status: z.enum(runMachine.states),
  stop_reason: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  coverage: z.strictObject({
    ...FrozenCoverage.shape,
    frozen: z.int(),
    scored: z.int(),
    failed: z.int(),
    excluded: z.int(),
    missing: z.int(),
    cancelled: z.int(),
  }),
  metrics: z.array(MetricResult),
  breakdowns: z.array(Breakdown),
  macro_means: z
    .array(MacroMean)
    .optional()
    .describe('Of the primary metrics, for each dimension of the breakdowns. Absent in older results.'),
  label_shares: z
    .array(LabelShare)
    .optional()
    .describe(
      'Share of each label, overall and in each group of the breakdowns: of evaluators and recorded scores whose verdicts are words, at most 30 of up to 80 characters. Absent without them and in older results.',
    ),
  errors: z.array(
    z.strictObject({ code: z.string(), message: z.string(), count: z.int(), sample_id: Uuid.describe('First sample with this error.') }),
  ),
  usage: z.strictObject({
    model_calls: z.int().describe('Attempts at samples, those of parts included.'),
    retries: z.int().describe('Attempts beyond the first of each sample; the same number as in the run’s progress.'),
    input_tokens: z.int().nullable().describe('Over all answers; null if any was not counted.'),
    output_tokens: z.int().nullable().describe('Over all answers; null if any was not counted.'),
    tokens_counted_by: z.enum(['provider', 'tokenizer', 'both', 'none']),
  }),
  latency_ms: Quantiles,
  output_tokens: Quantiles,
  billing: Accounting,
  reproducibility: z.strictObject({
    model: ModelSnapshot,
    profiles: z.array(FrozenProfile),
    execution: ExecutionSettings,
    quote_id: Uuid.nullable().describe('Null for imported answers, which have no quote.'),
    answers: z
      .strictObject({ kind: z.literal('imported'), digest: Sha256 })
      .optional()
      .describe('Digest of the imported answer files. Absent if the model was called.'),
    service_version: z.string(),
    app_version: z.string(),
    sandboxes: z
      .array(SandboxRecord)
      .optional()
      .describe('Sandboxes used for model-written code; several if it changed between service starts. Absent if no code was run.'),
    samples_digest: Sha256.describe('Digest of every sample’s identity, status and scores, in order.'),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  }),
  notices: z.array(z.strictObject({ code: z.string(), message: z.string(), profile_id: z.string().optional() })),
})

export type Results = z.infer<typeof Results>
export type Estimate = z.infer<typeof Estimate>
export type MetricResult = z.infer<typeof MetricResult>
export type SandboxRecord = z.infer<typeof SandboxRecord>
export type Breakdown = z.infer<typeof Breakdown>
export type Quantiles = z.infer<typeof Quantiles>

/** Code of the notice on a score over tasks that were chosen by the same model’s past results. */
export const selectedOnOwnResults = 'selected_on_own_results'

/** Whether a profile’s score is meaningful for the model; if not, it is not presented as one. */
export function isBiasedScore({ notices }: Pick<Results, 'notices'>, profileId: string): boolean {
  return notices.some(notice => notice.code === selectedOnOwnResults && notice.profile_id === profileId)
}
