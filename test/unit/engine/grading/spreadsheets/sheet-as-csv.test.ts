import { describe, expect, test } from 'vitest'
import { readWorkbook } from '../../../../../src/engine/grading/spreadsheets/read-workbook.ts'
import { sheetAsCsv as partsOf } from '../../../../../src/engine/grading/spreadsheets/sheet-as-csv.ts'
import { makeWorkbook } from '../../../../support/make-workbook.ts'
import { zipOf } from '../../../../support/make-zip.ts'

const sheetAsCsv = (workbook: Buffer): string => [...partsOf(workbook)].join('')

describe('a sheet as CSV', () => {
  test('has what its cells show, each in quotes, and empty rows as empty lines', () => {
    const rows = [
      ['<c r="A1" t="inlineStr"><is><t>index</t></is></c>', '<c r="C1" t="inlineStr"><is><t>say "it"</t></is></c>'],
      [],
      ['<c r="A3"><v>3</v></c>', '<c r="B3"><v>0.10</v></c>', '<c r="C3" t="b"><v>1</v></c>'],
      ['<c r="A4"><v>9007199254740993</v></c>', '<c r="B4" s="1"><v>45292.5</v></c>', '<c r="C4" s="1"><v>45292</v></c>'],
    ]
    expect(sheetAsCsv(makeWorkbook({ Sheet1: rows }))).toBe(
      '"index",,"say ""it"""\n\n"3","0.1","TRUE"\n"9007199254740993","2024-01-01 12:00:00","2024-01-01"',
    )
  })

  test('is refused where there are several with cells, or none', () => {
    const one = [['<c r="A1"><v>1</v></c>']]
    expect(() => sheetAsCsv(makeWorkbook({ A: one, B: one }))).toThrow('The workbook has several: "A", "B".')
    expect(sheetAsCsv(makeWorkbook({ A: one, B: [] }))).toBe('"1"')
    expect(() => sheetAsCsv(makeWorkbook({ A: [] }))).toThrow('No sheet has a cell.')
    expect(() => sheetAsCsv(makeWorkbook({ A: [['<c r="XFD1"><v>1</v></c>']] }))).toThrow('The cell XFD1 is beyond')
  })

  test('comes part by part, and one that is nearly all empty is refused before it is written', () => {
    const wide = (rows: number) => Array.from({ length: rows }, (_, i) => [`<c r="ALL${i + 1}"><v>1</v></c>`])
    const parts = [...partsOf(makeWorkbook({ A: wide(2500) }))]
    expect(parts.map(part => part.length < 1_100_000)).toEqual([true, true, true])
    expect(new Set(parts.join('').split('\n'))).toEqual(new Set([`${','.repeat(999)}"1"`]))
    expect(() => partsOf(makeWorkbook({ A: wide(20_001) })).next()).toThrow('Its 20001 rows of 1000 columns are more than')
  })
})

describe('hostile workbooks', () => {
  const parts = { '[Content_Types].xml': '<Types/>', 'xl/_rels/workbook.xml.rels': relations(['r0']) }
  const csv = (files: Readonly<Record<string, string>>): string => [...partsOf(zipOf({ ...parts, ...files }))].join('')
  const oneSheet = '<workbook><sheet name="A" r:id="r0"/></workbook>'

  const sheetsNamed = (ids: readonly string[]) => `<workbook>${ids.map(id => `<sheet name="${id}" r:id="${id}"/>`).join('')}</workbook>`

  test('a part that several sheets name is refused', () => {
    const ids = Array.from({ length: 5_000 }, (_, i) => `r${i}`)
    const files = {
      'xl/workbook.xml': sheetsNamed(ids),
      'xl/_rels/workbook.xml.rels': relations(ids),
      'xl/s.xml': '<c r="A1"><v>1</v></c>',
    }
    expect(() => csv(files)).toThrow('The sheets "r0" and "r1" have the same part')
  })

  test('sheets without a part are empty', () => {
    const files = { 'xl/workbook.xml': sheetsNamed(['r0', 'x', 'y']), 'xl/s.xml': '<c r="A1"><v>1</v></c>' }
    expect(csv(files)).toBe('"1"')
    expect([...readWorkbook(zipOf({ ...parts, ...files })).keys()]).toEqual(['r0', 'x', 'y'])
  })

  test('a long text that thousands of cells share is refused', () => {
    // Text that does not pack: one that does is refused by its archive.
    const text = randomText(1_200_000)
    const cells = Array.from({ length: 1_000 }, (_, i) => `<c r="A${i + 1}" t="s"><v>0</v></c>`)
    const files = { 'xl/workbook.xml': oneSheet, 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>`, 'xl/s.xml': cells.join('') }
    expect(() => csv(files)).toThrow('Its cells have more than 268,435,456 characters together')
  })

  test('a name of an attribute may have any length', () => {
    const sheet = `<c r="A1"><v>1</v></c><c ${randomText(200_000)}><v>1</v></c>`
    expect(csv({ 'xl/workbook.xml': oneSheet, 'xl/s.xml': sheet })).toBe('"1"')
  })

  test('the names of many sheets are shortened', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `r${i}`)
    const sheets = Object.fromEntries(ids.map(id => [`xl/${id}.xml`, '<c r="A1"><v>1</v></c>']))
    const files = { ...sheets, 'xl/workbook.xml': sheetsNamed(ids), 'xl/_rels/workbook.xml.rels': relations(ids, id => `${id}.xml`) }
    expect(() => csv(files)).toThrow('"r9" and 190 more.')
  })
})

function relations(ids: readonly string[], target = (_id: string) => 's.xml'): string {
  return `<Relationships>${ids.map(id => `<Relationship Id="${id}" Target="${target(id)}"/>`).join('')}</Relationships>`
}

/** Letters and digits that hardly pack. */
function randomText(length: number): string {
  return Array.from({ length: Math.ceil(length / 6) }, (_, i) => ((i * 2_654_435_761) % 4_294_967_296).toString(36))
    .join('')
    .slice(0, length)
}
