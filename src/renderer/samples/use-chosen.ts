import { useCallback, useState } from 'react'

/** Rows ticked in a list, by id. */
export function useChosen(): { readonly chosen: ReadonlySet<string>; readonly toggle: (id: string) => void } {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const toggle = useCallback(
    (id: string) =>
      setChosen(before => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    [],
  )
  return { chosen, toggle }
}
