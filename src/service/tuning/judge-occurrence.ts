import type { TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'

type Verdict = NonNullable<TuneOccurrence['verdict']>

/** Fewer scores say nothing. */
const fewestScores = 30

export interface Judgment {
  /** Null where there was nothing to judge. */
  readonly verdict: Verdict | null
  readonly reason: string
}

/** The first that applies decides. @param interval of the paired difference to the baseline; null where there is none */
export function judgeDifference(interval: { readonly low: number; readonly high: number } | null, margin: number, why: string): Judgment {
  if (interval === null) return { verdict: 'inconclusive', reason: why }
  const { low, high } = interval
  const range = `The difference from the baseline is between ${points(low)} and ${points(high)} points`
  if (low > 0) return { verdict: 'improvement', reason: `${range}.` }
  if (low > -margin) return { verdict: 'ok', reason: `${range}, so it has not fallen by the margin of ${points(margin)}.` }
  if (high < 0) return { verdict: 'regression', reason: `${range}.` }
  return { verdict: 'inconclusive', reason: `${range}, which allows both no change and a loss of ${points(margin)} points or more.` }
}

/** What the detector says of a workload. */
export function judgeDrift(found: {
  readonly alarms: readonly { readonly kind: 'regression' | 'improvement' }[]
  /** Independent ones: outputs of a cluster give one. */
  readonly scores: number
  readonly sent: number
  /** Outputs that were not graded because the monitor knows them. */
  readonly known: number
  readonly floor: number | null
}): Judgment {
  const { alarms, scores, sent, known, floor } = found
  if (sent === 0)
    return {
      verdict: null,
      reason: known > 0 ? 'Every output was known already, so there was nothing new to grade.' : 'There were no outputs to grade.',
    }
  if (floor === null)
    return { verdict: 'inconclusive', reason: 'The baseline has no interval, so drift cannot be distinguished from chance.' }
  if (alarms.some(({ kind }) => kind === 'regression'))
    return { verdict: 'regression', reason: `The mean score has fallen below ${points(floor)} %.` }
  if (alarms.length > 0) return { verdict: 'improvement', reason: 'The mean score has risen above that of the baseline.' }
  if (floor <= 0) return { verdict: 'inconclusive', reason: `The baseline's floor is ${points(floor)} %, below which no score can fall.` }
  if (scores < fewestScores)
    return {
      verdict: 'inconclusive',
      reason: `There ${scores === 1 ? 'is 1 independent score' : `are ${scores} independent scores`}; at least ${fewestScores} are needed.`,
    }
  return { verdict: 'ok', reason: 'No drift was detected.' }
}

const points = (difference: number) => (100 * difference).toFixed(1).replace('-', '−')
