import './split-view.css'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { IconButton } from '../forms/icon-button.tsx'
import { IconX } from '../pictures/icons.tsx'
import { panelWidths, usePanelWidth } from './use-panel-width.ts'

/** Pixels that an arrow key moves the edge of the panel by. */
const KEY_STEP = 32

interface SplitViewProps {
  readonly children: ReactNode
  /** A `SidePanel` or null. */
  readonly panel: ReactNode
}

/** A list with the opened row beside it. The width of the panel is dragged, or changed with the arrow keys, and kept on this machine. */
export function SplitView({ children, panel }: SplitViewProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, resize, reset } = usePanelWidth()
  const style = width === null ? undefined : ({ '--panel-width': `${width}px` } as CSSProperties) // CSSProperties has no custom ones
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const right = frame.current?.getBoundingClientRect().right
    if (right !== undefined && event.currentTarget.hasPointerCapture(event.pointerId)) resize(right - event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowLeft' ? KEY_STEP : event.key === 'ArrowRight' ? -KEY_STEP : 0
    if (step === 0) return
    event.preventDefault()
    const now = event.currentTarget.nextElementSibling?.getBoundingClientRect().width ?? 0
    resize(now + step)
  }
  return (
    <div className={panel ? 'split split-with-panel' : 'split'} ref={frame} style={style}>
      <div className="split-list">{children}</div>
      {panel ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that is moved is interactive
        <div
          className="split-handle"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- hr takes no focus
          role="separator"
          aria-orientation="vertical"
          aria-label="Width of the panel"
          aria-valuemin={panelWidths.narrowest}
          aria-valuemax={panelWidths.widest}
          aria-valuenow={width ?? panelWidths.usual}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- moved by keyboard as well
          tabIndex={0}
          onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onDoubleClick={reset}
          onKeyDown={onKeyDown}
        />
      ) : null}
      {panel}
    </div>
  )
}

interface SidePanelProps {
  readonly title: ReactNode
  /** Name for screen readers, e.g. "Benchmark". */
  readonly label: string
  readonly onClose: () => void
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function SidePanel({ title, label, onClose, actions, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEscape(panel, onClose)
  return (
    <aside className="split-panel" aria-label={label} ref={panel}>
      <header>
        <h2>{title}</h2>
        <div className="row" style={{ flexWrap: 'nowrap' }}>
          {actions}
          <IconButton icon={IconX} label={`Close ${label.toLowerCase()}`} onClick={onClose} />
        </div>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <section className="split-panel-body" tabIndex={0} aria-label={`${label} details`}>
        {children}
      </section>
    </aside>
  )
}

/** Escape closes the panel, from inside it and from the list beside it. */
function useEscape(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const split = panel.current?.parentElement
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close()
    }
    split?.addEventListener('keydown', listen)
    return () => split?.removeEventListener('keydown', listen)
  }, [panel])
}
