interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/** Every item of a paged list. @param read given the query of the next page */
export async function* allPages<Item>(read: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await read({ limit: 100, ...(cursor === null ? {} : { cursor }) })
    yield* page.items
    cursor = page.next_cursor
  } while (cursor !== null)
}
