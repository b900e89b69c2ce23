import { parse } from 'csv-parse/browser/esm/sync'
import type { NewRanking } from '../../contract/comparisons/rankings.schemas.ts'

type Battles = NewRanking['battles']
type Fields = Readonly<Record<string, unknown>>

/** Fields with amounts of style: `tokens_a` and `tokens_b` are one. */
const styleField = /^(.+)_a$/

/**
 * Battles of a file: a list or lines of JSON, or CSV, with `model_a`, `model_b` and `winner`.
 * @throws Error saying which row cannot be read, and why
 */
export function readBattles(text: string): Battles {
  const rows = readRows(text)
  if (rows.length < 2) throw new Error('The file holds fewer than two battles. Each needs model_a, model_b and winner.')
  return rows.map((row, i) => {
    const [first, second] = [textOf(row, 'model_a'), textOf(row, 'model_b')]
    const winner = winnerOf(row['winner'], first, second)
    if (first === '' || second === '' || winner === null)
      throw new Error(
        `Row ${i + 1} is not a battle: it needs model_a, model_b and a winner that is model_a, model_b, tie or the name of one of them, not ${JSON.stringify(row['winner'])}.`,
      )
    const style = styleOf(row)
    return { model_a: first, model_b: second, winner, ...(Object.keys(style).length > 0 && { style }) }
  })
}

function readRows(text: string): Fields[] {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (start.startsWith('[')) return objects(JSON.parse(start))
  if (start.startsWith('{')) {
    return objects(
      start
        .split('\n')
        .filter(line => line.trim() !== '')
        .map((line): unknown => JSON.parse(line)),
    )
  }
  return parse<Fields>(start, { columns: true, skip_empty_lines: true, trim: true })
}

function objects(value: unknown): Fields[] {
  if (!Array.isArray(value)) throw new Error('The file must hold a list of battles.')
  return value.map((row: unknown) => (typeof row === 'object' && row !== null ? { ...row } : {}))
}

function textOf(row: Fields, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value.trim() : ''
}

function winnerOf(value: unknown, first: string, second: string): Battles[number]['winner'] | null {
  const word = typeof value === 'string' ? value.trim() : ''
  if (word === 'model_a' || word === first) return 'model_a'
  if (word === 'model_b' || word === second) return 'model_b'
  return /^tie\b/i.test(word) ? 'tie' : null
}

function styleOf(row: Fields): NonNullable<Battles[number]['style']> {
  return Object.fromEntries(
    Object.keys(row).flatMap(field => {
      const name = styleField.exec(field)?.[1]
      if (name === undefined || name === 'model') return []
      const amounts = [row[field], row[`${name}_b`]].map(value => (value === '' || value === null ? Number.NaN : Number(value)))
      const [own = Number.NaN, other = Number.NaN] = amounts
      return amounts.every(amount => amount >= 0) ? [[name, [own, other] satisfies [number, number]]] : []
    }),
  )
}
