import { formatNumber } from '../../../lib/format/numbers.ts'
import { withoutStretches } from '../../../lib/without-stretches.ts'
import type { Archive } from '../../archives/archive.ts'
import { openZip } from '../../archives/read-zip.ts'
import { dateFormats, isDateFormat } from './date-formats.ts'
import { serialLiteral } from './serial.ts'
import { decode, type Element, elements } from './xml.ts'

/** Cells by address, each value as a Python literal. Empty cells, and formulas that were never calculated, are absent. */
export type SheetCells = Readonly<Record<string, string>>

/** Characters of the cells of a workbook together: a text that many cells share is held once, and written for each. */
const mostCharacters = 256 * 1024 * 1024

/** The values of a workbook by sheet, in the order of its tabs. */
export type Workbook = ReadonlyMap<string, SheetCells>

/**
 * Reads the values of an xlsx file: what was calculated last where a cell holds a formula. Numbers in a format of dates or times are dates
 * and times, as Python's openpyxl reads them.
 * @throws ArchiveError when it is not a sound archive @throws Error when it is not a workbook
 */
export function readWorkbook(bytes: Buffer): Workbook {
  const zip = openZip(bytes)
  const has = new Set(zip.names)
  const part = (name: string) => (has.has(name) ? zip.read(name).toString('utf8') : '')
  const workbook = part('xl/workbook.xml')
  if (workbook === '') throw new Error('The file is no Excel workbook: it has no xl/workbook.xml.')
  const texts = elements(part('xl/sharedStrings.xml'), 'si').map(({ content }) => JSON.stringify(textOf(content)))
  const dates = dateStyles(part('xl/styles.xml'))
  const is1904 = elements(workbook, 'workbookPr').some(({ attributes }) => ['1', 'true'].includes(attributes['date1904'] ?? ''))
  const targets = relationTargets(zip)
  const sheets = new Map<string, SheetCells>()
  const nameOf = new Map<string, string>()
  let characters = 0
  for (const { attributes } of elements(workbook, 'sheet')) {
    const { name = '' } = attributes
    const target = targets.get(attributes['r:id'] ?? '') ?? ''
    const other = nameOf.get(target)
    // One that thousands name would be read for each.
    if (other !== undefined && has.has(target))
      throw new Error(
        `The sheets "${other.slice(0, 60)}" and "${name.slice(0, 60)}" have the same part; each has its own. Save the workbook again.`,
      )
    nameOf.set(target, name)
    const cells: Record<string, string> = {}
    for (const [address, literal] of cellsOf(part(target), texts, dates, is1904)) {
      characters += literal.length
      if (characters > mostCharacters)
        throw new Error(`Its cells have more than ${formatNumber(mostCharacters)} characters together, which is the most that are read.`)
      cells[address] = literal
    }
    sheets.set(name, cells)
  }
  return sheets
}

function relationTargets(zip: Archive): ReadonlyMap<string, string> {
  const name = 'xl/_rels/workbook.xml.rels'
  const xml = zip.names.includes(name) ? zip.read(name).toString('utf8') : ''
  return new Map(
    elements(xml, 'Relationship').map(({ attributes }) => {
      const target = attributes['Target'] ?? ''
      return [attributes['Id'] ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`]
    }),
  )
}

function* cellsOf(
  xml: string,
  texts: readonly string[],
  dates: ReadonlySet<number>,
  is1904: boolean,
): Generator<readonly [address: string, literal: string]> {
  for (const cell of elements(xml, 'c')) {
    const value = literalOf(cell, texts, dates, is1904)
    const address = cell.attributes['r']
    if (value !== null && address !== undefined) yield [address, value]
  }
}

function literalOf({ attributes, content }: Element, texts: readonly string[], dates: ReadonlySet<number>, is1904: boolean): string | null {
  const { t: type = 'n', s: style = '0' } = attributes
  if (type === 'inlineStr') return JSON.stringify(textOf(content))
  const [held] = elements(content, 'v')
  if (!held) return null
  const value = decode(held.content)
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '""'
    case 'b':
      return value.trim() === '1' ? 'True' : 'False'
    case 'n':
      return value.trim() === '' ? null : dates.has(Number(style)) ? serialLiteral(Number(value), is1904) : numberLiteral(value.trim())
    default:
      return JSON.stringify(value)
  }
}

/** Integers keep all digits; other numbers are written unchanged. */
function numberLiteral(value: string): string | null {
  if (!Number.isFinite(Number(value))) return null
  return /^-?\d+$/.test(value)
    ? String(BigInt(value))
    : String(Number(value)).includes('.') || /e/i.test(String(Number(value)))
      ? String(Number(value))
      : `${Number(value)}.0`
}

/** The text of a string with or without runs of formats; phonetic hints left out. */
function textOf(content: string): string {
  return elements(withoutStretches(content, /<(?:\w+:)?rPh[\s>]/, /<\/(?:\w+:)?rPh>/g), 't')
    .map(({ content: text }) => decode(text))
    .join('')
}

/** Numbers of the cell styles that show a date or a time. */
function dateStyles(xml: string): ReadonlySet<number> {
  const own = new Map(elements(xml, 'numFmt').map(({ attributes }) => [Number(attributes['numFmtId']), attributes['formatCode'] ?? '']))
  const [styles] = elements(xml, 'cellXfs')
  const indexes = elements(styles?.content ?? '', 'xf').flatMap(({ attributes }, i) => {
    const format = Number(attributes['numFmtId'] ?? 0)
    const code = own.get(format)
    return (code === undefined ? dateFormats.has(format) : isDateFormat(code)) ? [i] : []
  })
  return new Set(indexes)
}
