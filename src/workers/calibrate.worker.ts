import { calibrate, type MeasuredFigures, type CalibrationSettings } from '../engine/grading/calibration/calibrate.ts'
import type { LabelMenu } from '../engine/grading/calibration/predict-label.ts'
import { readCalibrationItems } from '../storage/reads/calibration-items.ts'
import { openReader } from './database-path.ts'

export interface CalibrateTask {
  readonly calibrationNo: number
  readonly menu: LabelMenu
  readonly settings: CalibrationSettings
}

export default function calibrateStored({ calibrationNo, menu, settings }: CalibrateTask): MeasuredFigures {
  const db = openReader()
  try {
    return calibrate(readCalibrationItems(db, calibrationNo), menu, settings)
  } finally {
    db.close()
  }
}
