import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After a change of page, moves the focus to the page's heading, so that a screen reader announces the page and Tab continues from
 * there. A change of filters (the address behind `?`) moves nothing.
 */
export function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const former = useRef(pathname)
  useEffect(() => {
    if (former.current === pathname) return
    former.current = pathname
    main.current?.scrollTo({ top: 0 })
    const heading = main.current?.querySelector('h1') ?? main.current
    heading?.focus({ preventScroll: true })
  }, [pathname, main])
}
