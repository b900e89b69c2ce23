import type { ReactNode } from 'react'

/** Names over numbers, each in a fixed place, so that nothing moves when a number grows. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="runs-facts">{children}</dl>
}

export function Fact({ name, title, children }: { readonly name: string; readonly title?: string; readonly children: ReactNode }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
