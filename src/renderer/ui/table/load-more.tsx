import { Button } from '@mantine/core'
import type { NextPage } from '../../api/pages.ts'
import { ErrorState } from '../states/error-state.tsx'

interface LoadMoreProps {
  readonly query: NextPage
  readonly label?: string
  readonly size?: 'xs' | 'sm'
}

/** Under a list that is read page by page; nothing once all of it is read. */
export function LoadMore({ query, label = 'Load more', size = 'sm' }: LoadMoreProps) {
  if (query.isFetchNextPageError && !query.isFetchingNextPage) return <PageFailure query={query} />
  if (!query.hasNextPage) return null
  return (
    <div>
      <Button variant="default" size={size} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}

/** Why the next page isn't there, under the rows that are; nothing where it did not fail. */
export function PageFailure({ query }: Pick<LoadMoreProps, 'query'>) {
  if (!query.isFetchNextPageError || query.isFetchingNextPage || !query.error) return null
  return <ErrorState error={query.error} title="Couldn’t load more" onRetry={() => void query.fetchNextPage()} />
}
