import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { formatSort, parseSort, type Sort } from './sort.ts'

type Changes = Readonly<Record<string, string | null>>

/**
 * What a page keeps in its address (filters, sort, the opened row), so that it can be bookmarked and sent. An empty value is taken
 * out of the address. Changes replace the history entry, so that "back" leaves the page.
 */
export function useAddress() {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (changes: Changes) =>
      setParams(
        before => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value) after.set(name, value)
            else after.delete(name)
          }
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  )
  const get = useCallback((name: string) => params.get(name) ?? '', [params])
  return { get, set }
}

/** The value from the address if it is one of `allowed`; the address may be hand-edited. */
export function oneOf<const Value extends string>(value: string, allowed: readonly Value[]): Value | undefined {
  return allowed.find(candidate => candidate === value)
}

/** Sort of a table, kept in the address under `name`. */
export function useAddressSort(name = 'sort'): [Sort | null, (sort: Sort | null) => void] {
  const { get, set } = useAddress()
  const setSort = useCallback((sort: Sort | null) => set({ [name]: formatSort(sort) }), [set, name])
  return [parseSort(get(name)), setSort]
}
