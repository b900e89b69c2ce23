import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { AWAITS_HEADING } from './keep-focus.ts'

/** State of a navigation that only gives the page in view its address: focus and scroll position stay. */
export const samePage = { samePage: true } as const

/**
 * After a change of page, moves the focus to the page's heading, so that a screen reader announces the page and Tab continues from
 * there, and a place that the address names comes into view. A change of filters (the address behind `?`) moves nothing.
 */
export function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash, state } = useLocation()
  const former = useRef(pathname)
  const stays = isSamePage(state)
  useEffect(() => {
    if (former.current === pathname) return
    former.current = pathname
    if (stays) return
    main.current?.scrollTo({ top: 0 })
    const heading = main.current?.querySelector('h1')
    main.current?.toggleAttribute(AWAITS_HEADING, !heading)
    ;(heading ?? main.current)?.focus({ preventScroll: true })
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [pathname, hash, stays, main])
}

/** The state of a location comes from the browser's history, which may hold anything. */
function isSamePage(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'samePage' in state
}
