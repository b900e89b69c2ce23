import { z } from 'zod'
import { Name, Timestamp, Uuid } from '../primitives.ts'
import { mostCases, NewTuneCase, TuneCall, TuneDraft, TuneGrader, TuneObjective } from './draft.schemas.ts'
import { tuneSessionMachine } from './session.machine.ts'

export const NewTuneSession = z
  .strictObject({
    name: Name,
    call: TuneCall.optional(),
    grader: TuneGrader.optional(),
    cases: z.array(NewTuneCase).max(mostCases).optional(),
    objective: TuneObjective.default(() => TuneObjective.parse({})),
  })
  .meta({ id: 'NewTuneSession' })

const session = {
  id: Uuid,
  name: Name,
  status: z.enum(tuneSessionMachine.states),
  automation: z.boolean().describe('Created by an agent or a pipeline.'),
  revision: z.int().min(1).describe('Current revision of the draft.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const TuneSession = z.strictObject({ ...session, draft: TuneDraft }).meta({ id: 'TuneSession' })

export const TuneSessionListItem = z.strictObject({ ...session, case_count: z.int().min(0) }).meta({ id: 'TuneSessionListItem' })

export type NewTuneSession = z.infer<typeof NewTuneSession>
export type TuneSession = z.infer<typeof TuneSession>
export type TuneSessionListItem = z.infer<typeof TuneSessionListItem>
