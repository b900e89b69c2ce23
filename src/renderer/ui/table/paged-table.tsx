import type { RowData } from '@tanstack/react-table'
import { useMemo } from 'react'
import { allItems, type NextPage, type Page } from '../../api/pages.ts'
import { ErrorState } from '../states/error-state.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

/** What `useInfiniteQuery` tells about a list. */
export interface PagedList<Row> extends NextPage {
  readonly data: { readonly pages: readonly Page<Row>[] } | undefined
  readonly isPending: boolean
  readonly refetch: () => Promise<unknown>
}

interface PagedTableProps<Row extends RowData> extends Omit<DataTableProps<Row>, 'rows' | 'loading' | 'more'> {
  readonly query: PagedList<Row>
  /** Title of the error where nothing could be read: "Couldn’t load evaluators". */
  readonly failure: string
}

/** A table of a list that is read page by page. */
export function PagedTable<Row extends RowData>({ query, failure, ...table }: PagedTableProps<Row>) {
  const rows = useMemo(() => allItems(query.data), [query.data])
  if (query.error !== null && query.data === undefined)
    return <ErrorState error={query.error} title={failure} onRetry={() => void query.refetch()} />
  return <DataTable<Row> {...table} rows={rows} loading={query.isPending} more={query} />
}
