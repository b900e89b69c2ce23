import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { LinesSkeleton } from './skeletons.tsx'

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>
  /** What did not work, for the error state: "Couldn’t load the benchmark". */
  readonly failure: string
  readonly loading?: ReactNode
  /** The page's header until the data are there, which name the page. */
  readonly header?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Loading, error and full state of one query. Data that was read before stays on screen when a refresh fails. */
export function QueryView<Data>({ query, failure, loading = <LinesSkeleton />, header, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <>
      {header}
      {query.isError ? <ErrorState error={query.error} title={failure} onRetry={() => void query.refetch()} /> : loading}
    </>
  )
}
