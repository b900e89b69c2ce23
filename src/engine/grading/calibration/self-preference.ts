import type { CalibrationFigures } from '../../../contract/evaluators/calibrations.schemas.ts'
import { unpairedDifference } from '../../statistics/unpaired.ts'

/** A labeled example on which label and verdict are a pass or a fail, with the family of the model that wrote the output. */
export interface AuthoredVerdict {
  readonly family: string | null
  readonly labelPasses: boolean
  readonly verdictPasses: boolean
}

/** Outputs of unknown models are of neither the judge's own family nor others. */
type SelfPreference = NonNullable<CalibrationFigures['self_preference']>

/** Below this many outputs on either side a difference says nothing. */
const fewestOutputs = 10

/**
 * How much more a judge passes outputs of its own family than people do, beyond what it does for others: the mean of verdict minus label
 * over its own, less that over the others. People's labels take the quality of the outputs out of it. Null where no output is of its family.
 */
export function selfPreference(judges: readonly string[], verdicts: readonly AuthoredVerdict[], level: number): SelfPreference | null {
  const excess = ({ labelPasses, verdictPasses }: AuthoredVerdict) => Number(verdictPasses) - Number(labelPasses)
  const own = verdicts.filter(({ family }) => family !== null && judges.includes(family))
  if (own.length === 0) return null
  const others = verdicts.filter(({ family }) => family !== null && !judges.includes(family))
  const families = [...new Set(own.flatMap(({ family }) => family ?? []))].sort()
  const counts = { families, own: own.length, others: others.length }
  const n = own.length + others.length
  if (own.length < fewestOutputs || others.length < fewestOutputs) {
    const reason = `Needs at least ${fewestOutputs} labeled outputs of the judge's own family and of others; there are ${own.length} and ${others.length}.`
    return { ...counts, difference: { n, mean: null, standard_error: null, interval: null, reason, cautions: [] } }
  }
  const { difference, standardError, interval, reason } = unpairedDifference(own.map(excess), others.map(excess), level)
  return { ...counts, difference: { n, mean: difference, standard_error: standardError, interval, reason, cautions: [] } }
}
