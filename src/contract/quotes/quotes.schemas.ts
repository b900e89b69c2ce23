import { z } from 'zod'
import { Generation, Metric } from '../catalog/benchmarks.schemas.ts'
import { Effort, Rates } from '../catalog/models.schemas.ts'
import { EndpointParameters, RequestSettings } from '../connections/request-settings.schemas.ts'
import { defaultThrottlePatienceMs } from '../runs/failure-codes.ts'
import { Message } from '../messages/messages.schemas.ts'
import { MicroUsd, named, Sha256, Timestamp, Uuid } from '../primitives.ts'

export const ModelChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('managed'), route_id: z.string().min(1).max(200).describe('From the listing of model routes.') }),
  z.strictObject({ kind: z.literal('connection'), connection_id: Uuid.describe('A checked connection.') }),
])

export const Coverage = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('sample'),
    sample_count: z.int().min(1).max(1_000_000).describe('Tasks per profile.'),
    seed: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe('Orders tasks by SHA-256 of `seed:task_id`; a smaller sample is inside a larger one.'),
  }),
  z.strictObject({ mode: z.literal('full') }),
])

const Milliseconds = z.int().min(100).max(86_400_000).nullable().default(null)

export const ExecutionSettings = named('ExecutionSettings', {
  epochs: z.int().min(1).max(100).default(1).describe('Samples per task.'),
  mode: z
    .exactOptional(z.enum(['live', 'batch']))
    .describe(
      '`batch`: calls go through the provider’s batch interface at half the connection’s rates and are answered within 24 h; OpenAI and Anthropic, single questions only. Absent: `live`.',
    ),
  temperature: z
    .union([z.number().min(0).max(2), z.literal('none')])
    .nullable()
    .default(null)
    .describe('Overrides the profiles’ setting; null keeps it; `none` sends none, so the provider’s default applies.'),
  top_p: z
    .exactOptional(z.number().gt(0).max(1).nullable())
    .describe('Sent with every call of the model; replaces the connection’s. Null or absent: the connection’s, if it has one.'),
  model_seed: z
    .exactOptional(z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable())
    .describe(
      'Sent to the model as its `seed` with every call; replaces the connection’s. Not `coverage.seed`, which chooses the tasks. Null or absent: the connection’s, if it has one.',
    ),
  max_output_tokens: z.int().min(1).max(1_000_000).nullable().default(null).describe('Overrides the profiles’ setting; null keeps it.'),
  system_prompt: z
    .exactOptional(z.string().max(100_000))
    .describe('Replaces the profiles’ system prompt; empty sends none. Absent: as each profile says.'),
  prompt_template: z
    .exactOptional(z.string().min(1).max(100_000))
    .describe(
      'Replaces the template of the one profile chosen, with its fields in braces, e.g. `{question}`. A changed prompt has another `prompt_digest`, so its scores stand apart.',
    ),
  stop: z
    .exactOptional(z.array(z.string().min(1).max(200)).max(4))
    .describe('Replaces the profiles’ stop sequences; empty for none. Absent: as each profile says.'),
  effort: Effort.nullable().default(null).describe('Reasoning effort; null sends none, so the provider’s default applies.'),
  concurrency: z.int().min(1).max(256).nullable().default(null).describe('Max concurrent model calls; null uses the endpoint’s limit.'),
  max_attempts: z.int().min(1).max(10).default(5).describe('Attempts per sample before it counts as failed.'),
  throttle_patience_ms: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(defaultThrottlePatienceMs)
    .describe(
      'How long the run waits without a single answer while the endpoint takes no calls (429, 503, 529), in milliseconds; then it stops. Waiting uses up no attempt.',
    ),
  attempt_timeout_ms: Milliseconds.describe('Timeout of one call; null uses the connection’s.'),
  sample_timeout_ms: Milliseconds.describe('Timeout of one sample, including all attempts and pauses between them.'),
  run_timeout_ms: z
    .int()
    .min(1_000)
    .max(2_592_000_000)
    .nullable()
    .default(null)
    .describe('Timeout of the run, counting execution time only. Samples not started by then are `missing`.'),
  cache: z.boolean().default(false).describe('Reuses answers of earlier cached runs to the same request, epoch, endpoint and model.'),
  evaluators: z
    .array(Uuid)
    .max(10)
    .default([])
    .describe(
      'Evaluator versions that grade every output in addition to the profiles’ metrics. Judge calls are quoted and count toward the spending limit.',
    ),
  max_provider_billed_microusd: MicroUsd.nullable()
    .default(null)
    .describe(
      'Spending limit on what the connection’s provider may bill by its stated rates; the run stops before a call that could exceed it.',
    ),
})

export const QuoteRequest = named('QuoteRequest', {
  model: ModelChoice,
  selection: z
    .strictObject({
      profile_ids: z.array(z.string().min(1).max(300)).min(1).max(50).optional(),
      suite_version_id: Uuid.optional().describe('Refused with `exact_task_suite`: suites run as evaluations.'),
    })
    .describe('Choose profiles whose `quote_availability.status` is `ready_for_quote`.'),
  coverage: Coverage,
  max_charge_microusd: MicroUsd.describe('Spending limit: the most that the run may charge the wallet.'),
  execution: ExecutionSettings.default(() => ExecutionSettings.parse({})),
})

export const CompatibilityCheck = z.strictObject({
  check: z.enum([
    'model_available',
    'model_capabilities',
    'input_limit',
    'output_limit',
    'task_availability',
    'permissions',
    'resources',
    'credit',
  ]),
  profile_id: z.string().nullable().describe('Null when it concerns the whole quote.'),
  status: z.enum(['pass', 'warn', 'fail']),
  detail: z.string(),
})

/** Snapshot of the model at quote time. */
export const ModelSnapshot = named('ModelSnapshot', {
  kind: z.enum(['managed', 'connection', 'imported']).describe('`imported`: answers come from a file; the model is not called.'),
  route_id: z.string().nullable(),
  connection_id: Uuid.nullable(),
  title: z.string(),
  provider: z.string(),
  model: z.string(),
  is_model: z.boolean().describe('False for baselines.'),
  origin: z.string().nullable().describe('Scheme, host and port of a connection’s endpoint.'),
  streaming: z.boolean(),
  request_settings: RequestSettings.optional().describe('Sent with every call; absent where the connection has none.'),
  parameters: EndpointParameters.optional().describe('What the last check found the endpoint to take; absent where it is not known.'),
  rates: Rates.nullable(),
})

export const FrozenProfile = named('FrozenProfile', {
  profile_id: z.string(),
  title: z.string(),
  slug: z.string(),
  benchmark_title: z.string().optional().describe('Title of the benchmark. Absent in quotes and runs made before it was recorded.'),
  source_ref: z.string(),
  version_digest: Sha256,
  prompt_digest: Sha256,
  split: z.enum(['test', 'canonical']),
  shots: z.int(),
  generation: Generation,
  changed: z
    .exactOptional(z.array(z.string()).min(1))
    .describe('What the run sets otherwise than its profile, e.g. `temperature 0.7`. Absent where it is run as it is.'),
  metrics: z.array(Metric),
  chance_level: z.number().nullable(),
  tasks_available: z.int(),
  tasks_selected: z.int(),
})

export const FrozenCoverage = named('FrozenCoverage', {
  mode: z.enum(['sample', 'full', 'exact']).describe('`exact`: the tasks named by an evaluation.'),
  sample_count: z.int().nullable(),
  seed: z.int().nullable(),
  epochs: z.int(),
  task_digest: Sha256.describe(
    'SHA-256 of the frozen list in UTF-8: for each task one line of profile id, tab, task id and line feed; profiles and tasks in frozen order, which is that of the run’s samples in the first epoch.',
  ),
  full_benchmark: z
    .boolean()
    .describe('Whether it contains every task of every benchmark, with no part missing. Of a run: and none was left unasked.'),
  parts: z
    .array(
      z.strictObject({
        profile_id: z.string(),
        by: z.string(),
        present: z.int().min(0).describe('Parts whose data is imported.'),
        missing: z.array(z.string()),
        complete: z.boolean(),
      }),
    )
    .default([])
    .describe('For benchmarks with parts: which of them are imported.'),
})

export const CostComponent = z.strictObject({
  kind: z.enum(['input_tokens', 'output_tokens', 'sandbox_seconds', 'judge_calls', 'user_calls']),
  quantity: z.number().min(0),
  unit: z.string(),
  rate_microusd: z.string().nullable().describe('Per million units, in micro-USD; null where it is not known.'),
  estimated_microusd: MicroUsd.nullable().describe('Null if the rate is unknown; unknown does not mean free.'),
  basis: z.string().describe('How the quantity was determined.'),
  payer: z
    .exactOptional(z.enum(['wallet', 'provider']))
    .describe('Of calls of judges and simulated users: who is charged for them, the wallet or the owner’s account with the provider.'),
  upper_bound_microusd: z
    .exactOptional(MicroUsd.nullable())
    .describe('Of calls of judges and simulated users: upper bound of their cost, null if the rates are unknown.'),
})

export const Quote = named('Quote', {
  id: Uuid,
  status: z.enum(['open', 'expired']),
  created_at: Timestamp,
  expires_at: Timestamp,
  model: ModelSnapshot,
  profiles: z.array(FrozenProfile),
  coverage: FrozenCoverage,
  execution: ExecutionSettings,
  compatibility: z.strictObject({ status: z.enum(['compatible', 'incompatible']), checks: z.array(CompatibilityCheck) }),
  counts: z.strictObject({
    tasks: z.int().min(0),
    samples: z.int().min(0).describe('Number of tasks × epochs.'),
    model_calls: z.int().min(0).describe('Excluding retries.'),
    judge_calls: z.int().min(0),
    sandbox_executions: z.int().min(0),
    input_tokens: z
      .int()
      .min(0)
      .describe('Counted with a real tokenizer over every frozen prompt; files by the rule that their provider states, if it does.'),
    output_tokens_upper_bound: z.int().min(0),
  }),
  cost: z.strictObject({
    components: z.array(CostComponent),
    estimated_charge_microusd: MicroUsd.describe('Expected wallet charge.'),
    upper_bound_microusd: MicroUsd.describe(
      'Sum of the reservations of all calls, retries included: prompt tokens bounded by prompt bytes (no tokenizer produces more), plus max output tokens. A run with this spending limit never reaches it.',
    ),
    max_charge_microusd: MicroUsd,
    provider_billed_estimate_microusd: MicroUsd.nullable().describe(
      'Expected billing by the connection’s provider; 0 for managed routes, null if the rates are unknown.',
    ),
    provider_billed_upper_bound_microusd: MicroUsd.nullable()
      .default(null)
      .describe('Upper bound of billing by the connection’s provider; 0 for managed routes, null if the rates are unknown.'),
    sample_upper_bound_microusd: MicroUsd.nullable()
      .default(null)
      .describe(
        'Upper bound of the cost of the most expensive sample, billed by wallet or provider. A smaller spending limit cannot cover it. Null if the rates are unknown.',
      ),
  }),
  statistics: z
    .array(
      z.strictObject({
        profile_id: z.string(),
        n: z.int(),
        minimum_detectable_difference: z
          .number()
          .nullable()
          .describe(
            'Minimum detectable difference between two models, in [0, 1]: smaller ones are missed with a probability above 20 %, for models that are each right half of the time and err independently. Exact McNemar test for one epoch, t test of task means for several (two-sided 5 % level); epochs at temperature 0 count as one. Null if even the largest difference would be missed.',
          ),
      }),
    )
    .describe('Statistical power of a run of this size.'),
  time: z
    .strictObject({ estimated_seconds: z.int().min(0), basis: z.string() })
    .nullable()
    .default(null)
    .describe(
      'Expected duration for models of files, from tokens per second that were measured on this machine. Null for other models, and until the first measurement has ended: quote again.',
    ),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string(), profile_id: z.string().optional() })),
})

/** What the model would be shown, one task of each profile. */
export const QuoteExamples = named('QuoteExamples', {
  items: z
    .array(
      z.strictObject({
        profile_id: z.string(),
        task_id: z.string().describe('The first frozen task of the profile.'),
        messages: z.array(Message),
      }),
    )
    .max(50)
    .describe('In the order of the profiles. A profile whose prompt has changed since the quote is left out.'),
})

export type Quote = z.infer<typeof Quote>
export type QuoteExamples = z.infer<typeof QuoteExamples>
export type QuoteRequest = z.infer<typeof QuoteRequest>
export type ModelSnapshot = z.infer<typeof ModelSnapshot>
export type FrozenProfile = z.infer<typeof FrozenProfile>
export type FrozenCoverage = z.infer<typeof FrozenCoverage>
export type ExecutionSettings = z.infer<typeof ExecutionSettings>
export type CompatibilityCheck = z.infer<typeof CompatibilityCheck>
export type ModelChoice = z.infer<typeof ModelChoice>
