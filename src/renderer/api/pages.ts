import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/**
 * Options for `useInfiniteQuery` over a listing with `cursor` and `next_cursor`.
 *
 * @example useInfiniteQuery(pagedQuery(['runs', { status }], cursor => call('listRuns', { query: { status, cursor } })))
 */
export function pagedQuery<Item>(queryKey: QueryKey, fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: page => page.next_cursor ?? undefined,
  })
}

/** All rows loaded so far, as one list. */
export function allItems<Item>(data: { readonly pages: readonly Page<Item>[] } | undefined): readonly Item[] {
  return data ? data.pages.flatMap(page => page.items) : []
}

/** All rows of a listing, page after page: for choices and facets, which must be complete. For listings of some hundred rows. */
export async function everyPage<Item>(fetchPage: (cursor: string | undefined) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await fetchPage(cursor)
    items.push(...page.items)
    if (page.next_cursor === null) return items
    cursor = page.next_cursor
  }
}

/** What `useInfiniteQuery` tells about the next page of a list. */
export interface NextPage {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
  readonly fetchNextPage: () => Promise<unknown>
}

/** Whether the next page can be read unasked: one that failed is read again by hand alone. */
export function isPageDue({ hasNextPage, isFetchingNextPage, isFetchNextPageError }: NextPage): boolean {
  return hasNextPage && !isFetchingNextPage && !isFetchNextPageError
}
