import { endpoints } from '../endpoint.ts'
import { NewReleaseCalibration, ReleaseCalibration } from './release-calibrations.schemas.ts'

export const releaseCalibrationsEndpoints = endpoints({
  createReleaseCalibration: {
    method: 'POST',
    path: '/v1/releases/calibrations',
    tag: 'Releases',
    summary: 'Pin the figures of a judge for decisions',
    description: 'Of a resolved calibration, or of people’s labels on a run that the judge graded. What is not resolved is 409 conflict.',
    scope: 'releases:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    body: NewReleaseCalibration,
    response: ReleaseCalibration,
    errors: ['not_found', 'conflict'],
  },
})
