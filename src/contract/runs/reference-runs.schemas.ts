import { z } from 'zod'
import { named, Uuid } from '../primitives.ts'
import { Estimate } from './results.schemas.ts'

/** A run to read a score beside. */
export const ReferenceRun = named('ReferenceRun', {
  profile_id: z.string().describe('Profile of the score that it is read beside.'),
  role: z.enum(['previous', 'baseline']).describe('`previous`: an earlier run of a model. `baseline`: a run of another baseline.'),
  same_tasks: z.boolean().describe('Whether it covers the same tasks of the same version. Scores over other tasks can’t be compared.'),
  run_id: Uuid,
  model_title: z.string(),
  estimate: Estimate.describe('Of the same primary metric.'),
})

export type ReferenceRun = z.infer<typeof ReferenceRun>
