import { describe, expect, test } from 'vitest'
import { answerCells } from '../../../../../src/engine/grading/spreadsheets/answer-position.ts'
import { isDateFormat } from '../../../../../src/engine/grading/spreadsheets/date-formats.ts'
import { readWorkbook, type Workbook } from '../../../../../src/engine/grading/spreadsheets/read-workbook.ts'
import { serialLiteral } from '../../../../../src/engine/grading/spreadsheets/serial.ts'
import { makeZip } from '../../../../support/make-zip.ts'

function workbook(sheet: string, { styles = '', strings = '', properties = '' } = {}): Workbook {
  const parts = {
    'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="A &amp; B" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1">${sheet}</row></sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  }
  return readWorkbook(makeZip(Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) }))))
}

describe('a workbook', () => {
  test.each([
    ['<c r="A1"><v>42</v></c>', '42'],
    ['<c r="A1"><v>4.50</v></c>', '4.5'],
    ['<c r="A1"><v>1E3</v></c>', '1000.0'],
    ['<c r="A1" t="b"><v>1</v></c>', 'True'],
    ['<c r="A1" t="s"><v>0</v></c>', '"two runs"'],
    ['<c r="A1" t="inlineStr"><is><t>a &lt; b</t></is></c>', '"a < b"'],
    ['<c r="A1" t="str"><f>B1&amp;""</f><v>x</v></c>', '"x"'],
    ['<c r="A1" t="e"><v>#DIV/0!</v></c>', '"#DIV/0!"'],
    ['<c r="A1"><f>SUM(B1:B2)</f><v>7</v></c>', '7'],
    ['<c r="A1" s="1"><v>45292.5</v></c>', 'datetime.datetime(2024, 1, 1, 12, 0, 0)'],
    ['<c r="A1" s="1"><v>0.25</v></c>', 'datetime.time(6, 0, 0)'],
    ['<c r="A1"><f>NOW()</f></c>', undefined],
    ['<c r="A1" s="1"/>', undefined],
  ])('%s is %s', (cell, literal) => {
    const strings = '<si><r><t>two </t></r><r><t>runs</t></r><rPh><t>hint</t></rPh></si>'
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>'
    expect(workbook(cell, { strings, styles }).get('A & B')?.['A1']).toBe(literal)
  })

  test('that is none says so', () =>
    expect(() => readWorkbook(makeZip([{ name: 'a', content: Buffer.from('') }]))).toThrow(/no xl\/workbook.xml/))
})

test('date formats are recognized', () => {
  expect(['yyyy-mm-dd', '[$-409]d/m/yy', 'h:mm AM/PM', '[h]:mm'].every(isDateFormat)).toBe(true)
  expect(['0.00', '#,##0 "days"', '[Red]0', '0%;[Yellow]0', 'General'].some(code => isDateFormat(code) && code !== 'General')).toBe(false)
})

test('days are counted as Excel does, with its 29 February 1900', () => {
  expect(serialLiteral(1, false)).toBe('datetime.datetime(1900, 1, 1, 0, 0, 0)')
  expect(serialLiteral(61, false)).toBe('datetime.datetime(1900, 3, 1, 0, 0, 0)')
  expect(serialLiteral(0, true)).toBe('datetime.datetime(1904, 1, 1, 0, 0, 0)')
  expect(serialLiteral(-1, false)).toBeNull()
})

test('answer positions are read with their odd quotes', () => {
  const book: Workbook = new Map([
    ['One', { A1: '1' }],
    ['Two', { B2: '2' }],
  ])
  expect(answerCells(book, "'One'!A1:A2")).toEqual({ One: { A1: '1', A2: 'None' } })
  expect(answerCells(book, "One!'A1,'Two!'B2'")).toEqual({ One: { A1: '1' }, Two: { B2: '2' } })
  expect(answerCells(book, 'A1')).toEqual({ One: { A1: '1' } })
  expect(() => answerCells(book, "Three'!A1")).toThrow('no sheet "Three"')
  expect(() => answerCells(book, 'A:1')).toThrow('not a cell')
})
