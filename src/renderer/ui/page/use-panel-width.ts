import { useState } from 'react'

const place = 'assay.panel-width'
/** Pixels; the layout keeps the list wide enough whatever is kept. */
const NARROWEST = 320
const WIDEST = 2_000

/** Width of side panels as the reader has set it, in pixels; null until then. Kept on this machine. */
export function usePanelWidth() {
  const [width, setWidth] = useState(() => keptWidth(localStorage.getItem(place)))
  return {
    width,
    resize: (pixels: number): void => {
      const next = Math.round(Math.min(WIDEST, Math.max(NARROWEST, pixels)))
      setWidth(next)
      localStorage.setItem(place, String(next))
    },
    reset: (): void => {
      setWidth(null)
      localStorage.removeItem(place)
    },
  }
}

/** What storage holds may be hand-edited. */
export function keptWidth(text: string | null): number | null {
  const width = Number(text ?? Number.NaN)
  return Number.isFinite(width) && width >= NARROWEST && width <= WIDEST ? width : null
}
