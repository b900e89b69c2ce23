import { requireCount, requireOpenUnit } from './checks.ts'
import type { Interval } from './estimate.ts'
import { mulberry32 } from './random.ts'
import { sortedQuantile } from './bootstrap.ts'
import { variance } from './sample.ts'

/** Draws of single units that one figure may cost. */
const mostDraws = 10_000_000
const fewUnits = 20

export interface FigureSettings {
  /** Same seed, same result. */
  readonly seed: number
  /** Bootstrap samples; 1,000 unless given, fewer for very many units. */
  readonly replicates?: number
  readonly level?: number
}

export interface BootstrapFigure {
  /** Over all units; null where it is undefined. */
  readonly figure: number | null
  /** Standard deviation of the replicates. */
  readonly standardError: number | null
  readonly interval: Interval | null
  /** How many replicates are 0 or below, and 0 or above, of how many; null where there is no interval. */
  readonly sides: { readonly below: number; readonly above: number; readonly replicates: number } | null
  readonly reason: string | null
  readonly cautions: readonly string[]
}

/**
 * Any figure of independent units with the standard error and the percentile interval of its bootstrap, method `bootstrap`. Random numbers from mulberry32,
 * quantiles of type 7. Source: Efron & Tibshirani 1993, chapter 13; lm-evaluation-harness has the same standard error of BLEU and F1.
 * @param figureOf the figure of the units at these places, each as often as it is named; null where it is undefined
 */
export function bootstrapFigure(
  units: number,
  figureOf: (places: readonly number[]) => number | null,
  { seed, replicates = 1_000, level = 0.95 }: FigureSettings,
): BootstrapFigure {
  requireCount('replicates', replicates, 2)
  requireOpenUnit('level', level)
  const nothing = { standardError: null, interval: null, sides: null, cautions: [] }
  if (units === 0) return { figure: null, ...nothing, reason: 'There are no values.' }
  const figure = figureOf(Array.from({ length: units }, (_, i) => i))
  if (figure === null) return { figure, ...nothing, reason: 'The figure is undefined for these values.' }
  if (units < 2) return { figure, ...nothing, reason: 'A single value or cluster cannot be resampled; at least two are needed.' }
  const random = mulberry32(seed)
  const found: number[] = []
  const count = Math.max(100, Math.min(replicates, Math.floor(mostDraws / units)))
  // One list for all resamples.
  const places = new Array<number>(units).fill(0)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < units; j++) places[j] = Math.floor(random() * units)
    const again = figureOf(places)
    if (again !== null) found.push(again)
  }
  if (found.length < 2) return { figure, ...nothing, reason: 'The figure is undefined for nearly every resample.' }
  const ascending = Float64Array.from(found).sort()
  return {
    figure,
    standardError: Math.sqrt(variance(ascending)),
    interval: {
      low: sortedQuantile(ascending, (1 - level) / 2),
      high: sortedQuantile(ascending, (1 + level) / 2),
      level,
      method: 'bootstrap',
    },
    sides: {
      below: ascending.filter(value => value <= 0).length,
      above: ascending.filter(value => value >= 0).length,
      replicates: ascending.length,
    },
    reason: null,
    cautions: [
      ...(units < fewUnits ? [`Only ${units} independent values: a bootstrap interval of so few is too short.`] : []),
      ...(found.length < count ? [`The figure is undefined for ${count - found.length} of ${count} resamples, which are left out.`] : []),
    ],
  }
}
