import { z } from 'zod'
import { Effort } from '../catalog/models.schemas.ts'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { tuneMonitorMachine, tuneOccurrenceMachine } from './monitor.machine.ts'

export const TuneMonitorTarget = named('TuneMonitorTarget', {
  model: ModelChoice,
  effort: Effort.nullable().default(null).describe('Null sends none.'),
  prompt: z
    .strictObject({ profile_id: z.string().min(1).max(300) })
    .optional()
    .describe('A private profile with the same cases and another prompt, e.g. of a session’s candidate.'),
})

const Baseline = z.union([
  z.strictObject({ group_id: Uuid, arm: z.string().min(1).max(200).describe('Its label.') }),
  z.strictObject({ run_id: Uuid.describe('An ended run of the same benchmark.') }),
])

const Stream = named('TuneMonitorStream', {
  tolerance: z.number().min(0).max(0.5).default(0.02).describe('Accepted drop of the mean score below the baseline’s lower 95 % bound.'),
  false_alarm_every: z
    .int()
    .min(100)
    .max(100_000_000)
    .default(10_000)
    .describe(
      'Mean number of outputs between false alarms is at least this while each output, whatever came before it, is expected to score at least the floor (Shin, Ramdas, Rinaldo 2023). Outputs of one `cluster` give one score.',
    ),
})

const Schedule = z.enum(['hour', 'day', 'week']).describe('Counted from creation, in UTC. A missed run is made up once.')

export const NewTuneMonitor = named('NewTuneMonitor', {
  name: Name,
  session_id: Uuid.optional().describe('Session whose private benchmark is run. Exactly one of `session_id` and `profile_id`.'),
  profile_id: z.string().min(1).max(300).optional().describe('The benchmark profile to run.'),
  target: TuneMonitorTarget.optional().describe(
    'Monitored model; defaults to the session’s recommended or current call, or the baseline’s model.',
  ),
  baseline: Baseline.describe('Baseline for the benchmark and the outputs.'),
  margin: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('Largest loss of quality that counts as `ok`, on the scale of the scores (0 to 1).'),
  confidence: z.number().min(0.8).max(0.999).default(0.99).describe('Of the interval for the paired difference.'),
  schedule: Schedule.optional(),
  evaluator_version_id: Uuid.optional().describe('Grades outputs sent as workloads; when absent the session’s evaluator.'),
  stream: Stream.default(() => Stream.parse({})),
  max_charge_microusd: MicroUsd.describe('Spending limit of one occurrence, charged to the wallet.'),
  max_provider_billed_microusd: MicroUsd.optional().describe('Limit of what providers of connections may bill for one occurrence.'),
  max_monthly_microusd: MicroUsd.describe(
    'Spending limit of all occurrences of a calendar month, UTC: what the wallet is charged and what providers of connections that state rates bill.',
  ),
})

const verdict = z.enum(['improvement', 'ok', 'regression', 'inconclusive'])
const skipReason = z.enum(['paused', 'cap_reached', 'superseded', 'unauthorized'])
const signed = z.number().min(-1).max(1)

export const TuneOccurrence = named('TuneOccurrence', {
  id: Uuid,
  monitor_id: Uuid,
  kind: z.enum(['event', 'workload']),
  trigger: z.strictObject({
    type: z.enum(['release', 'model_change', 'schedule', 'manual', 'outputs', 'traces', 'integration']),
    key: z.string().nullable().describe('Event key chosen by the sender.'),
    model: z.string().nullable(),
    ref: z.string().nullable(),
    note: z.string().nullable(),
    occurred_at: Timestamp,
  }),
  status: z.enum(tuneOccurrenceMachine.states),
  skip_reason: skipReason.nullable(),
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  verdict: verdict.nullable(),
  reason: z.string().nullable().describe('Reason for the verdict or the skip, in one sentence.'),
  run_id: Uuid.nullable().describe('Of an event: the run of the benchmark.'),
  job_id: Uuid,
  n: z.int().min(0).nullable().describe('Paired cases of an event, or new outputs of a workload.'),
  unscored: z.int().min(0).nullable(),
  duplicates: z.int().min(0).nullable().describe('Known outputs of a workload, which were skipped.'),
  conflicting_ids: z
    .array(z.string())
    .describe('Of a workload: ids that are known with another input, output or expected answer; at most 100. The first content counts.'),
  difference: z
    .strictObject({ estimate: signed, low: signed, high: signed, level: z.number(), method: z.string() })
    .nullable()
    .describe('Of an event: quality minus the baseline’s, paired by case.'),
  detector: z
    .strictObject({
      floor: z.number().describe('m₀: mean above which there is no drift. At or below 0 no drift can be detected.'),
      ceiling: z.number(),
      alarm_at: z.int().describe('A: the detector raises an alarm when it reaches this.'),
      mean: z.number().min(0).max(1).nullable().describe('Of the scores.'),
      interval: Estimate.shape.interval.describe('Of the mean: 95 %, two-sided; null for fewer than two scores.'),
      path: z
        .array(
          z.strictObject({
            output: z.int().min(1).describe('Position among all scores of the monitor.'),
            fall: z.number().min(0),
            rise: z.number().min(0),
          }),
        )
        .describe('After outputs of this workload, at most 200 points, alarms among them.'),
      alarms: z.array(
        z.strictObject({
          kind: z.enum(['regression', 'improvement']),
          output: z.int().min(1),
          at: Timestamp,
          outputs: z
            .array(z.strictObject({ id: z.string(), value: z.number(), input: z.string(), output: z.string(), explanation: z.string() }))
            .describe('Most influential of the last 200 outputs before the alarm; at most 20, each text truncated to 2,000 characters.'),
        }),
      ),
    })
    .nullable()
    .describe('Of a workload.'),
  spent_microusd: MicroUsd.describe('Charged to the wallet.'),
  provider_billed_microusd: MicroUsd.describe('Billed by providers of connections that state rates.'),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export const TuneMonitor = named('TuneMonitor', {
  id: Uuid,
  name: Name,
  status: z.enum(tuneMonitorMachine.states),
  session_id: Uuid.nullable(),
  profile_id: z.string(),
  target: TuneMonitorTarget,
  baseline: z.strictObject({
    run_id: Uuid,
    group_id: Uuid.nullable(),
    arm: z.string().nullable(),
    n: z.int().min(0),
    mean: z.number().nullable(),
    low: z.number().nullable().describe('Lower bound of the two-sided 95 % interval.'),
    high: z.number().nullable(),
  }),
  margin: z.number(),
  confidence: z.number(),
  schedule: Schedule.nullable(),
  next_run_at: Timestamp.nullable().describe('Of the schedule; null while it is not active.'),
  evaluator_version_id: Uuid.nullable(),
  stream: Stream,
  max_charge_microusd: MicroUsd,
  max_provider_billed_microusd: MicroUsd.nullable(),
  max_monthly_microusd: MicroUsd,
  spent_this_month_microusd: MicroUsd.describe(
    'Of this calendar month, UTC, by wallet and providers, with what running occurrences set aside.',
  ),
  outputs_seen: z.int().min(0).describe('Scores of all workloads; outputs of one cluster give one.'),
  last_verdict: verdict.nullable(),
  last_occurrence: z.strictObject({ id: Uuid, status: z.enum(tuneOccurrenceMachine.states), at: Timestamp }).nullable(),
  created_at: Timestamp,
})

export const TuneMonitorPatch = named('TuneMonitorPatch', { status: z.enum(tuneMonitorMachine.states) })

const Text = z.string().min(1).max(500)

export const TuneMonitorEvent = named('TuneMonitorEvent', {
  type: z.enum(['release', 'model_change', 'schedule', 'manual']),
  key: z.string().min(1).max(200).optional().describe('A known key returns the earlier occurrence; with other content it is refused.'),
  model: Text.optional().describe('What changed, in the sender’s words; recorded.'),
  ref: Text.optional().describe('A commit or a build; recorded.'),
  note: z.string().max(5000).optional(),
  occurred_at: Timestamp.optional(),
})

/** Outputs of one request. */
const mostOutputs = 1000
const longText = z.string().max(256 * 1024)

export const TuneWorkload = z
  .union([
    z.strictObject({
      outputs: z
        .array(
          z.strictObject({
            id: z
              .string()
              .min(1)
              .max(200)
              .optional()
              .describe(
                'A known id is skipped, and listed in `conflicting_ids` where its content is another; without one, equal input and output are skipped.',
              ),
            input: longText,
            output: longText,
            expected: z.union([longText, z.array(longText).min(1).max(100)]).optional(),
            at: Timestamp.optional().describe('When it was generated; outputs are graded in this order. Defaults to now.'),
            cluster: z
              .string()
              .min(1)
              .max(200)
              .optional()
              .describe('Outputs of one cluster depend on one another, e.g. one conversation. The detector counts their mean once.'),
          }),
        )
        .min(1)
        .max(mostOutputs),
    }),
    z.strictObject({ trace_ids: z.array(Uuid).min(1).max(mostOutputs) }),
    z
      .strictObject({ integration_id: Uuid, from: Timestamp, to: Timestamp })
      .describe('Stored traces of an integration that started in the window; at most 10,000, the newest.'),
  ])
  .meta({ id: 'TuneWorkload' })

export const TuneOccurrenceAccepted = named('TuneOccurrenceAccepted', {
  occurrence_id: Uuid,
  status: z.enum(tuneOccurrenceMachine.states),
  duplicate: z.boolean().describe('Whether the key was known and this is the earlier occurrence.'),
})

export type TuneMonitorTarget = z.infer<typeof TuneMonitorTarget>
export type NewTuneMonitor = z.infer<typeof NewTuneMonitor>
export type TuneMonitor = z.infer<typeof TuneMonitor>
export type TuneMonitorEvent = z.infer<typeof TuneMonitorEvent>
export type TuneOccurrence = z.infer<typeof TuneOccurrence>
export type TuneOccurrenceAccepted = z.infer<typeof TuneOccurrenceAccepted>
export type TuneWorkload = z.infer<typeof TuneWorkload>
