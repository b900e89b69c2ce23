import { z } from 'zod'
import { By } from '../datasets/examples.schemas.ts'
import { Confusion } from '../evaluators/calibrations.schemas.ts'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { ReleaseKey } from './suites.schemas.ts'

export const NewReleaseCalibration = z
  .strictObject({
    name: Name,
    calibration_id: Uuid.optional().describe('A resolved calibration of an evaluator.'),
    evaluator_version_id: Uuid.optional().describe('With `run_id`: the judge whose verdicts are compared with human labels on that run.'),
    run_id: Uuid.optional(),
    group: ReleaseKey.optional().describe('A name for the part of the run’s tasks that the labels are about.'),
  })
  .refine(body => (body.calibration_id === undefined) === (body.evaluator_version_id !== undefined && body.run_id !== undefined), {
    message: 'must have either calibration_id, or evaluator_version_id and run_id',
  })
  .meta({ id: 'NewReleaseCalibration' })

/** Pinned agreement figures of a judge with people; later calibrations do not change them. */
export const ReleaseCalibration = named('ReleaseCalibration', {
  id: Uuid,
  name: z.string(),
  calibration_id: Uuid.nullable(),
  run_id: Uuid.nullable(),
  group: z.string().nullable(),
  evaluator_version_id: Uuid,
  n: z.int().min(0).describe('Labeled items with a verdict.'),
  unscored: z.int().min(0),
  agreement: Estimate.nullable(),
  kappa: Estimate.nullable().describe('Cohen’s.'),
  confusion: Confusion.nullable(),
  calibrated_at: Timestamp.describe('When the figures were computed; `max_age_days` counts from here.'),
  digest: Sha256.describe('Digest of everything except id, name, by and created_at.'),
  by: By,
  created_at: Timestamp,
})

export type NewReleaseCalibration = z.infer<typeof NewReleaseCalibration>
export type ReleaseCalibration = z.infer<typeof ReleaseCalibration>
