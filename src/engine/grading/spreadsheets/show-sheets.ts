import { z } from 'zod'

const mostRows = 60
const mostColumns = 26
const Cases = z.array(z.object({ input: z.record(z.string(), z.record(z.string(), z.string())) })).min(1)

/** The first workbook of a task as text: for each sheet a line for each row, `address=value` by `|`, its first 60 rows and 26 columns. */
export function showSheets(cases: unknown): string {
  const [first] = Cases.parse(cases)
  return Object.entries(first?.input ?? {})
    .map(([name, cells]) => [`Sheet "${name}":`, ...rowsOf(cells)].join('\n'))
    .join('\n\n')
}

function rowsOf(cells: Readonly<Record<string, string>>): string[] {
  const rows = new Map<number, string[]>()
  for (const [address, literal] of Object.entries(cells)) {
    const [, column = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(address) ?? []
    if (column.length !== 1 || Number(row) > mostRows) continue
    const line = rows.get(Number(row)) ?? []
    if (line.length < mostColumns) line.push(`${address}=${literal}`)
    rows.set(Number(row), line)
  }
  return [...rows.entries()].sort(([a], [b]) => a - b).map(([, line]) => line.join(' | '))
}
