import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isPageDue } from '../../../../src/renderer/api/pages.ts'
import { DataTable } from '../../../../src/renderer/ui/table/data-table.tsx'
import { LoadMore } from '../../../../src/renderer/ui/table/load-more.tsx'
import { PagedTable } from '../../../../src/renderer/ui/table/paged-table.tsx'

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('location', new URL('http://127.0.0.1/things'))
})
afterAll(() => vi.unstubAllGlobals())

const columns = [{ id: 'name', title: 'Name', width: 100, rowHeader: true, cell: ({ name }: { name: string }) => name }]
const done = () => Promise.resolve()
const query = {
  error: null,
  isPending: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: done,
  refetch: done,
}

/** A list of things with these names, or one of which nothing was read. */
function shown(state: Partial<Omit<typeof query, 'error'> & { error: Error | null }>, names: readonly string[] | null): string {
  const data = names === null ? undefined : { pages: [{ items: names.map(name => ({ name })), next_cursor: null }] }
  return renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <PagedTable
          query={{ ...query, ...state, data }}
          failure="Couldn’t load things"
          id="things"
          label="Things"
          columns={columns}
          rowId={({ name }) => name}
          empty="No things yet"
        />
      </MemoryRouter>
    </MantineProvider>,
  )
}

test('shows rows, or what stands for none', () => {
  expect(shown({}, ['first', 'second'])).toMatch(/first.*second/)
  expect(shown({}, [])).toContain('No things yet')
  expect(shown({ isPending: true }, null)).not.toContain('No things yet')
})

test('shows the error where nothing was read, and the rows where a later read failed', () => {
  const error = new Error('down')
  expect(shown({ error }, null)).toContain('Couldn’t load things')
  const later = shown({ error }, ['first'])
  expect(later).toContain('first')
  expect(later).not.toContain('Couldn’t load things')
})

test('a next page that fails is said under the rows, with a way to try again, and is not asked for unasked', () => {
  const failed = { ...query, hasNextPage: true, isFetchNextPageError: true, error: new Error('down') }
  const button = renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <LoadMore query={failed} />
      </MemoryRouter>
    </MantineProvider>,
  )
  for (const markup of [shown(failed, ['first']), button]) {
    expect(markup).toMatch(/Couldn’t load more.*down.*Try again/)
  }
  expect(isPageDue(failed)).toBe(false)
  expect(isPageDue({ ...failed, isFetchNextPageError: false })).toBe(true)
  expect(shown({ ...failed, isFetchingNextPage: true }, ['first'])).not.toContain('Couldn’t load more')
})

test.each([
  { failed: true, narrowed: false, hasSearch: false },
  { failed: true, narrowed: true, hasSearch: true },
  { failed: false, narrowed: false, hasSearch: false },
])('a table without rows (failed: $failed, narrowed: $narrowed) shows a search: $hasSearch', ({ failed, narrowed, hasSearch }) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <DataTable
        id="things"
        label="Things"
        columns={columns}
        rows={[]}
        rowId={({ name }) => name}
        empty="No things yet"
        toolbar="Search things"
        failed={failed}
        narrowed={narrowed}
      />
    </MantineProvider>,
  )
  expect(markup.includes('Search things')).toBe(hasSearch)
})
