import { type RefCallback, useCallback, useState } from 'react'

/** Width of an element in whole CSS pixels, known before its first paint, so that nothing below it moves; 0 until it is in the page. */
export function useOwnWidth(): { readonly ref: RefCallback<HTMLElement>; readonly width: number } {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
