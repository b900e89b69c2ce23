import { endpoints } from '../endpoint.ts'
import { NewReleaseCalibration, ReleaseCalibration } from './release-calibrations.schemas.ts'

export const releaseCalibrationsEndpoints = endpoints('Releases', {
  createReleaseCalibration: {
    route: 'POST /v1/releases/calibrations',
    summary: 'Pin the figures of a judge for decisions',
    description: 'From a resolved calibration, or from human labels on a run that the judge graded. 409 `conflict` if unresolved.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    body: NewReleaseCalibration,
    response: ReleaseCalibration,
    errors: ['not_found', 'conflict', 'illegal_transition'],
  },
})
