import './key-values.css'
import type { ReactNode } from 'react'

/** Pairs of name and value; a pair whose value is null is left out. */
export function KeyValues({ items }: { readonly items: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="key-values">
      {Object.entries(items)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
