import './page-header.css'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface PageProps {
  readonly children: ReactNode
  /** `fill`: as high as the window, for one big table; `narrow`: for forms and text. */
  readonly layout?: 'flow' | 'fill' | 'narrow'
}

/** The outer element of every page. */
export function Page({ children, layout = 'flow' }: PageProps) {
  return <div className={`page page-${layout}`}>{children}</div>
}

interface PageHeaderProps {
  /** Also the document's title. Focus goes here when the page is opened. */
  readonly title: string
  readonly description?: ReactNode
  /** Where this page is listed. */
  readonly parent?: { readonly title: string; readonly to: string }
  /** Beside the title: a status, a count. */
  readonly aside?: ReactNode
  /** Buttons on the right; the main one last. */
  readonly actions?: ReactNode
}

export function PageHeader({ title, description, parent, aside, actions }: PageHeaderProps) {
  return (
    <header className="page-header">
      <title>{`${title} · Assay`}</title>
      <div>
        {parent ? (
          <nav className="page-header-crumb" aria-label="Breadcrumb">
            <Anchor component={Link} to={parent.to} fz="xs">
              {parent.title}
            </Anchor>
            <span aria-hidden className="quiet">
              /
            </span>
          </nav>
        ) : null}
        <div className="row">
          <h1 tabIndex={-1}>{title}</h1>
          {aside}
        </div>
        {description ? <div className="quiet prose">{description}</div> : null}
      </div>
      {actions ? <div className="row">{actions}</div> : null}
    </header>
  )
}

/** A part of a page under a hairline. */
export function Section({ title, aside, children }: { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className="page-section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
