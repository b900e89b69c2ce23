import { bootstrapFigure, type FigureSettings } from './bootstrap-figure.ts'
import type { Interval } from './estimate.ts'

export interface PairedFigure {
  /** First less second, over all units; null where a figure is undefined. */
  readonly difference: number | null
  readonly standardError: number | null
  /** `method` is `paired_bootstrap`. */
  readonly interval: Interval | null
  /** Two-sided. */
  readonly p: number | null
  /** One-sided: of "the first is no better", and of "the first is no worse". */
  readonly better: number | null
  readonly worse: number | null
  readonly reason: string | null
  readonly cautions: readonly string[]
}

/**
 * The difference of a figure that is not a mean, such as corpus BLEU, between two models on the same units: each resample draws the same
 * units for both. One-sided p is the share of resamples on the other side of 0, (count + 1) / (resamples + 1); two-sided p is twice the
 * smaller one, and an interval that would leave out 0 against it is widened to end there. Source: Koehn 2004, "Statistical significance
 * tests for machine translation evaluation"; Davison & Hinkley 1997, section 4.2, for the count.
 * @param differenceOf of the units at these places, each as often as it is named; null where it is undefined
 */
export function pairedFigure(
  units: number,
  differenceOf: (places: readonly number[]) => number | null,
  { level = 0.95, ...settings }: FigureSettings,
): PairedFigure {
  const { figure, standardError, interval, reason, cautions, sides } = bootstrapFigure(units, differenceOf, { ...settings, level })
  const base = { difference: figure, cautions }
  const unknown = { standardError: null, interval: null, p: null, better: null, worse: null }
  if (interval === null || sides === null) return { ...base, ...unknown, reason }
  if (standardError === 0) return { ...base, ...unknown, reason: 'Every resample gives the same difference, so its spread is unknown.' }
  const { below, above, replicates } = sides
  const [better, worse] = [(below + 1) / (replicates + 1), (above + 1) / (replicates + 1)]
  const p = Math.min(1, 2 * Math.min(better, worse))
  const isOpen = p > Number((1 - level).toFixed(12))
  return {
    ...base,
    standardError,
    interval: {
      low: isOpen ? Math.min(0, interval.low) : interval.low,
      high: isOpen ? Math.max(0, interval.high) : interval.high,
      level,
      method: 'paired_bootstrap',
    },
    p,
    better: Math.min(1, better),
    worse: Math.min(1, worse),
    reason,
  }
}
