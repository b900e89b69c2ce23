import './split-view.css'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A list with the opened row beside it. `panel` is a `SidePanel` or null. */
export function SplitView({ children, panel }: { readonly children: ReactNode; readonly panel: ReactNode }) {
  return (
    <div className={panel ? 'split split-with-panel' : 'split'}>
      <div className="split-list">{children}</div>
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
          <ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={`Close ${label.toLowerCase()}`}>
            <IconX size={16} />
          </ActionIcon>
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
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close()
    }
    split?.addEventListener('keydown', listen)
    return () => split?.removeEventListener('keydown', listen)
  }, [panel])
}
