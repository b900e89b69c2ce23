import type { ComparedRun, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { useAddress } from '../ui/table/use-address.ts'

export interface Contender {
  readonly baseline: ComparedRun
  /** The one that the details are about, kept in the address. */
  readonly chosen: ComparedRun
  readonly all: readonly ComparedRun[]
  readonly choose: (id: string) => void
  /** Place of a run among the contenders: its series color. */
  readonly seriesOf: (id: string) => number
}

export function useContender({ runs }: Comparison): Contender {
  const { get, set } = useAddress()
  const baseline = runs.find(run => run.baseline)
  const all = runs.filter(run => !run.baseline)
  const chosen = all.find(run => run.id === get('contender')) ?? all[0]
  if (!baseline || !chosen) throw new Error('A comparison has a baseline and at least one contender.')
  return {
    baseline,
    chosen,
    all,
    choose: id => set({ contender: id === all[0]?.id ? null : id, open: null, task: null }),
    seriesOf: id =>
      Math.max(
        0,
        all.findIndex(run => run.id === id),
      ),
  }
}
