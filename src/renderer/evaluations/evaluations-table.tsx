import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { EvaluationListItem } from '../../contract/evaluations/evaluations.schemas.ts'
import { isPageDue } from '../api/pages.ts'
import { PagedTable } from '../ui/table/paged-table.tsx'
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
  // The service lists the newest first. Another order is only true of the whole list.
  const needsAll = sort !== null && isPageDue(query)
  useEffect(() => {
    if (needsAll) void fetchNextPage()
  }, [needsAll, fetchNextPage])
  return (
    <PagedTable<EvaluationListItem>
      query={query}
      failure="Couldn’t load the evaluations"
      id="evaluations"
      label="Evaluations"
      columns={evaluationColumns}
      rowId={one => one.id}
      sort={sort}
      onSort={setSort}
      sortedBy="browser"
      onOpen={one => void navigate(`/suites/evaluations/${one.id}`)}
      narrowed={toolbar === undefined ? false : Object.values(filters).some(Boolean)}
      toolbar={toolbar}
      empty={empty}
    />
  )
}
