import type { DraftCandidate } from '../../../contract/evaluators/calibrations.schemas.ts'
import { cohenKappa } from '../../statistics/kappa.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import { verdictUnder } from '../calibration/calibrate.ts'
import { chooseThreshold } from '../calibration/choose-threshold.ts'
import type { Prediction } from '../calibration/predict-label.ts'
import { mulberry32 } from '../../statistics/random.ts'

/** A labeled example under a candidate. */
export interface DraftItem {
  readonly exampleId: string
  readonly label: string
  readonly prediction: Prediction
}

/** An example without a verdict counts as a disagreement; the threshold is the median of the folds'. */
export type CrossValidated = Omit<DraftCandidate, 'definition'>

const foldCount = 5
const mostDisagreements = 100

/** Agreement on examples that took no part in choosing the threshold: chosen on four folds, measured on the fifth, in turn. */
export function crossValidate(items: readonly DraftItem[], labels: readonly string[], seed: number): CrossValidated {
  const folds = foldsOf(items.length, seed)
  const needsThreshold = labels.length === 2 && items.some(({ prediction }) => prediction.kind === 'value')
  const thresholds: number[] = []
  const verdicts: (string | null)[] = items.map(() => null)
  for (let fold = 0; fold < foldCount; fold++) {
    const threshold = needsThreshold ? thresholdWithout(items, labels, folds, fold) : null
    if (threshold !== null) thresholds.push(threshold)
    for (const [i, item] of items.entries()) if (folds[i] === fold) verdicts[i] = verdictUnder(item.prediction, labels, threshold)
  }
  const agrees = items.map((item, i) => (verdicts[i] === item.label ? 1 : 0))
  const { mean, standardError, interval, reason, cautions } = summarizeMetric(agrees, { binary: true })
  const table = labels.map(label =>
    labels.map(verdict => items.filter((item, i) => item.label === label && verdicts[i] === verdict).length),
  )
  const inFold = (fold: number) => agrees.filter((_, i) => folds[i] === fold)
  return {
    agreement: { n: items.length, mean, standard_error: standardError, interval, reason, cautions },
    kappa: cohenKappa(table).kappa,
    unscored: verdicts.filter(verdict => verdict === null).length,
    folds: Array.from({ length: foldCount }, (_, fold) => inFold(fold)).flatMap(part =>
      part.length === 0 ? [] : [part.reduce<number>((a, b) => a + b, 0) / part.length],
    ),
    threshold: thresholds.toSorted((a, b) => a - b)[Math.floor(thresholds.length / 2)] ?? null,
    disagreements: items.flatMap((item, i) => (agrees[i] === 1 ? [] : [item.exampleId])).slice(0, mostDisagreements),
  }
}

/** The fold of each item: equal sizes, in an order drawn by the seed. */
function foldsOf(n: number, seed: number): number[] {
  const random = mulberry32(seed)
  const keys = Array.from({ length: n }, (_, i) => ({ i, key: random() })).sort((a, b) => a.key - b.key)
  const folds = Array.from({ length: n }, () => 0)
  for (const [place, { i }] of keys.entries()) folds[i] = place % foldCount
  return folds
}

function thresholdWithout(items: readonly DraftItem[], labels: readonly string[], folds: readonly number[], fold: number): number {
  const rest = items.flatMap(({ label, prediction }, i) => {
    if (folds[i] === fold || prediction.kind === 'unscored') return []
    return [{ value: prediction.kind === 'value' ? prediction.value : prediction.label === labels[0] ? 1 : 0, passes: label === labels[0] }]
  })
  return chooseThreshold(rest)?.threshold ?? 0.5
}
