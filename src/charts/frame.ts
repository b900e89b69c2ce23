import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { showHidden } from '../lib/format/visible-text.ts'
import { inkMuted } from './colors.ts'

/** The same figures as a chart shows, as text: every chart has one, for readers who cannot see it or want the digits. */
export interface ChartTable {
  readonly caption: string
  readonly columns: readonly { readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly (readonly string[])[]
  /** Address of what each row counts, by its place; absent where rows lead nowhere. */
  readonly hrefs?: readonly (string | undefined)[]
}

/** What every chart takes. Names may be untrusted: hidden characters in them are shown as marked escapes. */
export interface ChartProps {
  /** Its accessible name. */
  readonly title: string
  /** Width of the drawing in its own units, which are pixels where the page gives it that width; text keeps 11 to 12 of them. */
  readonly width?: number
}

/**
 * A mark that leads to what it shows; the mark itself where there is no address.
 * @param skipped by the Tab key, where dozens of marks are side by side and filters lead to the same
 */
export function linked(href: string | undefined, label: string, mark: ReactElement, skipped = false): ReactElement {
  return href === undefined
    ? mark
    : h(
        'a',
        { key: mark.key, href, className: 'chart-link', ...(skipped ? { tabIndex: -1 } : {}) },
        // Its name and its tooltip: a label would have to repeat the text in the mark, which may be cut.
        h('title', null, showHidden(label)),
        mark,
      )
}

export const defaultWidth = 640

/** Above as many rows that lead somewhere, the Tab key skips them: the table beside a chart has the same addresses. */
export const mostStops = 20

interface Frame {
  readonly title: string
  /** Whether marks in it are links, which a picture must not hold. */
  readonly interactive?: boolean
  readonly description: string
  readonly width: number
  readonly height: number
}

/** The svg element around a chart: scales with the page, and is named and described from within. */
export function frame({ title, description, width, height, interactive = false }: Frame, ...children: readonly ReactNode[]): ReactElement {
  const name = showHidden(title)
  return h(
    'svg',
    {
      className: 'chart',
      role: interactive ? 'group' : 'img',
      'aria-label': name,
      viewBox: `0 0 ${width} ${height}`,
      width: '100%',
      fontSize: 12,
    },
    h('title', null, name),
    h('desc', null, showHidden(description)),
    ...children,
  )
}

/** Text shown by a chart that has no data. */
export function noData(title: string, width: number, reason: string): ReactElement {
  return frame(
    { title, description: `No data: ${reason}`, width, height: 48 },
    h('text', { x: width / 2, y: 28, textAnchor: 'middle', fill: inkMuted }, `No data: ${reason}`),
  )
}

/** A coordinate with two decimals: finer than any screen, and short in a file. */
export function px(coordinate: number): number {
  return Math.round(coordinate * 100) / 100
}

/** The number, or null for one that cannot be drawn. */
export function finite(value: number | null | undefined): number | null {
  return value === null || value === undefined || !Number.isFinite(value) ? null : value
}
