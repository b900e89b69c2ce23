import { z } from 'zod'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { TuneAuto } from './quotes.schemas.ts'
import { TuneConclusion, TuneGroup } from './race.schemas.ts'
import { TuneSearch } from './search.schemas.ts'
import { mostCases, NewTuneCase, TuneCall, TuneDraft, TuneGrader, TuneObjective } from './draft.schemas.ts'
import { tuneSessionMachine } from './session.machine.ts'

export const NewTuneSession = named('NewTuneSession', {
  name: Name,
  call: TuneCall.optional(),
  grader: TuneGrader.optional(),
  cases: z.array(NewTuneCase).max(mostCases).optional(),
  from_run: z
    .strictObject({
      run_id: Uuid,
      profile_id: z.string().min(1).max(300).optional().describe('Required for a run of several profiles.'),
    })
    .optional()
    .describe(
      `Takes model, prompt, settings, grader and a case for each task of that run, at most ${mostCases}; \`call\`, \`grader\` and \`cases\` beside it come first.`,
    ),
  objective: TuneObjective.default(() => TuneObjective.parse({})),
})

const session = {
  id: Uuid,
  name: Name,
  status: z.enum(tuneSessionMachine.states),
  automation: z.boolean().describe('Created by an agent or a pipeline.'),
  revision: z.int().min(1).describe('Current revision of the draft.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const NewTuneApproval = named('NewTuneApproval', {
  revision: z.int().min(1).describe('The reviewed revision; must be the current one.'),
  comment: z.string().max(5000).optional(),
  auto: TuneAuto.optional().describe('Quotes and starts this group automatically, charged to the session’s creator.'),
})

export const TuneApproval = named('TuneApproval', {
  revision: z.int().min(1),
  by: z.string().describe('Name of the person.'),
  at: Timestamp,
  comment: z.string().nullable(),
  auto: TuneAuto.nullable(),
})

export const TuneBenchmark = named('TuneBenchmark', { slug: z.string(), source_ref: z.string(), profile_id: z.string() })

export const TuneStart = named('TuneStart', { quote_id: Uuid })

export const TuneSession = named('TuneSession', {
  ...session,
  draft: TuneDraft,
  approval: TuneApproval.nullable(),
  benchmark: TuneBenchmark.nullable().describe('The private benchmark; null before approval.'),
  quote_id: Uuid.nullable().describe('The newest quote.'),
  search: TuneSearch.nullable().describe('The newest prompt search.'),
  groups: z.array(TuneGroup).describe('Oldest first.'),
  conclusion: TuneConclusion.nullable().describe('Of the latest group that ended.'),
  job_id: Uuid.nullable().describe('The job that quotes, starts or races for the session.'),
  problem: z.strictObject({ code: z.string(), message: z.string() }).nullable().describe('Why the job failed; null if it did not.'),
})

export const TuneSessionListItem = named('TuneSessionListItem', {
  ...session,
  case_count: z.int().min(0),
  conclusion: TuneConclusion.nullable(),
})

export type NewTuneSession = z.infer<typeof NewTuneSession>
export type TuneSession = z.infer<typeof TuneSession>
export type NewTuneApproval = z.infer<typeof NewTuneApproval>
export type TuneApproval = z.infer<typeof TuneApproval>
export type TuneBenchmark = z.infer<typeof TuneBenchmark>
export type TuneSessionListItem = z.infer<typeof TuneSessionListItem>
