import type { CalibrationThreshold } from '../../../contract/evaluators/calibrations.schemas.ts'
import { mulberry32 } from '../../statistics/random.ts'

/** A labeled example with a score between 0 and 1. */
export interface ScoredLabel {
  readonly value: number
  readonly passes: boolean
}

/** More points make no better curve to look at. */
const mostPoints = 101

/** Splits positions in two by a seed: one part to choose on, the other to report on. */
export function splitInTwo(n: number, holdout: number, seed: number): { readonly chosenOn: number[]; readonly reportedOn: number[] } {
  const order = Array.from({ length: n }, (_, i) => i)
  const random = mulberry32(seed)
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const [a = 0, b = 0] = [order[i], order[j]]
    order[i] = b
    order[j] = a
  }
  const held = Math.round(n * holdout)
  const sorted = (part: number[]) => part.sort((a, b) => a - b)
  return { chosenOn: sorted(order.slice(held)), reportedOn: sorted(order.slice(0, held)) }
}

/**
 * The threshold from which a score passes that has the best balanced accuracy on these examples, halfway between two values that occur;
 * of equals the one nearest to 0.5. Null where a class is missing.
 */
export function chooseThreshold(
  items: readonly ScoredLabel[],
): { readonly threshold: number; readonly curve: CalibrationThreshold['curve'] } | null {
  const positives = items.filter(({ passes }) => passes).length
  const negatives = items.length - positives
  if (positives === 0 || negatives === 0) return null
  const sorted = items.toSorted((a, b) => a.value - b.value)
  const curve: CalibrationThreshold['curve'] = []
  let [missed, refused] = [0, 0]
  for (let i = 0; i <= sorted.length; i++) {
    const [before, here] = [sorted[i - 1], sorted[i]]
    if (before) {
      if (before.passes) missed++
      else refused++
    }
    if (before && here && before.value === here.value) continue
    const threshold =
      before === undefined ? (here?.value ?? 0) : here === undefined ? Math.min(1, before.value + 1e-9) : (before.value + here.value) / 2
    const [sensitivity, specificity] = [(positives - missed) / positives, refused / negatives]
    curve.push({ threshold, sensitivity, specificity, balanced_accuracy: (sensitivity + specificity) / 2 })
  }
  const best = curve.reduce((a, b) =>
    b.balanced_accuracy > a.balanced_accuracy ||
    (b.balanced_accuracy === a.balanced_accuracy && Math.abs(b.threshold - 0.5) < Math.abs(a.threshold - 0.5))
      ? b
      : a,
  )
  const step = Math.max(1, Math.ceil(curve.length / mostPoints))
  return { threshold: best.threshold, curve: curve.filter((point, i) => i % step === 0 || point === best) }
}
