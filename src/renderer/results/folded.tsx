import { type ReactNode, useState } from 'react'

/** Detail that is there for those who look for it. What is inside is only made, and only reads, once it is opened. */
export function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  return (
    <details
      className="results-folded"
      onToggle={event => {
        if (event.currentTarget.open) setOpened(true)
      }}
    >
      <summary>{title}</summary>
      {opened ? (
        <section className="results-folded-content" aria-label={title}>
          {children}
        </section>
      ) : null}
    </details>
  )
}
