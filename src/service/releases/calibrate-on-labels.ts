import { ApiError } from '../../contract/errors.ts'
import type { ReleaseCalibration } from '../../contract/releases/release-calibrations.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { type MeasuredFigures, type CalibrationItem, calibrate } from '../../engine/grading/calibration/calibrate.ts'
import { type LabelMenu, type Prediction, predictLabel } from '../../engine/grading/calibration/predict-label.ts'

const menu: LabelMenu = { task: 'answer', labels: ['pass', 'fail'], range: null }

/** What people say of a sample: the verdict that most of their newest labels give; null where they are split or unsure. */
export function consensusOf(verdicts: readonly string[]): 'pass' | 'fail' | null {
  const count = (verdict: string) => verdicts.filter(one => one === verdict).length
  const [passes, fails] = [count('pass'), count('fail')]
  return passes === fails ? null : passes > fails ? 'pass' : 'fail'
}

interface LabeledSample {
  readonly sample: Pick<SampleDetail, 'id' | 'score_details'>
  readonly label: 'pass' | 'fail'
}

/** A judge's verdicts on a run against people's, with the statistics of every calibration. @throws ApiError conflict where there are none */
export function calibrateOnLabels(labeled: readonly LabeledSample[], metric: string): MeasuredFigures {
  if (labeled.length === 0)
    throw new ApiError('conflict', 'No sample of the run has a label that people agree on. Label samples, then pin the calibration.')
  const items = labeled.map(
    ({ sample, label }): CalibrationItem => ({
      exampleId: sample.id,
      label,
      byPeople: true,
      prediction: predictionOf(sample, metric),
      swapped: { pairs: 0, flips: 0 },
    }),
  )
  return calibrate(items, menu, { seed: 1, holdout: 0.5, level: 0.95, minimum: { kappa: 0.4, balanced_accuracy: 0.7 } })
}

function predictionOf({ score_details: scores }: LabeledSample['sample'], metric: string): Prediction {
  const score = scores.find(one => one.metric === metric)
  if (!score) return { kind: 'unscored', reason: 'The sample was not judged.' }
  return predictLabel(score, menu)
}

/** The figures as a pinned calibration has them. */
export function pinnedFigures({
  n,
  unscored,
  agreement,
  kappa,
  confusion,
}: MeasuredFigures): Pick<ReleaseCalibration, 'n' | 'unscored' | 'agreement' | 'kappa' | 'confusion'> {
  return {
    n: n - unscored,
    unscored,
    agreement: { ...agreement, cautions: [...agreement.cautions] },
    kappa: { ...kappa, cautions: [...kappa.cautions] },
    confusion: {
      labels: [...confusion.labels],
      counts: confusion.counts.map(row => [...row]),
      unscored: [...confusion.unscored],
    },
  }
}
