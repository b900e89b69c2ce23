import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { ItemKind } from '../../contract/items/items.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { allItems } from '../api/pages.ts'
import { NoMatches } from '../ui/states/no-matches.tsx'
import type { Column } from '../ui/table/column.ts'
import { type PagedList, PagedTable } from '../ui/table/paged-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { noFiling, useFiling, useFilingQuery } from './use-filing.tsx'

interface Item {
  readonly id: string
  readonly name: string
}

const idOf = ({ id }: Item) => id
const nameOf = ({ name }: Item) => showHidden(name)

interface FiledTableProps<Row extends Item> {
  readonly kind: ItemKind
  /** What the items are called: "decisions". */
  readonly plural: string
  /** What is filed of a row, where that is not the row itself; a constant. */
  readonly filedId?: (row: Row) => string
  readonly query: PagedList<Row>
  /** Title of the error where nothing could be read. */
  readonly failure: string
  /** Under which widths and shown columns are kept. */
  readonly id: string
  readonly label: string
  /** A constant, or memoized. */
  readonly columns: readonly Column<Row>[]
  /** Where the page of an item is, without its id. */
  readonly path: string
  /** The list's own filters by their name in the address, whatever narrows it beside `useFilingQuery`. */
  readonly filters: Readonly<Record<string, string | undefined>>
  readonly filterFields: ReactNode
  /** Shown where there is no item, whatever the filters. */
  readonly empty: ReactNode
}

/**
 * The list of a kind of items that a workspace puts in folders and archives: read page by page, narrowed by its filters. Lists whose
 * items may ship with the product (`isOwn`: benchmarks, suites) are read whole and use `useFiling` themselves.
 */
export function FiledTable<Row extends Item>(props: FiledTableProps<Row>) {
  const { kind, plural, filedId = idOf, query, columns, path, filters } = props
  const navigate = useNavigate()
  const { set } = useAddress()
  const rows = useMemo(() => allItems(query.data), [query.data])
  const filing = useFiling({ kind, plural, id: filedId, name: nameOf }, rows, columns)
  const asked = { ...filters, ...useFilingQuery(kind) }
  const narrowed = Object.values(asked).some(value => value !== undefined && value !== '')
  const clear = () => set({ ...Object.fromEntries(Object.keys(filters).map(name => [name, null])), ...noFiling })
  return (
    <PagedTable<Row>
      query={query}
      failure={props.failure}
      id={props.id}
      label={props.label}
      columns={filing.columns}
      onMark={filing.onMark}
      rowId={({ id }) => id}
      narrowed={narrowed}
      onOpen={({ id }) => void navigate(`${path}/${id}`)}
      toolbar={filing.toolbar(props.filterFields)}
      empty={narrowed ? <NoMatches kind={plural} onClear={clear} /> : props.empty}
    />
  )
}
