import type { RowData } from '@tanstack/react-table'
import type { NextPage } from '../../api/pages.ts'
import { ErrorState } from '../states/error-state.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

interface PagedTableProps<Row extends RowData> extends Omit<DataTableProps<Row>, 'loading' | 'more'> {
  /** Pages of a list, of which `rows` are the items that have been read. */
  readonly query: NextPage & {
    readonly data: unknown
    readonly isPending: boolean
    readonly refetch: () => Promise<unknown>
  }
  /** Title of the error where nothing could be read: "Couldn’t load evaluators". */
  readonly failure: string
}

/** A table of a list that is read page by page. */
export function PagedTable<Row extends RowData>({ query, failure, ...table }: PagedTableProps<Row>) {
  if (query.error !== null && query.data === undefined)
    return <ErrorState error={query.error} title={failure} onRetry={() => void query.refetch()} />
  return <DataTable<Row> {...table} loading={query.isPending} more={query} />
}
