import { unpairedDifference } from '../../statistics/unpaired.ts'

/** A labeled example on which label and verdict are a pass or a fail, with the family of the model that wrote the output. */
export interface AuthoredVerdict {
  readonly family: string | null
  readonly labelPasses: boolean
  readonly verdictPasses: boolean
}

export interface SelfPreference {
  readonly families: readonly string[]
  /** Outputs of the judge's own family, and of others. Outputs of unknown models are in neither. */
  readonly own: number
  readonly others: number
  readonly difference: {
    readonly n: number
    readonly mean: number | null
    readonly standard_error: number | null
    readonly interval: { readonly low: number; readonly high: number; readonly level: number; readonly method: string } | null
    readonly reason: string | null
    readonly cautions: string[]
  }
}

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
