import { ApiError } from '../../contract/errors.ts'
import type { NewReleaseCalibration, ReleaseCalibration } from '../../contract/releases/release-calibrations.schemas.ts'
import type { Principal } from '../auth/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { byOf } from './by.ts'
import { calibrateOnLabels, consensusOf, pinnedFigures } from './calibrate-on-labels.ts'
import { labelsOfRun } from './list-labels.store.ts'
import { insertReleaseCalibration } from './release-calibrations.store.ts'

export type ReleaseCalibrations = ReturnType<typeof createReleaseCalibrations>

type Figures = Omit<ReleaseCalibration, 'id' | 'name' | 'digest' | 'by' | 'created_at'>

interface CalibrationsDependencies {
  readonly evaluators: Pick<Evaluators, 'calibrations'>
  readonly runs: Pick<Runs, 'sample' | 'results'>
}

/** Pins what is known of a judge, so that a decision can rest on it. */
export function createReleaseCalibrations(kernel: Kernel, { evaluators, runs }: CalibrationsDependencies) {
  const { db, ids, clock } = kernel

  const resolved = (workspaceId: string, calibrationId: string): Figures => {
    const calibration = evaluators.calibrations.read(workspaceId, calibrationId)
    const { status, n, unscored, finished_at } = calibration
    if (status !== 'resolved' || n === null || finished_at === null)
      throw new ApiError('illegal_transition', `The calibration "${calibration.id}" is ${status}. Pin it once it is resolved.`)
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
  /** The judge's verdicts on a run against people's labels there. */
  const onLabels = (workspaceId: string, runId: string, versionId: string, group: string | null): Figures => {
    const judged = runs
      .results(workspaceId, runId, undefined)
      .metrics.find(({ evaluator }) => evaluator?.evaluator_version_id === versionId.toLowerCase())
    if (!judged)
      throw new ApiError('conflict', `The evaluator version "${versionId}" has not graded the run "${runId}". Grade the run with it first.`)
    const labeled = [...Map.groupBy(labelsOfRun(db, workspaceId, runId), ({ sampleId }) => sampleId)].flatMap(([sampleId, of]) => {
      const label = consensusOf(of.map(({ verdict }) => verdict))
      return label === null ? [] : [{ sample: runs.sample(workspaceId, runId, sampleId), label }]
    })
    return {
      calibration_id: null,
      run_id: runId.toLowerCase(),
      group,
      evaluator_version_id: versionId.toLowerCase(),
      ...pinnedFigures(calibrateOnLabels(labeled, judged.metric)),
      calibrated_at: timestamp(clock),
    }
  }

  return {
    pin: (workspaceId: string, principal: Principal, body: NewReleaseCalibration): ReleaseCalibration => {
      const { name, calibration_id, evaluator_version_id = '', run_id = '', group = null } = body
      const figures =
        calibration_id === undefined ? onLabels(workspaceId, run_id, evaluator_version_id, group) : resolved(workspaceId, calibration_id)
      const pinned = { id: ids.next(), name, ...figures, digest: bodyDigest(figures), by: byOf(principal), created_at: timestamp(clock) }
      insertReleaseCalibration(db, workspaceId, pinned)
      return pinned
    },
  }
}
