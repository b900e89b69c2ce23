import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { mostBattles, type NewRanking } from '../../contract/comparisons/rankings.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { mendJson } from '../../lib/mend-json.ts'

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
  return rows.map(({ at, row }) => {
    const [first, second] = [textOf(row, 'model_a'), textOf(row, 'model_b')]
    const winner = winnerOf(row['winner'] ?? markedWinner(row), first, second)
    if (first === '' || second === '' || winner === null)
      throw new Error(
        `${at} is not a battle: it needs model_a, model_b and a winner that is model_a, model_b, tie or the name of one of them, not ${JSON.stringify(row['winner'])}.`,
      )
    const style = styleOf(row)
    return { model_a: first, model_b: second, winner, ...(Object.keys(style).length > 0 && { style }) }
  })
}

interface PlacedRow {
  /** "Line 3", or "Row 3" of a list. */
  readonly at: string
  readonly row: Fields
}

function readRows(text: string): PlacedRow[] {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  const skipped = text.slice(0, text.length - start.length).split('\n').length - 1
  const line = (number: number) => `Line ${number + skipped}`
  if (start.startsWith('[')) return objects(parsed(start)).map((row, i) => ({ at: `Row ${i + 1}`, row }))
  if (start.startsWith('{'))
    return start.split('\n').flatMap((written, i) => {
      if (written.trim() === '') return []
      const [row = {}] = objects([parsed(written, `${line(i + 1)}: `)])
      return [{ at: line(i + 1), row }]
    })
  const rows: PlacedRow[] = []
  try {
    parse<Fields>(start, {
      columns: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (row, { lines }) => {
        rows.push({ at: line(lines), row })
        return null
      },
    })
  } catch (error) {
    throw error instanceof CsvError
      ? new Error(
          `${line(Number(error['lines'] ?? 1))} is not a row of CSV with the columns of the first line. Put texts with commas or quotes in double quotes.`,
        )
      : error
  }
  return rows
}

function parsed(text: string, place = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(place + mendJson(text))
  }
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
  return /^(?:tie\b|both_?bad$)/i.test(word) ? 'tie' : null
}

/** A column for each outcome, of which one is 1. */
function markedWinner(row: Fields): string | undefined {
  return ['model_a', 'model_b', 'tie'].find(outcome => Number(row[`winner_${outcome}`]) === 1)
}

/**
 * What a request may hold: battles that are alike are one row with their number, where neither order nor style counts.
 * @throws Error where that many cannot be sent
 */
export function battlesToSend(battles: Battles, isOrdered: boolean): Battles {
  if (battles.length <= mostBattles) return battles
  if (isOrdered)
    throw new Error(
      `At most ${formatCount(mostBattles)} battles are ranked by Elo or with style control, and the file has ${formatCount(battles.length)}. Rank them by Bradley–Terry, or send fewer.`,
    )
  const alike = Map.groupBy(battles, ({ model_a, model_b, winner }) => JSON.stringify([model_a, model_b, winner]))
  return [...alike.values()].flatMap(of =>
    of[0] ? [{ model_a: of[0].model_a, model_b: of[0].model_b, winner: of[0].winner, times: of.length }] : [],
  )
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
