import type { Column } from './column.ts'

export function RowCells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return columns.map(column => {
    const className = column.align === 'end' ? 'table-end' : ''
    return column.rowHeader ? (
      <th key={column.id} scope="row" className={className}>
        {column.cell(row)}
      </th>
    ) : (
      <td key={column.id} className={className}>
        {column.cell(row)}
      </td>
    )
  })
}
