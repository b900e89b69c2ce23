import './table.css'
import type { RowData } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import { formatCount } from '../../../lib/format/numbers.ts'
import { isPageDue, type NextPage } from '../../api/pages.ts'
import { useOwnWidth } from '../page/use-own-width.ts'
import { TableSkeleton } from '../states/skeletons.tsx'
import type { Column } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { CutRow, hideCutText, showCutText } from './cut-text.tsx'
import type { Sort } from './sort.ts'
import { PageFailure } from './load-more.tsx'
import { TableBody } from './table-body.tsx'
import { TableHead } from './table-head.tsx'
import { useTableModel } from './table-model.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { usePreferences, widthOf } from './use-preferences.ts'

export interface DataTableProps<Row extends RowData> {
  /** Unique in the app: widths and shown columns are kept under it. */
  readonly id: string
  /** Names the table for screen readers, e.g. "Runs". */
  readonly label: string
  /** A constant, or memoized: a new array means new columns. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  /** By default none can be chosen: the rows keep the order of the service. */
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  /** `browser` sorts the loaded rows, so only for lists that are loaded whole; `service` expects rows in the order of `sort`. */
  readonly sortedBy?: 'browser' | 'service'
  /** Search and filters, left of the count and the columns menu. */
  readonly toolbar?: ReactNode
  /** Pixels, where a row shows more than one line of text. */
  readonly rowHeight?: number
  /** The row that is open beside the list. */
  readonly openId?: string | null
  readonly onOpen?: (row: Row, index: number) => void
  /** Space on the active row, for a table whose rows can be ticked. */
  readonly onMark?: (row: Row) => void
  /** Pages that are not loaded yet. */
  readonly more?: NextPage
  /**
   * Rows by their place instead of `rows`, for a list that is read in stretches: any row can be scrolled to at once. Memoize `onRange`.
   */
  readonly lazy?: {
    readonly count: number
    /** Undefined while it is read. */
    readonly rowAt: (index: number) => Row | undefined
    readonly openIndex: number
    /** The rows in view changed; `last` included. */
    readonly onRange: (first: number, last: number) => void
    /** The rows and their count are being searched: those shown are from before. */
    readonly searching: boolean
    /** Differs where the list contains other rows or has another order; it then begins at its top. */
    readonly contents: string
  }
  readonly loading?: boolean
  /** False where no search or filter narrows the list: one without rows then shows no toolbar, since there is nothing to search. */
  readonly narrowed?: boolean
  /** What could not be read is not empty: the page shows the error instead. */
  readonly failed?: boolean
  /** In place of the rows when there are none. */
  readonly empty: ReactNode
}

const ROW_HEIGHT = 32
const HEAD_HEIGHT = 32
/** Size of the window until it has been measured, so that the first picture has rows in it. Pixels. */
const FIRST_GUESS = { width: 1000, height: 640 }
/** Rows before the end of the loaded ones at which the next page is loaded. */
const LOAD_AHEAD = 30
const ignore = (): void => undefined

/** A virtualised table: sticky heading, columns to sort, hide and resize, rows to walk through and open by keyboard. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const {
    id,
    label,
    columns,
    rows,
    rowId,
    sort = null,
    onSort = ignore,
    sortedBy = 'service',
    toolbar,
    rowHeight = ROW_HEIGHT,
    openId = null,
    onOpen,
    onMark,
    more,
    lazy,
    loading = false,
    failed = false,
    narrowed = true,
    empty,
  } = props
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: frame, width } = useOwnWidth()
  const preferences = usePreferences(id, columns)
  const { visibility, sizing, setSizing } = preferences
  const model = useTableModel({ columns, rows, rowId, sort, sortedBy, visibility, sizing, onSizing: setSizing })
  const sorted = model.getRowModel().rows
  const count = lazy ? lazy.count : sorted.length
  const isEmpty = !loading && !failed && count === 0 && lazy?.searching !== true
  const rowAt = (index: number): { readonly id: string; readonly original: Row } | undefined => {
    if (!lazy) return sorted[index]
    const row = lazy.rowAt(index)
    return row && { id: rowId(row), original: row }
  }
  // oxlint-disable-next-line react/incompatible-library -- only the React Compiler minds, and it is not used
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    initialRect: FIRST_GUESS,
    overscan: 6,
    // The rows begin below the heading, which is in the scrolled window and covers its top.
    scrollPaddingEnd: HEAD_HEIGHT,
  })
  const openRow = (index: number): void => {
    const row = rowAt(index)
    if (row) onOpen?.(row.original, index)
  }
  const markRow = (index: number): void => {
    const row = rowAt(index)
    if (row) onMark?.(row.original)
  }
  const keys = useGridKeys({
    count,
    pageSize: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
    openIndex: openId === null ? -1 : lazy ? lazy.openIndex : sorted.findIndex(row => row.id === openId),
    scrollTo: index => virtualizer.scrollToIndex(index),
    onOpen: onOpen ? openRow : undefined,
    onMark: onMark ? markRow : undefined,
  })
  const openClicked = (event: MouseEvent): void => {
    const index = clickedRow(event.target)
    if (index === null) return
    keys.setActive(index)
    openRow(index)
  }
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  useLoadAhead(items.at(-1)?.index ?? 0, sorted.length, more)
  useRange(items[0]?.index ?? 0, items.at(-1)?.index ?? 0, lazy?.onRange)
  // A row that the address names is shown, wherever it is in the list.
  const opened = lazy && openId !== null ? lazy.openIndex : -1
  const contents = lazy?.contents
  const { setActive } = keys
  const shownContents = useRef(contents)
  const scrolledTo = useRef<string | null>(null)
  // Opening a row may narrow the list and wrap its toolbar, which leaves fewer rows in view.
  const height = virtualizer.scrollRect?.height ?? 0
  const shownHeight = useRef(height)
  useEffect(() => {
    if (shownContents.current !== contents) {
      shownContents.current = contents
      scrolledTo.current = openId
      setActive(null)
      virtualizer.scrollToOffset(0)
    }
    if (opened < 0 || (scrolledTo.current === openId && shownHeight.current === height)) return
    scrolledTo.current = openId
    shownHeight.current = height
    virtualizer.scrollToIndex(opened)
  }, [opened, openId, contents, height, virtualizer, setActive])

  // What a scroll does not change is not drawn again: only rows that come into view are.
  const shown = useMemo(() => columns.filter(column => column.rowHeader || visibility[column.id] !== false), [columns, visibility])
  const head = useMemo(
    () => <TableHead model={model} columns={shown} sort={sort} sortedBy={sortedBy} onSort={onSort} />,
    [model, shown, sort, sortedBy, onSort],
  )
  const columnsMenu = useMemo(
    () => <ColumnsMenu columns={columns} shown={shown} preferences={preferences} />,
    [columns, shown, preferences],
  )
  const minWidth = shown.reduce((sum, column) => sum + widthOf(column, sizing), 0)
  const activeRow = items.some(item => item.index === keys.active) ? `${gridId}-${keys.active}` : undefined
  const isWide = width > 0 && minWidth > width

  return (
    <div className="table-frame" ref={frame}>
      {!narrowed && !loading && count === 0 ? null : (
        <div className="table-toolbar">
          {toolbar}
          <div className="table-toolbar-end">
            <output className="quiet small num">
              {loading || (failed && count === 0)
                ? ''
                : lazy?.searching
                  ? 'Searching…'
                  : `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}${more?.hasNextPage ? ' loaded, more below' : ''}`}
            </output>
            {isEmpty ? null : columnsMenu}
          </div>
        </div>
      )}
      {loading ? <TableSkeleton /> : null}
      {isEmpty ? empty : null}
      {!loading && count > 0 ? (
        <div className={`table-scroll${onOpen ? ' table-rows-open' : ''}${isWide ? ' table-wide' : ''}`} ref={scroller}>
          <table
            id={gridId}
            className="table"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- rows are walked through and opened: that is a grid
            role="grid"
            aria-label={label}
            aria-rowcount={more?.hasNextPage ? -1 : count + 1}
            aria-activedescendant={activeRow}
            tabIndex={0}
            onKeyDown={keys.onKeyDown}
            onClick={onOpen ? openClicked : undefined}
            onBlur={keys.onBlur}
            onPointerOver={showCutText}
            onPointerOut={hideCutText}
            style={{ minWidth }}
          >
            <colgroup>
              {shown.map(column => (
                <col key={column.id} style={column.grow && sizing[column.id] === undefined ? {} : { width: widthOf(column, sizing) }} />
              ))}
            </colgroup>
            {head}
            <TableBody
              columns={shown}
              rowAt={rowAt}
              items={items}
              totalSize={virtualizer.getTotalSize()}
              active={keys.active}
              openId={openId}
              selectable={onOpen !== undefined}
              gridId={gridId}
            />
          </table>
          <CutRow gridId={gridId} rowId={activeRow} walked={keys.walked && openId === null} />
          {more?.isFetchingNextPage ? <div className="table-foot">Loading more…</div> : null}
          {more ? <PageFailure query={more} /> : null}
        </div>
      ) : null}
    </div>
  )
}

/** Index of the row under a click, or null where the click was meant for a link or button in it, or for the heading. */
function clickedRow(target: EventTarget): number | null {
  if (!(target instanceof Element) || target.closest('a, button, input, label')) return null
  const index = target.closest('tr')?.dataset['index']
  return index === undefined ? null : Number(index)
}

function useRange(first: number, last: number, onRange: ((first: number, last: number) => void) | undefined): void {
  useEffect(() => onRange?.(first, last), [first, last, onRange])
}

function useLoadAhead(lastVisible: number, loaded: number, more: DataTableProps<RowData>['more']): void {
  const due = more !== undefined && isPageDue(more) && lastVisible >= loaded - LOAD_AHEAD
  const load = more?.fetchNextPage
  useEffect(() => {
    if (due) void load?.()
  }, [due, load])
}
