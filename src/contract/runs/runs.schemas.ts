import { z } from 'zod'
import { MicroUsd, Name, Timestamp, Uuid } from '../primitives.ts'
import { ExecutionSettings, FrozenCoverage, FrozenProfile, ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { accountingMachine, runMachine } from './run.machine.ts'

export const NewRun = z.strictObject({ quote_id: Uuid.describe('The reviewed quote.'), name: Name }).meta({ id: 'NewRun' })

/** Counts of samples. The five outcomes and the two open states add up to `frozen`. */
export const RunProgress = z
  .strictObject({
    frozen: z.int().min(0).describe('Samples that the run was frozen with.'),
    scored: z.int().min(0),
    failed: z.int().min(0),
    excluded: z.int().min(0),
    missing: z.int().min(0),
    cancelled: z.int().min(0),
    pending: z.int().min(0).describe('Not asked yet.'),
    active: z.int().min(0).describe('Being asked or waiting to be graded.'),
    completed: z.int().min(0).describe('Samples processed to an end, whatever it was.'),
    errors: z.int().min(0).describe('Processed samples that ended without a score.'),
    retries: z.int().min(0).describe('Attempts beyond the first.'),
    samples_per_second: z.number().nullable().describe('Over the last seconds; null while nothing finishes.'),
    seconds_left: z.number().nullable().describe('At that speed; null where it cannot be told.'),
  })
  .meta({ id: 'RunProgress' })

export const Accounting = z
  .strictObject({
    state: z.enum(accountingMachine.states),
    held_microusd: MicroUsd,
    charged_microusd: MicroUsd.describe('Metered so far; final once settled.'),
    max_charge_microusd: MicroUsd,
    provider_billed_estimate_microusd: MicroUsd.nullable().describe(
      'What a connection’s provider may bill by itself, from its stated rates.',
    ),
    possibly_billed_twice: z
      .int()
      .min(0)
      .describe('Calls that were in flight when the service was stopped: the provider may have billed them and their repetition.'),
  })
  .meta({ id: 'Accounting' })

const reason = z.strictObject({ code: z.string(), message: z.string() })

export const Run = z
  .strictObject({
    id: Uuid,
    name: Name,
    status: z.enum(runMachine.states),
    quote_id: Uuid,
    model: ModelSnapshot,
    profiles: z.array(FrozenProfile),
    coverage: FrozenCoverage,
    execution: ExecutionSettings,
    progress: RunProgress,
    accounting: Accounting,
    result_version: z.int().min(1).nullable().describe('Latest result version, null until the run has ended.'),
    stop_reason: reason.nullable().describe('Why a run ended before all its samples were scored.'),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Run' })

export const SubmittedRun = z.strictObject({ run_id: Uuid, run: Run }).meta({ id: 'SubmittedRun' })

/** One event of a run’s stream. */
export const RunEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('progress'), status: z.enum(runMachine.states), progress: RunProgress, accounting: Accounting }),
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
export type Accounting = z.infer<typeof Accounting>
export type RunEvent = z.infer<typeof RunEvent>
