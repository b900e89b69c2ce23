import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { ChartTable } from '../../../../charts/frame.ts'
import { Mark } from '../../../../charts/mark.ts'
import { textSegments } from '../../../../lib/format/visible-text.ts'

/** Text that others wrote: isolated, so that its direction cannot reorder its neighbors, with hidden characters marked. */
export function untrusted(text: string): ReactElement {
  const parts = textSegments(text).map((segment, index) =>
    segment.kind === 'text' ? segment.text : h('span', { key: index, className: 'hidden-char' }, segment.text),
  )
  return h('bdi', null, ...parts)
}

/** A digest or an id: monospaced, breakable anywhere. */
export function code(text: string): ReactElement {
  return h('code', null, untrusted(text))
}

export function section(id: string, title: string, ...children: readonly ReactNode[]): ReactElement {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children)
}

/** What kind of document this is, under the product's sign. */
export function kicker(text: string): ReactElement {
  return h('p', { className: 'kicker' }, h(Mark, { size: 20 }), text)
}

export function definitions(entries: readonly (readonly [name: ReactNode, value: ReactNode])[]): ReactElement {
  return h(
    'dl',
    { className: 'facts' },
    ...entries.map(([name, value], key) => h('div', { key }, h('dt', null, name), h('dd', null, value))),
  )
}

export interface Column {
  readonly label: ReactNode
  readonly numeric?: boolean
}

/** A table with its caption, first column as row headers, in a box that may scroll sideways where the page is narrow. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly ReactNode[])[]): ReactElement {
  const numeric = (index: number) => (columns[index]?.numeric === true ? 'number' : undefined)
  return h(
    'div',
    { className: 'scroll' },
    h(
      'table',
      null,
      h('caption', null, untrusted(caption)),
      h(
        'thead',
        null,
        h('tr', null, ...columns.map(({ label }, index) => h('th', { key: index, scope: 'col', className: numeric(index) }, label))),
      ),
      h(
        'tbody',
        null,
        ...rows.map((cells, row) =>
          h(
            'tr',
            { key: row },
            ...cells.map((cell, index) =>
              index === 0 ? h('th', { key: index, scope: 'row' }, cell) : h('td', { key: index, className: numeric(index) }, cell),
            ),
          ),
        ),
      ),
    ),
  )
}

/** Address of the samples of a part, by its place in the results; the explorer's script follows it. */
export function partAddress(place: number): string {
  return `#part-${place}`
}

/** The last words before the figures name the row, and lead where the row leads. */
function linkedCell({ columns, hrefs }: ChartTable, row: number, place: number, cell: ReactElement): ReactElement {
  const href = hrefs?.[row]
  const name = Math.max(0, columns.findIndex(column => column.numeric) - 1)
  return href === undefined || place !== name ? cell : h('a', { href }, cell)
}

/** A chart with its visible title and, folded under it, the figures as a table. */
export function chartFigure(chart: ReactElement, data: ChartTable): ReactElement {
  return h(
    'figure',
    null,
    h('figcaption', null, untrusted(data.caption)),
    h('div', { className: 'scroll' }, chart),
    data.rows.length === 0
      ? null
      : h(
          'details',
          null,
          h('summary', null, 'Data table'),
          table(
            data.caption,
            data.columns,
            data.rows.map((row, index) => row.map((cell, place) => linkedCell(data, index, place, untrusted(cell)))),
          ),
        ),
  )
}
