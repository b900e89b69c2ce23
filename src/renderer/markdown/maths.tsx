import katex from 'katex'
import { useLayoutEffect, useRef } from 'react'
import { showHidden } from '../../lib/format/visible-text.ts'

interface MathsProps {
  readonly tex: string
  /** On a line of its own. */
  readonly display: boolean
}

/** Steps of macro expansion, and em that anything may measure: what is typed in a line must not fill the page or the processor. */
const limits = { maxExpand: 200, maxSize: 20 }

/**
 * TeX as MathML, which the browser lays out and screen readers read. KaTeX makes elements, never markup; with `trust` off it refuses
 * commands that name an address, a class or a style. What it cannot read stays as it was written.
 */
export function Maths({ tex, display }: MathsProps) {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    try {
      katex.render(showHidden(tex), element, { ...limits, output: 'mathml', displayMode: display, trust: false, strict: 'ignore' })
    } catch {
      element.textContent = showHidden(tex)
    }
  }, [tex, display])
  return <span ref={place} className={display ? 'markdown-display' : undefined} dir="ltr" />
}
