import type { VirtualItem } from '@tanstack/react-virtual'
import { memo, type ReactNode } from 'react'
import type { Column } from './column.ts'
import { RowCells } from './row-cells.tsx'

interface TableBodyProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rowAt: (index: number) => { readonly id: string; readonly original: Row } | undefined
  readonly items: readonly VirtualItem[]
  /** Pixels of all rows together. */
  readonly totalSize: number
  readonly active: number
  readonly openId: string | null
  readonly selectable: boolean
  readonly gridId: string
}

/** The rows in view, between two spacers as high as the rows that are not: a real table, whatever its length. */
export function TableBody<Row>({ columns, rowAt, items, totalSize, active, openId, selectable, gridId }: TableBodyProps<Row>) {
  const before = items[0]?.start ?? 0
  const after = totalSize - (items.at(-1)?.end ?? 0)
  return (
    <tbody>
      {before > 0 ? <Spacer height={before} columns={columns.length} /> : null}
      {items.map(item => {
        const row = rowAt(item.index)
        return row ? (
          <BodyRow
            key={row.id}
            id={`${gridId}-${item.index}`}
            index={item.index}
            height={item.size}
            row={row.original}
            columns={columns}
            active={item.index === active}
            selected={selectable ? row.id === openId : undefined}
          />
        ) : (
          <tr key={`place-${item.index}`} className="table-waiting" aria-rowindex={item.index + 2} style={{ height: item.size }}>
            <td colSpan={columns.length}>…</td>
          </tr>
        )
      })}
      {after > 0 ? <Spacer height={after} columns={columns.length} /> : null}
    </tbody>
  )
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr className="table-spacer" aria-hidden>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- an empty stretch, hidden from the accessibility tree */}
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

interface BodyRowProps<Row> {
  readonly id: string
  readonly index: number
  readonly height: number
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly active: boolean
  readonly selected: boolean | undefined
}

function PlainBodyRow<Row>({ id, index, height, row, columns, active, selected }: BodyRowProps<Row>): ReactNode {
  return (
    <tr id={id} data-index={index} data-active={active} aria-rowindex={index + 2} aria-selected={selected} style={{ height }}>
      <RowCells row={row} columns={columns} />
    </tr>
  )
}

// `memo` drops the type parameter; the props are the same.
const BodyRow = memo(PlainBodyRow) as typeof PlainBodyRow
