import type { Draw } from '../../../../tasks/draw.ts'

/** One order in the table that every workbook holds, from row 2 on: item, count, price, region in columns A to D. */
export interface Order {
  readonly item: string
  readonly count: number
  readonly price: number
  readonly region: string
}

/** Cells by sheet and address; values as Python literals. */
export type Sheets = Readonly<Record<string, Readonly<Record<string, string>>>>

export const regions = ['North', 'South', 'East', 'West'] as const
const items = ['chair', 'desk', 'lamp', 'shelf', 'stool', 'table'] as const

export function drawOrders(draw: Draw): Order[] {
  return Array.from({ length: draw.int(5, 10) }, () => ({
    item: draw.pick(items),
    count: draw.int(1, 30),
    price: draw.int(2, 90),
    region: draw.pick(regions),
  }))
}

export const text = (value: string): string => `'${value}'`

export function sheetOf(orders: readonly Order[]): Sheets {
  const cells: Record<string, string> = { A1: text('Item'), B1: text('Count'), C1: text('Price'), D1: text('Region') }
  for (const [i, { item, count, price, region }] of orders.entries()) {
    const row = i + 2
    cells[`A${row}`] = text(item)
    cells[`B${row}`] = String(count)
    cells[`C${row}`] = String(price)
    cells[`D${row}`] = text(region)
  }
  return { Orders: cells }
}

/** The first workbook as the model is shown it: a line for each row. */
export function show(orders: readonly Order[]): string {
  const rows = orders.map(({ item, count, price, region }, i) => `${i + 2} | ${item} | ${count} | ${price} | ${region}`)
  return ['row | A | B | C | D', '1 | Item | Count | Price | Region', ...rows].join('\n')
}
