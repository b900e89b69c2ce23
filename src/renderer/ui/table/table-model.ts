import {
  columnResizingFeature,
  type ColumnSizingState,
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  type ReactTable,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from './column.ts'
import { compareValues, type Sort } from './sort.ts'

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

export type TableModel<Row extends RowData> = ReactTable<typeof features, Row>

interface ModelOptions<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly sort: Sort | null
  readonly sortedBy: 'browser' | 'service'
  readonly visibility: Readonly<Record<string, boolean>>
  readonly sizing: ColumnSizingState
  readonly onSizing: (updater: Updater<ColumnSizingState>) => void
}

/** The one place that knows TanStack Table: sorting, hiding and widths of a table's columns. */
export function useTableModel<Row extends RowData>(options: ModelOptions<Row>): TableModel<Row> {
  const { columns, rows, rowId, sort, sortedBy } = options
  const definitions = useMemo(
    () =>
      columns.map(column => ({
        id: column.id,
        // `undefined` is what the model puts last in both directions.
        accessorFn: (row: Row): unknown => column.sortValue?.(row) ?? undefined,
        size: column.width,
        minSize: 48,
        enableSorting: isSortable(column, sortedBy),
        sortUndefined: 'last' as const,
        sortFn: (a: { original: Row }, b: { original: Row }) =>
          compareValues(column.sortValue?.(a.original) ?? null, column.sortValue?.(b.original) ?? null),
      })),
    [columns, sortedBy],
  )
  return useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    manualSorting: sortedBy === 'service',
    columnResizeMode: 'onEnd',
    onColumnSizingChange: options.onSizing,
    state: {
      sorting: sort ? [{ id: sort.column, desc: sort.descending }] : [],
      columnVisibility: { ...options.visibility },
      columnSizing: options.sizing,
    },
  })
}

export function isSortable<Row>(column: Column<Row>, sortedBy: 'browser' | 'service'): boolean {
  return sortedBy === 'service' ? column.sortable === true : column.sortValue !== undefined
}
