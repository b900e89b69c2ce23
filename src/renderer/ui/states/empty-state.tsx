import './states.css'
import { lazy, type ReactNode, Suspense } from 'react'

export const Picture = lazy(() => import('../pictures/picture.tsx'))

/** Nothing here yet: says why, offers the one next step, and shows what it will look like. @param picture of the guide */
export function EmptyState({
  title,
  children,
  action,
  picture,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly picture?: string
}) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children ? <p className="quiet">{children}</p> : null}
      {action}
      {picture ? (
        <Suspense fallback={null}>
          <Picture name={picture} alt={`What this page looks like in the demo`} small />
        </Suspense>
      ) : null}
    </div>
  )
}
