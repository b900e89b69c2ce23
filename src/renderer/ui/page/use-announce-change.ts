import { useEffect, useRef } from 'react'
import { announce } from '../../api/announcements.ts'

/** Tells screen readers a state each time it changes; the first one is read with the page. */
export function useAnnounceChange(state: string): void {
  const former = useRef(state)
  useEffect(() => {
    if (former.current === state) return
    former.current = state
    announce(state)
  }, [state])
}
