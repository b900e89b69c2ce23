import { requireCount, requireOpenUnit, requireUnit } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'

/** What a judge said of a test set, and how it did on items with human labels. Shares from 0 to 1. */
export interface JudgedRate {
  /** Share of the test set that the judge passed. */
  readonly judgeRate: number
  /** Items in the test set. */
  readonly n: number
  /** Share of truly good labeled items that the judge passed. */
  readonly sensitivity: number
  readonly positives: number
  /** Share of truly bad labeled items that the judge failed. */
  readonly specificity: number
  readonly negatives: number
}

export interface CorrectedRate {
  /** (p + Sp - 1)/(Se + Sp - 1), which may fall outside [0, 1]. */
  readonly raw: number | null
  /** The same cut to [0, 1]. */
  readonly rate: number | null
  /** Delta-method standard error of `raw`, the uncertainty of the judge's own rates included. */
  readonly standardError: number | null
  /** Lang and Reiczigel's interval. */
  readonly interval: Interval | null
  readonly reason: string | null
  readonly cautions: string[]
}

/**
 * True rate behind a judge's rate, given the judge's sensitivity and specificity on labeled items.
 *
 * Undefined for Se + Sp <= 1: such a judge carries no information. Assumes that the judge errs on the test set as it does on
 * the labeled items, and independent items. A raw rate outside [0, 1] says that it does not.
 * Source: Rogan & Gladen 1978; interval Lang & Reiczigel 2014; for judges of models Lee et al. 2025 (arXiv 2511.21140).
 */
export function correctJudgeRate(judged: JudgedRate, level = 0.95): CorrectedRate {
  const { judgeRate, n, sensitivity, positives, specificity, negatives } = judged
  requireUnit('judgeRate', judgeRate)
  requireUnit('sensitivity', sensitivity)
  requireUnit('specificity', specificity)
  requireCount('n', n)
  requireCount('positives', positives)
  requireCount('negatives', negatives)
  requireOpenUnit('level', level)
  const reason = whyNotCorrected(judged)
  if (reason !== null) return { raw: null, rate: null, standardError: null, interval: null, reason, cautions: [] }
  const youden = sensitivity + specificity - 1
  const raw = (judgeRate + specificity - 1) / youden
  const rate = cut(raw)
  const standardError =
    Math.sqrt(
      (judgeRate * (1 - judgeRate)) / n +
        (raw ** 2 * sensitivity * (1 - sensitivity)) / positives +
        ((1 - raw) ** 2 * specificity * (1 - specificity)) / negatives,
    ) / youden
  const interval = langReiczigel(judged, level)
  const outside = `The uncorrected estimate ${raw.toFixed(3)} lies outside 0 to 1: the labeled items and the test set disagree about the judge.`
  return {
    raw,
    rate,
    standardError,
    interval,
    reason: interval === null ? 'Adjusted for the few labeled items, the judge carries no information, so there is no interval.' : null,
    cautions: raw === rate ? [] : [outside],
  }
}

function whyNotCorrected({ n, sensitivity, positives, specificity, negatives }: JudgedRate): string | null {
  if (n === 0) return 'The judge has judged nothing.'
  if (positives === 0 || negatives === 0) return 'The labeled items lack good or bad ones, so the error of the judge is unknown.'
  if (sensitivity + specificity <= 1) return 'Sensitivity and specificity add up to 1 or less: the judge carries no information.'
  return null
}

/** Agresti-Coull like counts: z² added to the test set, one success and one failure to each set of labeled items. */
function langReiczigel({ judgeRate, n, sensitivity, positives, specificity, negatives }: JudgedRate, level: number): Interval | null {
  const z = normalCritical(level)
  const square = z * z
  const size = n + square
  const rate = (n * judgeRate + square / 2) / size
  const [m1, m0] = [positives + 2, negatives + 2]
  const se = (positives * sensitivity + 1) / m1
  const sp = (negatives * specificity + 1) / m0
  const youden = se + sp - 1
  if (youden <= 0) return null
  const theta = (rate + sp - 1) / youden
  const [varianceSe, varianceSp] = [(se * (1 - se)) / m1, (sp * (1 - sp)) / m0]
  const shift = 2 * square * (theta * varianceSe - (1 - theta) * varianceSp)
  const halfWidth = (z * Math.sqrt((rate * (1 - rate)) / size + theta ** 2 * varianceSe + (1 - theta) ** 2 * varianceSp)) / youden
  return { low: cut(theta + shift - halfWidth), high: cut(theta + shift + halfWidth), level, method: 'lang_reiczigel' }
}

function cut(share: number): number {
  return Math.max(0, Math.min(1, share))
}
