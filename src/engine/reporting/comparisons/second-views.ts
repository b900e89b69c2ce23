import type { Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { differences } from '../../statistics/differences.ts'
import { cohenKappa } from '../../statistics/kappa.ts'
import { oneSidedPair } from '../../statistics/one-sided-paired.ts'
import { meanPosterior, pairedRatePosterior } from '../../statistics/posterior.ts'
import { countPasses, type TaskValues } from './measure-difference.ts'

/** Bayesian and one-sided views and the agreement of the verdicts, each where it exists. */
export function withSecondViews(difference: Difference, values: TaskValues, level: number, seed: number): Difference {
  const { contender, baseline, binary, clusters } = values
  const { n, wins, losses, p } = difference
  if (n === 0) return difference
  // Figures of all tasks together have no posterior here: no prior is stated for them.
  if (values.figures) return { ...difference, ...(binary && { agreement: agreementOf(values, level) }) }
  const gaps = differences(contender, baseline)
  const { value } =
    binary && !clusters ? pairedRatePosterior(wins, losses, n, level) : meanPosterior(gaps, { seed, level, ...(clusters && { clusters }) })
  const oneSided =
    difference.test === null || difference.test === 'paired_bootstrap'
      ? null
      : oneSidedPair(
          { n, wins, losses, p, test: difference.test, difference: difference.difference, standardError: difference.standard_error },
          gaps,
          clusters && new Set(clusters).size,
        )
  return {
    ...difference,
    ...(value && { posterior: { ...value.interval, probability_better: value.probabilityAbove } }),
    ...(oneSided && { one_sided: { p_better: oneSided.better, p_worse: oneSided.worse } }),
    ...(binary && { agreement: agreementOf(values, level) }),
  }
}

function agreementOf(values: TaskValues, level: number): NonNullable<Difference['agreement']> {
  const { both, neither, only_baseline: onlyBaseline, only_contender: onlyContender } = countPasses(values)
  const found = cohenKappa(
    [
      [neither, onlyContender],
      [onlyBaseline, both],
    ],
    'none',
    level,
  )
  return {
    observed: (both + neither) / values.contender.length,
    kappa: found.kappa,
    low: found.interval?.low ?? null,
    high: found.interval?.high ?? null,
    gwet_ac1: found.gwetAc1,
    reason: found.reason ?? (found.interval === null ? 'The verdicts agree on every task, which leaves no spread for an interval.' : null),
  }
}
