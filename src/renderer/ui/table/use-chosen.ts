import { useCallback, useState } from 'react'

/** Rows ticked in a list, by id. */
export function useChosen() {
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
  const choose = useCallback((ids: readonly string[]) => setChosen(new Set(ids)), [])
  return { chosen, toggle, choose }
}
