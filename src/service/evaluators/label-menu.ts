import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { LabelMenu } from '../../engine/grading/calibration/predict-label.ts'

/** The labels that examples of a version may have. */
export function labelMenu({ task, labels, score_range: range }: DatasetVersion): LabelMenu {
  return { task, labels: labels ?? [], range: range === null ? null : [range[0], range[1]] }
}
