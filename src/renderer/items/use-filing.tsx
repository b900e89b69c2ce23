import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { archivedElsewhere, type ItemKind } from '../../contract/items/items.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import type { Column } from '../ui/table/column.ts'
import { SelectAll, tickColumn } from '../ui/table/tick-column.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { useChosen } from '../ui/table/use-chosen.ts'
import { FilingFilters } from './filing-filters.tsx'
import { SelectedItems } from './selected-items.tsx'

const always = () => true

/** Its functions are constants: the columns are made again with them. */
interface Filed<Row> {
  readonly kind: ItemKind
  /** What the items are called: "suites". */
  readonly plural: string
  readonly id: (row: Row) => string
  /** Safe to show. */
  readonly name: (row: Row) => string
  /** Whether the workspace may file it: what ships with the product may not be. */
  readonly isOwn?: (row: Row) => boolean
}

/** Folder and archive of a list: what is asked for, kept in the address, and a box in each row for what is done to several. */
export function useFiling<Row>(
  { kind, plural, id, name, isOwn = always }: Filed<Row>,
  rows: readonly Row[],
  given: readonly Column<Row>[],
) {
  const { chosen, toggle, choose } = useChosen()
  const filing = useFilingQuery(kind)
  const own = rows.filter(isOwn)
  const listed = own.map(id)
  const selected = listed.filter(one => chosen.has(one))
  const columns = useMemo((): readonly Column<Row>[] => {
    const ticks = tickColumn<Row>({
      label: row => `Select ${name(row)}`,
      isTicked: row => chosen.has(id(row)),
      onTick: row => toggle(id(row)),
      isOffered: isOwn,
    })
    const ids = rows.filter(isOwn).map(id)
    return [{ ...ticks, head: <SelectAll what={plural} listed={ids} chosen={chosen} onChoose={choose} /> }, ...given]
  }, [plural, id, name, isOwn, rows, given, chosen, toggle, choose])
  return {
    columns,
    onMark: (row: Row) => (isOwn(row) ? toggle(id(row)) : undefined),
    /** What is done to the selected rows, in place of the filters while there are some. */
    toolbar: (filters: ReactNode) =>
      selected.length > 0 ? (
        <SelectedItems kind={kind} ids={selected} isRestoring={filing.archived === 'true'} onClear={() => choose([])} />
      ) : (
        <>
          {filters}
          <FilingFilters kind={kind} />
        </>
      ),
  }
}

export interface FilingQuery {
  readonly folder?: string
  readonly archived?: 'true' | 'any'
}

/** Folder and archive that the address asks for. */
export function useFilingQuery(kind: ItemKind): FilingQuery {
  const { get } = useAddress()
  const folder = get('folder') || undefined
  const archived = archivedElsewhere.includes(kind) ? undefined : oneOf(get('archived'), ['true', 'any'])
  return useMemo(() => definedOf({ folder, archived }), [folder, archived])
}

export const noFiling = { folder: null, archived: null }
