import type { DatasetTask } from '../../contract/datasets/datasets.schemas.ts'
import type { LabelMaker, LabelState, LabelValue } from '../../contract/datasets/examples.schemas.ts'

export interface GivenLabel {
  readonly value: LabelValue
  readonly by: LabelMaker
}

export interface Consensus {
  readonly label: LabelValue | null
  readonly state: LabelState
  readonly by: LabelMaker | null
}

/**
 * What annotators agree on: the most frequent label, or the median of scores. A tie of the most frequent labels is not a consensus. Where
 * people labeled, labels of keys are left out.
 */
export function findConsensus(task: DatasetTask, labels: readonly GivenLabel[]): Consensus {
  const people = labels.filter(label => label.by === 'person')
  const counted = people.length > 0 ? people : labels
  const by = counted[0]?.by ?? null
  if (by === null) return { label: null, state: 'none', by: null }
  const frequencies = new Map<LabelValue, number>()
  for (const { value } of counted) frequencies.set(value, (frequencies.get(value) ?? 0) + 1)
  const [first, second] = [...frequencies].sort(([, a], [, b]) => b - a)
  if (first === undefined) return { label: null, state: 'none', by: null }
  if (second === undefined) return { label: first[0], state: 'unanimous', by }
  if (task === 'score') return { label: median(counted.map(({ value }) => Number(value))), state: 'majority', by }
  if (first[1] === second[1]) return { label: null, state: 'tie', by }
  return { label: first[0], state: 'majority', by }
}

function median(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b)
  const middle = ascending.length >> 1
  const upper = ascending[middle] ?? Number.NaN
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? Number.NaN) + upper) / 2
}
