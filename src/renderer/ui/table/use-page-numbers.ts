import { useCallback, useState } from 'react'

/** Rows that are read in one request. */
export const ROWS_OF_PAGE = 100
/** Rows beyond those in view that are read already, so that a scroll seldom meets rows that are still missing. */
const AHEAD = 60

/** Numbers of the pages that hold the rows in view of a `lazy` table, from 0; the first is always among them, for its total. */
export function usePageNumbers() {
  const [pages, setPages] = useState({ first: 0, last: 0 })
  const onRange = useCallback((first: number, last: number) => {
    const next = { first: Math.floor(Math.max(0, first - AHEAD) / ROWS_OF_PAGE), last: Math.floor((last + AHEAD) / ROWS_OF_PAGE) }
    setPages(before => (before.first === next.first && before.last === next.last ? before : next))
  }, [])
  const inView = Array.from({ length: pages.last - pages.first + 1 }, (_, index) => pages.first + index)
  return { numbers: [...new Set([0, ...inView])], onRange }
}
