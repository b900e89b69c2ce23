import { z } from 'zod'
import { Effort } from '../catalog/models.schemas.ts'
import { MicroUsd, named, Timestamp, Uuid } from '../primitives.ts'
import { ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { TunePrompt } from './search.schemas.ts'

/** Reason for an arm's verdict. */
export const armReasons = {
  pending: 'Still racing.',
  noninferior: 'Not worse by the margin or more.',
  futile: 'Even if it is somewhat better than measured, it has little chance of being accepted.',
  worse: 'Worse by the margin or more.',
  superior: 'Better than the current call, at a price within the stated factor.',
  not_better: 'Not better than the current call, and not cheaper.',
  not_cheaper: 'Does not cost less than the current call.',
  not_needed: 'A cheaper arm has been accepted.',
  missing: 'More than 5 % of the cases have no score, of this arm or of the current one.',
  inconclusive: 'Every case was run and the difference is still uncertain.',
  cancelled: 'The session was cancelled.',
} as const
export const ArmReason = z.enum(Object.keys(armReasons) as [keyof typeof armReasons, ...(keyof typeof armReasons)[]]) // Object.keys has the keys it was given

/** One look at a candidate. */
export const TuneLook = named('TuneLook', {
  look: z.int().min(1),
  n: z.int().min(0).describe('Cases of the look, missing ones included.'),
  share: z.number().gt(0).max(1).describe('Of all cases.'),
  missing: z.int().min(0).describe('Cases without a score of this arm or of the current one.'),
  difference: Estimate.describe(
    'Candidate minus current as the test counts it: a missing score is 0 for the candidate and 1 for the current. The interval belongs to the bound of this look: its lower end lies above minus the margin exactly where the candidate is accepted, and above 0 where it is tested for being better.',
  ),
  z: z.number().nullable(),
  bound: z.number().describe('z that accepts at this look.'),
  conditional_power: z.number().min(0).max(1),
  at: Timestamp,
})

const Money = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('Micro-USD, with decimals.')

export const TuneArm = named('TuneArm', {
  label: z.string(),
  current: z.boolean().describe('The current call, which every candidate is compared with.'),
  model: ModelSnapshot,
  effort: Effort.nullable(),
  prompt: TunePrompt.nullable().describe('Null: the prompt of the call.'),
  run_id: Uuid,
  run_status: z.string().describe('Of its run; `stopped_early` when the race ended it, `cancelling` until the calls in flight have ended.'),
  unreachable: z
    .strictObject({ since: Timestamp, message: z.string(), until: Timestamp.describe('The race stops waiting then.') })
    .nullable()
    .describe('While its model does not answer.'),
  cases_run: z.int().min(0).describe('Cases with an answer or a failure so far, those beyond its last look included.'),
  verdict: z.enum(['accepted', 'dropped', 'undecided']).nullable().describe('Null for the current call.'),
  reason: ArmReason.nullable(),
  detail: z.string().nullable().describe('Reason as text.'),
  n: z.int().min(0).describe('Cases with a score.'),
  missing: z.int().min(0).describe('Cases run without a score; excluded from the quality.'),
  quality: Estimate,
  difference: Estimate.nullable().describe('Quality minus that of the current call, on cases scored in both; two-sided 95 %.'),
  looks: z.array(TuneLook),
  cost_per_case_microusd: Money.nullable().describe('Measured, reasoning tokens and retries included; null where rates are unknown.'),
  cost_difference_microusd: z
    .strictObject({ mean: z.number(), upper: z.number().describe('One-sided 95 % bound.'), n: z.int() })
    .nullable()
    .describe('Per case, candidate minus current, on the same cases.'),
  latency: z
    .strictObject({ p50_ms: z.number().nullable(), p95_ms: z.number().nullable(), p95_upper_ms: z.number().nullable() })
    .describe('`p95_upper_ms`: one-sided 97.5 % bound; null with fewer than 72 answers.'),
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd.nullable(),
})

export const conclusionReasons = ['recommended', 'none_accepted', 'none_cheaper', 'rates_unknown', 'too_slow', 'unusable'] as const

export const TuneConclusion = named('TuneConclusion', {
  group_id: Uuid,
  recommended: z.string().nullable().describe('Label of an arm; null: keep the current call.'),
  reason: z.enum(conclusionReasons),
  better: z
    .string()
    .nullable()
    .optional()
    .describe('Label of the arm that was shown to be better at a price within the factor; absent where none was looked for.'),
  text: z.string().describe('One sentence for people, two where an arm is cheaper and another is better.'),
  cases_needed: z.int().min(1).optional().describe('Estimated cases needed to decide about the most promising arm.'),
  cautions: z.array(z.string()),
})

export const TuneGroup = named('TuneGroup', {
  id: Uuid,
  number: z.int().min(1),
  quote_id: Uuid,
  mode: z.enum(['race', 'full']),
  status: z.enum(['running', 'complete', 'partial', 'failed', 'cancelled']),
  exploratory: z.boolean().describe('Beyond the planned groups: its error rate is not controlled.'),
  alpha: z.number().describe('One-sided error of the group.'),
  margin: z.number(),
  cases: z.int().min(1),
  looks: z.array(z.int().min(1)).describe('Cases after each look.'),
  looks_done: z.int().min(0),
  arms: z.array(TuneArm).describe('The current call first.'),
  max_charge_microusd: MicroUsd,
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd.nullable(),
  saved: z
    .strictObject({ calls: z.int().min(0), microusd: Money.nullable() })
    .describe('Calls saved by deciding arms early, and their cost at each arm’s measured cost per case.'),
  conclusion: TuneConclusion.nullable(),
  job_id: Uuid,
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export type TuneLook = z.infer<typeof TuneLook>
export type TuneArm = z.infer<typeof TuneArm>
export type ArmReason = z.infer<typeof ArmReason>
export type TuneConclusion = z.infer<typeof TuneConclusion>
export type TuneGroup = z.infer<typeof TuneGroup>
