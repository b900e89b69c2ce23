import type { BodyExamples } from '../body-examples.ts'
import type { releaseCalibrationsEndpoints } from './release-calibrations.endpoints.ts'

export const releaseCalibrationsExamples: BodyExamples<typeof releaseCalibrationsEndpoints> = {
  createReleaseCalibration: { name: 'Judge of tone', calibration_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0e' },
}
