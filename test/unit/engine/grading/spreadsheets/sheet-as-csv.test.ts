import { describe, expect, test } from 'vitest'
import { sheetAsCsv as partsOf } from '../../../../../src/engine/grading/spreadsheets/sheet-as-csv.ts'
import { makeWorkbook } from '../../../../support/make-workbook.ts'

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
