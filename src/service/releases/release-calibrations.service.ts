import { ApiError, type NewReleaseCalibration, type ReleaseCalibration } from '../../contract/index.ts'
import type { Principal } from '../auth/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { byOf } from './by.ts'
import { insertReleaseCalibration } from './release-calibrations.store.ts'

export type ReleaseCalibrations = ReturnType<typeof createReleaseCalibrations>

type Figures = Omit<ReleaseCalibration, 'id' | 'name' | 'digest' | 'by' | 'created_at'>

/** Pins what is known of a judge, so that a decision can rest on it. */
export function createReleaseCalibrations(kernel: Kernel, { evaluators }: { readonly evaluators: Pick<Evaluators, 'calibrations'> }) {
  const { db, ids, clock } = kernel

  const resolved = (workspaceId: string, calibrationId: string): Figures => {
    const calibration = evaluators.calibrations.read(workspaceId, calibrationId)
    const { status, n, unscored, finished_at } = calibration
    if (status !== 'resolved' || n === null || finished_at === null)
      throw new ApiError('conflict', `The calibration "${calibration.id}" is ${status}. Pin it once it is resolved.`)
    return {
      calibration_id: calibration.id,
      run_id: null,
      group: null,
      evaluator_version_id: calibration.evaluator_version_id,
      n: n - (unscored ?? 0),
      unscored: unscored ?? 0,
      agreement: calibration.agreement,
      kappa: calibration.kappa,
      confusion: calibration.confusion,
      calibrated_at: finished_at,
    }
  }

  return {
    pin: (workspaceId: string, principal: Principal, { name, calibration_id }: NewReleaseCalibration): ReleaseCalibration => {
      const figures = resolved(workspaceId, calibration_id ?? '')
      const pinned = { id: ids.next(), name, ...figures, digest: bodyDigest(figures), by: byOf(principal), created_at: timestamp(clock) }
      insertReleaseCalibration(db, workspaceId, pinned)
      return pinned
    },
  }
}
