import type { ReactNode } from 'react'

/** A column of `DataTable` and `PlainTable`. */
export interface Column<Row> {
  readonly id: string
  /** Heading; also its name in the columns menu. */
  readonly title: string
  /** Shown in place of the title, such as a box that selects every row. */
  readonly head?: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Pixels at first. */
  readonly width: number
  /** Takes the width that is left; for one column of a table. */
  readonly grow?: boolean
  /** Numbers go to the end, so that their digits align. */
  readonly align?: 'start' | 'end'
  /** Makes the column sortable in the browser. For tables that the service sorts, set `sortable` instead. */
  readonly sortValue?: (row: Row) => string | number | null
  /** The service sorts by this column. */
  readonly sortable?: boolean
  /** Not shown until the reader asks for it. */
  readonly hiddenAtFirst?: boolean
  /** The column that names the row; always shown. */
  readonly rowHeader?: boolean
}
