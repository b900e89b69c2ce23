import './states.css'
import type { ReactNode } from 'react'

/** Nothing here yet: says why, and offers the one next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children ? <p className="quiet">{children}</p> : null}
      {action}
    </div>
  )
}
