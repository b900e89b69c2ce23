import { useState } from 'react'

const place = 'assay.panel-width'
/** Pixels; the layout keeps the list wide enough whatever is kept. */
export const panelWidths = { narrowest: 320, usual: 640, widest: 2_000 } as const

/** Width of side panels as the reader has set it, in pixels; null until then. Kept on this machine. */
export function usePanelWidth() {
  const [width, setWidth] = useState(() => keptWidth(localStorage.getItem(place)))
  return {
    width,
    resize: (pixels: number): void => {
      const next = Math.round(Math.min(panelWidths.widest, Math.max(panelWidths.narrowest, pixels)))
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
  return Number.isFinite(width) && width >= panelWidths.narrowest && width <= panelWidths.widest ? width : null
}
