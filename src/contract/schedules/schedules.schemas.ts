import { z } from 'zod'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { RunGroupQuoteRequest } from '../run-groups/run-groups.schemas.ts'
import { scheduleMachine, scheduleOccurrenceMachine } from './schedule.machine.ts'

const CronText = z
  .string()
  .max(200)
  .describe(
    'Minute, hour, day of month, month and day of week, as in cron: numbers, `*`, lists, ranges, steps, names such as `mon`. At most four times an hour.',
  )
  .meta({ example: '30 6 * * mon-fri' })
const TimeZone = z
  .string()
  .min(1)
  .max(100)
  .describe('IANA name. A time that summer time leaves out is taken at the change.')
  .meta({ example: 'Europe/Berlin' })
const MonthlyLimit = MicroUsd.describe(
  'Spending limit of all occurrences of a calendar month, UTC: what the wallet is charged and what providers bill. When the next occurrence could exceed it, the schedule is paused.',
)

export const NewSchedule = named('NewSchedule', {
  name: Name,
  cron: CronText,
  time_zone: TimeZone.default('UTC'),
  terms: RunGroupQuoteRequest.describe('Quoted now, and again at each time; its spending limits are those of one occurrence.'),
  max_monthly_microusd: MonthlyLimit,
})

export const FrozenTerms = z
  .strictObject({
    model_calls: z.int().min(0),
    upper_bound_microusd: MicroUsd.describe('Most that one occurrence can charge the wallet.'),
    provider_billed_upper_bound_microusd: MicroUsd.nullable().describe('Null where the rates of a connection are unknown.'),
    profiles: z.array(z.strictObject({ profile_id: z.string(), version_digest: z.string(), prompt_digest: z.string(), tasks: z.int() })),
  })
  .describe('What was quoted when the schedule was created. An occurrence that would ask something else, or could cost more, pauses it.')

const PauseReason = z.enum(['person', 'cap_reached', 'unauthorized', 'terms_changed'])
const OccurrenceReason = z.enum(['cap_reached', 'unauthorized', 'terms_changed', 'still_running', 'paused', 'refused', 'gave_up'])

export const ScheduleOccurrence = named('ScheduleOccurrence', {
  id: Uuid,
  schedule_id: Uuid,
  due_at: Timestamp.describe('Of several that were missed while the service was off, the first.'),
  missed_times: z
    .int()
    .min(0)
    .describe(
      'Times of the calendar that passed before this run began, such as while the service was off, and that it replaces; at most 10,000 are counted.',
    ),
  status: z.enum(scheduleOccurrenceMachine.states),
  reason: OccurrenceReason.nullable().describe('Why it was skipped or failed; `gave_up`: a temporary fault lasted through all tries.'),
  message: z.string().nullable(),
  run_group_id: Uuid.nullable(),
  spent_microusd: MicroUsd.describe('By wallet and providers; while it runs, what it can cost at most.'),
  created_at: Timestamp,
})

export const Schedule = named('Schedule', {
  id: Uuid,
  name: Name,
  status: z.enum(scheduleMachine.states),
  pause_reason: PauseReason.nullable(),
  pause_message: z.string().nullable(),
  cron: CronText,
  time_zone: TimeZone,
  terms: RunGroupQuoteRequest,
  frozen: FrozenTerms,
  next_run_at: Timestamp.nullable().describe('Null while it is not active.'),
  max_monthly_microusd: MonthlyLimit,
  spent_this_month_microusd: MicroUsd.describe('Of this calendar month, UTC, with what running occurrences can still cost.'),
  last_occurrence: ScheduleOccurrence.nullable(),
  created_at: Timestamp,
})

export const ScheduleChanges = z
  .strictObject({
    name: Name.optional(),
    status: z.enum(scheduleMachine.states).optional(),
    max_monthly_microusd: MicroUsd.optional().describe('New limit; whoever raises it needs the right to spend as much.'),
  })
  .refine(body => Object.keys(body).length > 0, 'nothing to change: give at least one field')
  .meta({ id: 'ScheduleChanges' })

export type NewSchedule = z.infer<typeof NewSchedule>
export type FrozenTerms = z.infer<typeof FrozenTerms>
export type Schedule = z.infer<typeof Schedule>
export type ScheduleChanges = z.infer<typeof ScheduleChanges>
export type ScheduleOccurrence = z.infer<typeof ScheduleOccurrence>
