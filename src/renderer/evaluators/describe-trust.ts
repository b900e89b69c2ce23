import type { VersionAnnotators } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Calibration } from '../../contract/evaluators/calibrations.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'

/**
 * Whether a judge can be trusted, in one sentence; null before the calibration has figures.
 * @param annotators null where the version does not say, undefined while it loads
 */
export function describeTrust(
  { agreement, kappa, spending }: Pick<Calibration, 'agreement' | 'kappa' | 'spending'>,
  annotators: VersionAnnotators | null | undefined,
): string | null {
  if (agreement?.mean == null) return null
  const who = spending.calls > 0 ? 'The judge' : 'The evaluator'
  const coefficient = kappa?.mean == null ? '' : ` (kappa ${formatNumber(kappa.mean, 2)})`
  const { alpha, tied } = annotators ?? { alpha: null, tied: 0 }
  const parts = [
    `${who} agrees with people on ${formatPercent(agreement.mean, 0)}${coefficient}`,
    ...(annotators === null ? ['agreement between annotators was not recorded for this version'] : []),
    ...(alpha === null ? [] : [`your annotators agree with each other at ${formatNumber(alpha, 2)}`]),
    ...(tied === 0 ? [] : [`${formatCount(tied)} disputed ${tied === 1 ? 'example is' : 'examples are'} left out`]),
  ]
  return `${parts.join('; ')}.`
}
