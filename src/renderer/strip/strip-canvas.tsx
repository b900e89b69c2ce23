import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { drawStrip } from './draw-strip.ts'
import { outcomeKinds } from './outcome-kinds.ts'
import { coverOf, layoutStrip, sampleAt } from './strip-layout.ts'

interface StripCanvasProps {
  readonly codes: string
  readonly width: number
  readonly label: string
  readonly onOpen: (index: number) => void
  /** Null where a stretch of cells is not a stretch of the run. */
  readonly onBrush: ((from: number, to: number) => void) | null
}

interface Pointed {
  readonly from: number
  readonly to: number
  readonly dragging: boolean
}

/** The picture, and what the pointer does on it. Keyboards and screen readers have the table and the legend beside it. */
export function StripCanvas({ codes, width, label, onOpen, onBrush }: StripCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layout = useMemo(() => layoutStrip(codes.length, width), [codes.length, width])
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const scheme = useColorScheme()
  useEffect(() => {
    if (canvas.current) drawStrip(canvas.current, codes, layout)
    // The scheme is read from the document by the drawing.
  }, [codes, layout, scheme])

  const indexOf = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect()
    return sampleAt(layout, codes.length, event.clientX - box.left, event.clientY - box.top)
  }
  const move = (event: PointerEvent<HTMLElement>): void => {
    const index = indexOf(event)
    setPointed(before =>
      before?.dragging ? { ...before, to: onBrush ? index : before.from } : { from: index, to: index, dragging: false },
    )
  }
  const down = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const index = indexOf(event)
    setPointed({ from: index, to: index, dragging: true })
  }
  const up = (): void => {
    if (!pointed?.dragging) return
    const [from, to] = [Math.min(pointed.from, pointed.to), Math.max(pointed.from, pointed.to)]
    setPointed(null)
    if (from === to) onOpen(from)
    else onBrush?.(from, to)
  }
  const from = pointed ? Math.min(pointed.from, pointed.to) : 0
  const to = pointed ? Math.max(pointed.from, pointed.to) : 0
  return (
    <div
      className="strip-frame"
      style={{ height: layout.height }}
      onPointerMove={move}
      onPointerDown={down}
      onPointerUp={up}
      onPointerCancel={() => setPointed(null)}
      onPointerLeave={() => setPointed(before => (before?.dragging ? before : null))}
    >
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas that is a picture; an img could not be drawn on */}
      <canvas ref={canvas} role="img" aria-label={label} style={{ width: layout.width, height: layout.height }} />
      {pointed ? (
        <>
          {coverOf(layout, from, to).map(({ x, y, width: wide, height }) => (
            <div key={`${x} ${y}`} className="strip-pointed" style={{ left: x, top: y, width: wide, height }} />
          ))}
          <div
            className="strip-tip small num"
            style={tipPlace((to % layout.columns) * layout.cell, Math.floor(to / layout.columns) * layout.cell, layout)}
          >
            {from === to ? `${formatCount(from + 1)}: ${wordOf(codes.charAt(from))}` : `${formatCount(from + 1)} to ${formatCount(to + 1)}`}
          </div>
        </>
      ) : null}
    </div>
  )
}

/** Beside the cell, on the side where there is room. */
function tipPlace(x: number, y: number, { width, cell }: { readonly width: number; readonly cell: number }) {
  return x > width / 2 ? { right: width - x + 8, top: y + cell + 6 } : { left: x + cell + 8, top: y + cell + 6 }
}

function wordOf(code: string): string {
  return outcomeKinds.find(kind => kind.code === code)?.word ?? ''
}

/** The scheme that the document shows, so that a canvas is drawn again when it changes. */
function useColorScheme(): string {
  const read = (): string => document.documentElement.dataset['mantineColorScheme'] ?? 'light'
  const [scheme, setScheme] = useState(read)
  useEffect(() => {
    const observer = new MutationObserver(() => setScheme(read()))
    observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => observer.disconnect()
  }, [])
  return scheme
}
