import './results.css'
import { Anchor } from '@mantine/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ChartTable } from '../../charts/frame.ts'
import { useOwnWidth } from '../ui/page/use-own-width.ts'

interface ChartFigureProps {
  readonly table: ChartTable
  /** Draws the chart as wide as its place, so that its text keeps its size. */
  readonly children: (width: number) => ReactNode
  readonly maxWidth?: number
}

const narrowest = 280

/** A chart with its figures as a table one click away. */
export function ChartFigure({ table, children, maxWidth }: ChartFigureProps) {
  const { ref, width } = useOwnWidth()
  const [asTable, setAsTable] = useState(false)
  const follow = useInnerLinks()
  return (
    <figure className="results-figure" aria-label={table.caption} style={maxWidth === undefined ? undefined : { maxWidth }}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the links inside are what is clicked, and Enter clicks them too */}
      <div ref={ref} onClick={follow}>
        {asTable ? <FiguresTable table={table} /> : width > 0 ? children(Math.max(narrowest, width)) : null}
      </div>
      <figcaption>
        <button type="button" className="results-toggle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
          <span className="visually-hidden">: {table.caption}</span>
        </button>
      </figcaption>
    </figure>
  )
}

/** Links inside a drawing are plain ones, since charts know no router: they lead on without loading the page anew. */
function useInnerLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate()
  return event => {
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : null
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate(href)
  }
}

function FiguresTable({ table }: { readonly table: ChartTable }) {
  // The last words before the figures name the row.
  const nameColumn = Math.max(0, table.columns.findIndex(column => column.numeric) - 1)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that may scroll must be reachable by keyboard
    <section className="results-figure-table" tabIndex={0} aria-label={table.caption}>
      <table className="table table-plain">
        <caption className="visually-hidden">{table.caption}</caption>
        <thead>
          <tr>
            {table.columns.map(column => (
              <th key={column.label} scope="col" className={column.numeric ? 'table-end' : ''}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a chart have no identity but their place
            <tr key={index}>
              {table.columns.map((column, place) => (
                <td key={column.label} className={column.numeric ? 'table-end' : ''}>
                  {place === nameColumn && table.hrefs?.[index] ? (
                    <Anchor component={Link} inherit to={table.hrefs[index]}>
                      {row[place]}
                    </Anchor>
                  ) : (
                    row[place]
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
