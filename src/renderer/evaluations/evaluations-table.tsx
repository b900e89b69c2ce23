import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { EvaluationListItem } from '../../contract/evaluations/evaluations.schemas.ts'
import { allItems, isPageDue } from '../api/pages.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddressSort } from '../ui/table/use-address.ts'
import { evaluationColumns } from './evaluation-columns.tsx'
import { type EvaluationFilters, useEvaluations } from './evaluations.queries.ts'

interface EvaluationsTableProps {
  readonly filters: EvaluationFilters
  readonly toolbar?: ReactNode
  readonly empty: ReactNode
  /** Where the address keeps the sort, for a page with more than one table. */
  readonly sortName?: string
}

export function EvaluationsTable({ filters, toolbar, empty, sortName = 'sort' }: EvaluationsTableProps) {
  const navigate = useNavigate()
  const [sort, setSort] = useAddressSort(sortName)
  const query = useEvaluations(filters)
  const { fetchNextPage } = query
  const rows = useMemo(() => allItems(query.data), [query.data])
  // The service lists the newest first. Another order is only true of the whole list.
  const needsAll = sort !== null && isPageDue(query)
  useEffect(() => {
    if (needsAll) void fetchNextPage()
  }, [needsAll, fetchNextPage])
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="Couldn’t load the evaluations" onRetry={() => void query.refetch()} />
  }
  return (
    <DataTable<EvaluationListItem>
      id="evaluations"
      label="Evaluations"
      columns={evaluationColumns}
      rows={rows}
      rowId={one => one.id}
      sort={sort}
      onSort={setSort}
      sortedBy="browser"
      loading={query.isPending}
      onOpen={one => void navigate(`/suites/evaluations/${one.id}`)}
      more={query}
      narrowed={toolbar === undefined ? false : Object.values(filters).some(Boolean)}
      toolbar={toolbar}
      empty={empty}
    />
  )
}
