import { type ReactNode, useState } from 'react'

interface FoldedProps {
  readonly summary: string
  readonly isSet: boolean
  readonly isRefused: boolean
  readonly children: ReactNode
}

/** Open at first where something is set, and while something is refused; a field that is emptied does not close it. */
export function Folded({ summary, isSet, isRefused, children }: FoldedProps) {
  const [open, setOpen] = useState(isSet)
  return (
    <details open={open || isRefused} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
