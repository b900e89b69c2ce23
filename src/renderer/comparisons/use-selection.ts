import { useAddress } from '../ui/table/use-address.ts'

/** Runs that one comparison may hold. */
export const mostRuns = 10

export interface Selection {
  readonly ids: readonly string[]
  /** The run that a person made the baseline. */
  readonly named: string | undefined
  readonly toggle: (id: string) => void
  readonly makeBaseline: (id: string) => void
}

/** The chosen runs, kept in the address as `runs=a,b` and `baseline=a`. */
export function useSelection(): Selection {
  const { get, set } = useAddress()
  const ids = readIds(get('runs'))
  const named = get('baseline')
  return {
    ids,
    named: ids.includes(named) ? named : undefined,
    toggle: id => set({ runs: toggled(ids, id).join(',') }),
    makeBaseline: id => set({ baseline: id }),
  }
}

/** Ids from an address, each once, no more than a comparison holds; the address may be hand-edited. */
export function readIds(text: string): readonly string[] {
  const ids = text.split(',').filter(id => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
  return [...new Set(ids.map(id => id.toLowerCase()))].slice(0, mostRuns)
}

export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter(one => one !== id)
  return ids.length >= mostRuns ? ids : [...ids, id]
}
