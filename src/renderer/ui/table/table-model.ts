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
  const { columns, rows, rowId, sort, sortedBy, visibility, sizing, onSizing } = options
  // An address is parsed anew each time, into another object.
  const { column, descending } = sort ?? {}
  const definitions = useMemo(
    () =>
      columns.map(one => ({
        id: one.id,
        // `undefined` is what the model puts last in both directions.
        accessorFn: (row: Row): unknown => one.sortValue?.(row) ?? undefined,
        size: one.width,
        minSize: 48,
        enableSorting: isSortable(one, sortedBy),
        sortUndefined: 'last' as const,
        sortFn: (a: { original: Row }, b: { original: Row }) =>
          compareValues(one.sortValue?.(a.original) ?? null, one.sortValue?.(b.original) ?? null),
      })),
    [columns, sortedBy],
  )
  const table = useMemo(
    () => ({
      features,
      columns: definitions,
      data: rows,
      getRowId: rowId,
      manualSorting: sortedBy === 'service',
      columnResizeMode: 'onEnd' as const,
      onColumnSizingChange: onSizing,
      state: {
        sorting: column === undefined ? [] : [{ id: column, desc: descending === true }],
        columnVisibility: { ...visibility },
        columnSizing: sizing,
      },
    }),
    [definitions, rows, rowId, sortedBy, onSizing, column, descending, visibility, sizing],
  )
  return useTable(table)
}

export function isSortable<Row>(column: Column<Row>, sortedBy: 'browser' | 'service'): boolean {
  return sortedBy === 'service' ? column.sortable === true : column.sortValue !== undefined
}
