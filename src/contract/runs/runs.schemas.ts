import { z } from 'zod'
import { AnnotationSummary } from '../annotations/annotations.schemas.ts'
import { MicroUsd, Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { ExecutionSettings, FrozenCoverage, FrozenProfile, ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { Accounting } from './accounting.schemas.ts'
import { type PauseCode, pauseCodes } from './failure-codes.ts'
import { Estimate } from './results.schemas.ts'
import { runMachine } from './run.machine.ts'

export const NewRun = named('NewRun', { quote_id: Uuid.describe('The reviewed quote.'), name: Name })

/** Counts of samples. The five outcomes and the two open states add up to `frozen`. */
export const RunProgress = named('RunProgress', {
  frozen: z.int().min(0).describe('Samples selected for the run.'),
  scored: z.int().min(0),
  failed: z.int().min(0),
  excluded: z.int().min(0),
  missing: z.int().min(0),
  cancelled: z.int().min(0),
  pending: z.int().min(0).describe('Not started yet.'),
  active: z.int().min(0).describe('In flight or waiting to be graded.'),
  completed: z.int().min(0).describe('Samples that were processed: scored, failed or excluded. Missing and cancelled samples are not.'),
  errors: z.int().min(0).describe('Processed samples that failed.'),
  retries: z.int().min(0).describe('Attempts beyond the first of each sample, those of parts included.'),
  cached: z.int().min(0).describe('Samples answered from the cache.'),
  failures: z.array(z.strictObject({ code: z.string(), count: z.int().min(1) })).describe('Failed samples by code, most frequent first.'),
  samples_per_second: z
    .number()
    .nullable()
    .describe('Samples scored per second, recently; failures do not count. Null while nothing is scored.'),
  seconds_left: z.number().nullable().describe('Estimate from that speed; null if unknown.'),
})

/** Current activity of an executing run and use of its endpoint. */
export const RunActivity = named('RunActivity', {
  concurrency: z.int().min(1).nullable().describe('Max concurrency of the run; null: the endpoint’s limit.'),
  requesting: z.int().min(0).describe('Samples in flight or queued for the endpoint.'),
  backing_off: z.int().min(0).describe('Samples waiting before a retry.'),
  grading: z.int().min(0).describe('Answers waiting to be graded.'),
  waited_ms: z.number().min(0).describe('Total milliseconds that its calls have waited for the endpoint.'),
  blocked: z.string().nullable().describe('Why storage is unavailable and calls are paused, e.g. a full disk; null otherwise.'),
  endpoint: z.strictObject({
    limit: z.int().min(0).describe('Adaptive concurrency limit at the moment.'),
    most: z.int().min(1).describe('Max concurrency of the connection.'),
    active: z.int().min(0),
    waiting: z.int().min(0),
    throttled: z.int().min(0).describe('Calls that the endpoint did not take (429, 503, 529, or failures of most calls).'),
    slowed: z.int().min(0).describe('How often the limit was lowered because of rising latency.'),
    runs: z.int().min(0).describe('Runs that share it.'),
    pause_ms: z.number().min(0).describe('Milliseconds left of the pause before the endpoint is tried again; 0 without one.'),
    outage: z
      .strictObject({
        since: Timestamp,
        code: z.string().describe('How calls failed, e.g. `unreachable`.'),
        message: z.string(),
        probes: z.int().min(0).describe('Failed probes.'),
        next_probe_at: Timestamp.nullable().describe('Null while a probe is under way.'),
      })
      .nullable()
      .describe('Null while the endpoint answers.'),
    rate_wait_ms: z.number().min(0).describe('Milliseconds until its request or token rate allows the next call; 0 if it does now.'),
  }),
})

/** Why a run that has not ended waits, and for how long. `POST /v1/runs/{run_id}/resume` ends the wait. */
export const RunPause = named('RunPause', {
  code: z.enum(Object.keys(pauseCodes) as [PauseCode, ...PauseCode[]]), // Object.keys has the keys it was given
  waits_for: z
    .enum(['model', 'judge', 'scorer'])
    .describe('What takes no calls. Answers wait for the verdicts of a judge or remote scorer; the model is called meanwhile.'),
  message: z.string().describe('What happened and what ends the wait.'),
  since: Timestamp.nullable().describe('Null if unknown.'),
  gives_up_at: Timestamp.nullable().describe(
    'When the run stops, or continues without the verdicts of the judge or scorer, unless a call is answered by then; null if it waits for as long as it takes. Set by `execution.throttle_patience_ms`.',
  ),
  next_attempt_at: Timestamp.nullable().describe('Next automatic retry; null during a retry, or if a person must resume.'),
})

/** A retry of some samples of a run: a separate run linked to it. */
export const RunPart = named('RunPart', {
  run_id: Uuid.describe('Run id of the part; it is read, followed and cancelled like any run.'),
  selection: z.enum(['failed', 'chosen']).describe('Every unscored sample, or the ones that the request named.'),
  status: z.enum(runMachine.states),
  samples: z.int().min(0),
  result_version: z.int().min(1).nullable().describe('Result version of this run that includes its scores; null when none does.'),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
})

/** Score of a run on one of its profiles. */
export const RunScore = named('RunScore', {
  profile_id: z.string(),
  metric: z.string().describe('The primary metric, as in `metrics` of the results.'),
  title: z.string().describe('Title of the metric.'),
  estimate: Estimate,
  biased: z.boolean().describe('Whether the model’s own results chose the tasks; the score then does not measure the model.'),
})

const reason = z.strictObject({ code: z.string(), message: z.string() })

export const Run = named('Run', {
  id: Uuid,
  name: Name,
  status: z.enum(runMachine.states),
  quote_id: Uuid.nullable().describe('Null for imported answers, which have no quote.'),
  answers: z
    .enum(['model', 'imported'])
    .describe('`imported`: the answers came from files and were graded here; nothing was called or charged.'),
  answers_digest: Sha256.nullable().describe('SHA-256 over the imported files; null where the model answered.'),
  model: ModelSnapshot,
  profiles: z.array(FrozenProfile),
  coverage: FrozenCoverage,
  execution: ExecutionSettings,
  progress: RunProgress,
  accounting: Accounting,
  result_version: z
    .int()
    .min(1)
    .nullable()
    .describe('Latest result version, null until the run has ended. Null for a part: its scores go into the run’s next version.'),
  scores: z
    .array(RunScore)
    .describe('Primary score of each profile in the latest result, in the order of `profiles`; empty without a result.'),
  part_of: Uuid.nullable().describe('The run whose samples this one retries.'),
  parts: z.array(RunPart).describe('Oldest first.'),
  regrade: z
    .strictObject({
      result_version: z.int().min(2),
      graded: z.int().min(0),
      samples: z.int().min(0),
      job_id: Uuid.nullable().describe('The job that grades; null until it is queued.'),
    })
    .nullable()
    .describe('The regrade in progress and the result version that it creates.'),
  activity: RunActivity.nullable().describe('Null unless the run is executing.'),
  pause: RunPause.nullable().describe('Null unless the run is paused.'),
  annotations: AnnotationSummary.describe('Bookmark, tags and notes of the run itself, not of its samples.'),
  archived_at: Timestamp.nullable().describe('Archived runs are listed only with `archived=true`.'),
  pinned_at: Timestamp.nullable().describe('Since when it is a pinned baseline; null: it is none.'),
  stop_reason: reason
    .nullable()
    .describe(
      'Why not every sample was scored: on every failed or partial run. `samples_failed`: the run completed, but some samples failed.',
    ),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
})

/** A batch that a run in batch mode has given to its provider. */
export const RunBatch = named('RunBatch', {
  provider_batch_id: z.string().nullable().describe('Null while it is submitted, or where its submission was cut off.'),
  state: z.enum(['begun', 'submitted', 'ended']).describe('`ended`: its results were read, or it was cancelled.'),
  calls: z.int().min(0),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
})
export type RunBatch = z.infer<typeof RunBatch>

const raised = 'Can only be raised. A run that the limit stopped then runs its missing samples.'

/** Changes to a run; absent fields keep their values. */
export const RunChanges = named('RunChanges', {
  name: Name.optional(),
  archived: z.boolean().optional(),
  pinned: z.boolean().optional().describe('Whether it is a baseline that is offered first where runs are compared.'),
  concurrency: z.int().min(1).max(1024).nullable().optional().describe('New max concurrency; null: the endpoint’s limit.'),
  max_charge_microusd: MicroUsd.optional().describe(`Spending limit on what the wallet is charged. ${raised}`),
  max_provider_billed_microusd: MicroUsd.optional().describe(`Spending limit on what the provider may bill. ${raised}`),
})

export const SamplesToRetry = named('SamplesToRetry', {
  sample_ids: z.array(Uuid).min(1).max(10_000).describe('Samples of the run, with any status.'),
})

/** Grader changes; metrics that are not named are regraded with the current version of their scorer. */
export const Regrade = z
  .strictObject({
    metrics: z
      .array(
        z.strictObject({
          profile_id: z.string().max(300),
          metric: z.string().max(100).describe('Id of one of the profile’s metrics.'),
          scorer: z.string().max(200).optional().describe('Another scorer; absent keeps it.'),
          options: z.record(z.string(), z.unknown()).optional().describe('Replaces all of the scorer’s options; absent keeps them.'),
        }),
      )
      .max(100)
      .optional(),
    evaluator_version_id: Uuid.optional().describe(
      'Adds this evaluator’s metric without changing other scores; cannot be combined with `metrics`.',
    ),
    regrade_quote_id: Uuid.optional().describe('Required for an evaluator that calls judges.'),
  })
  .superRefine((regrade, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (regrade.metrics !== undefined && regrade.evaluator_version_id !== undefined)
      refuse('metrics', 'give either metrics or evaluator_version_id, not both')
    if (regrade.regrade_quote_id !== undefined && regrade.evaluator_version_id === undefined)
      refuse('regrade_quote_id', 'belongs to an evaluator_version_id')
  })
  .meta({ id: 'Regrade' })

export const NewRegradeQuote = named('NewRegradeQuote', {
  evaluator_version_id: Uuid,
  max_charge_microusd: MicroUsd.describe('Spending limit of its judge calls.'),
})

export const RegradeQuote = named('RegradeQuote', {
  id: Uuid,
  run_id: Uuid,
  evaluator_version_id: Uuid,
  outputs: z.int().min(0).describe('Stored answers that would be graded.'),
  judge_calls: z.int().min(0).describe('Excluding retries and repair prompts.'),
  estimated_microusd: MicroUsd.nullable().describe('Null where a judge’s rates are not known.'),
  upper_bound_microusd: MicroUsd.nullable().describe('Cost if every reply used max output tokens.'),
  max_charge_microusd: MicroUsd,
  created_at: Timestamp,
  expires_at: Timestamp,
})

export const runSorts = [
  'created',
  '-created',
  'score',
  '-score',
  'name',
  '-name',
  'samples',
  '-samples',
  '-bookmarked',
  '-pinned',
] as const
export type RunSort = (typeof runSorts)[number]

export const SubmittedRun = named('SubmittedRun', { run_id: Uuid, run: Run })

/** One event of a run’s stream. */
export const RunEvent = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('progress'),
      status: z.enum(runMachine.states),
      progress: RunProgress,
      accounting: Accounting,
      activity: RunActivity.nullable(),
      pause: RunPause.nullable(),
    }),
    z.strictObject({
      type: z.literal('scores'),
      profiles: z.array(z.strictObject({ profile_id: z.string(), metric: z.string(), n: z.int(), mean: z.number().nullable() })),
      at: Timestamp,
    }),
    z.strictObject({ type: z.literal('end'), status: z.enum(runMachine.states), result_version: z.int().nullable() }),
  ])
  .meta({ id: 'RunEvent' })

export type Run = z.infer<typeof Run>
export type RunProgress = z.infer<typeof RunProgress>
export type RunActivity = z.infer<typeof RunActivity>
export type RunPause = z.infer<typeof RunPause>
export type RunPart = z.infer<typeof RunPart>
export type RunChanges = z.infer<typeof RunChanges>
export type Regrade = z.infer<typeof Regrade>
export type NewRegradeQuote = z.infer<typeof NewRegradeQuote>
export type RegradeQuote = z.infer<typeof RegradeQuote>
export type RunEvent = z.infer<typeof RunEvent>
