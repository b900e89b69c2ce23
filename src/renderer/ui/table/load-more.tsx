import { Button } from '@mantine/core'

interface LoadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label?: string
  readonly size?: 'xs' | 'sm'
}

/** Under a list that is read page by page; nothing once all of it is read. */
export function LoadMore({ query, label = 'Load more', size = 'sm' }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div>
      <Button variant="default" size={size} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}
