import type { RowData } from '@tanstack/react-table'
import { IconArrowDown, IconArrowUp } from '../pictures/icons.tsx'
import type { Column } from './column.ts'
import { nextSort, type Sort } from './sort.ts'
import { isSortable, type TableModel } from './table-model.ts'

interface TableHeadProps<Row extends RowData> {
  readonly model: TableModel<Row>
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort | null
  readonly sortedBy: 'browser' | 'service'
  readonly onSort: (sort: Sort | null) => void
}

export function TableHead<Row extends RowData>({ model, columns, sort, sortedBy, onSort }: TableHeadProps<Row>) {
  const headers = model.getHeaderGroups()[0]?.headers ?? []
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(column => {
          const header = headers.find(candidate => candidate.column.id === column.id)
          const resize = header?.getResizeHandler()
          const direction = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : 'none'
          const sortable = isSortable(column, sortedBy)
          return (
            <th
              key={column.id}
              scope="col"
              className={column.align === 'end' ? 'table-end' : ''}
              {...(sortable ? { 'aria-sort': direction } : {})}
            >
              {sortable ? (
                <button
                  type="button"
                  className="table-sort"
                  data-sorted={direction !== 'none'}
                  onClick={() => onSort(nextSort(sort, column.id))}
                >
                  {column.title}
                  {direction === 'ascending' ? <IconArrowUp size={12} aria-hidden /> : null}
                  {direction === 'descending' ? <IconArrowDown size={12} aria-hidden /> : null}
                </button>
              ) : (
                (column.head ?? column.title)
              )}
              {/* By mouse or finger only; the columns menu sets widths by keyboard. */}
              <span
                className="table-handle"
                data-resizing={header?.column.getIsResizing() ?? false}
                onMouseDown={resize}
                onTouchStart={resize}
                onDoubleClick={() => header?.column.resetSize()}
                aria-hidden
              />
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
