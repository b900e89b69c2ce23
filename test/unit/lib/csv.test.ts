import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRow, neutraliseFormula, neutraliseParts } from '../../../src/lib/csv.ts'

const formulaCases = new URL('../../../../shared/badinput/own/csv_formula.json', import.meta.url)

/** Every character that CSV or spreadsheets treat apart, and some that they do not. */
const awkward = [
  'a',
  ' ',
  ',',
  '"',
  "'",
  '\r',
  '\n',
  '\t',
  '\0',
  '=',
  '-',
  '1',
  '@',
  '＝',
  '\u200b',
  '\ufeff',
  '\u2028',
  'é',
  '😀',
  '\ud800',
]

describe('csvRow', () => {
  test('writes text, numbers, booleans and nothing', () => {
    expect(csvRow(['a', 1, -0.5, true, null, Number.NaN, ''])).toBe('a,1,-0.5,true,,,\r\n')
  })

  test('quotes commas, quotes and line ends', () => {
    expect(csvRow(['x,y', 'a"b', 'two\nlines'])).toBe('"x,y","a""b","two\nlines"\r\n')
  })

  test('keeps UTF-8 whole: a lone surrogate becomes the replacement character', () => {
    expect(csvRow(['a\ud800'])).toBe('a\ufffd\r\n')
  })

  test('shows control characters, which would cut, overwrite or command, and keeps tabs and line ends', () => {
    expect(csvRow(['a\0b', '\x1b[2J', 'x\ry', '\x7f\x9b', 'tab\there', 'semi;colon', 'two\r\nlines'])).toBe(
      'a\\x00b,\\x1b[2J,x\\x0dy,\\x7f\\x9b,"tab\there","semi;colon","two\r\nlines"\r\n',
    )
  })

  test('is read back by a real parser, apart from the apostrophe of neutralised cells and visible controls', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...awkward) }), { minLength: 2, maxLength: 6 }), cells => {
        const visible = (text: string) => text.replaceAll('\0', '\\x00').replaceAll(/\r(?!\n)/g, '\\x0d')
        const expected = cells.map(cell => visible(neutraliseParts(cell).toWellFormed()))
        expect(parse(csvRow(cells), { record_delimiter: '\r\n' })).toEqual([expected])
      }),
    )
  })
})

describe('neutraliseFormula', () => {
  test.each(['=1+1', ' =1', '\u200b=1', '＝1', '\t1', '\n1', '\u0000x', '+1', '-1+cmd', '@SUM(A1)', '|calc', '%0A', '\u00a0\ufeff@x'])(
    '%j gets an apostrophe',
    text => {
      expect(neutraliseFormula(text)).toBe(`'${text}`)
    },
  )

  test.each(['', 'a=1', '-5', '-5.25', '-1e-7', '12', "'already", '–', 'two\n=1'])('%j stays', text => {
    expect(neutraliseFormula(text)).toBe(text)
  })
})

describe('neutraliseParts', () => {
  test.each([
    ['a;=HYPERLINK("http://x")', 'a;\'=HYPERLINK("http://x")'],
    ['a\t=1', "a\t'=1"],
    ['two\n=1', "two\n'=1"],
    ['two\r\n@SUM(A1)', "two\r\n'@SUM(A1)"],
    ['a; \u200b=1;＝1', "a;' \u200b=1;'＝1"],
    ['a;"=HYPERLINK(1);', 'a;\'"=HYPERLINK(1);'],
    ["a;-1+cmd|' /C calc'!A0", "a;'-1+cmd|' /C calc'!A0"],
    ['a\n-1+webservice("http://x")', 'a\n\'-1+webservice("http://x")'],
    ['a\n- 1+HyperLink ("http://x")', 'a\n\'- 1+HyperLink ("http://x")'],
    ['a;-ＷＥＢ（1）', "a;'-ＷＥＢ（1）"],
    ['a;+Sheet2!$A$1', "a;'+Sheet2!$A$1"],
    ["a;-'My sheet'!A1", "a;'-'My sheet'!A1"],
    ['a\n+CALL ("x")', 'a\n\'+CALL ("x")'],
    ['a\n- CALL ("x")', 'a\n\'- CALL ("x")'],
    ['a\n-1+EXEC (1)', "a\n'-1+EXEC (1)"],
    ['a\n+REGISTER            (1)', "a\n'+REGISTER            (1)"],
    ['a\n-A1+LOG10 (1)', "a\n'-A1+LOG10 (1)"],
    ['a\n-"in a text"&EXEC(1)', 'a\n\'-"in a text"&EXEC(1)'],
    ['a\n-(2)*(EXEC(1))', "a\n'-(2)*(EXEC(1))"],
    ['a\n-A1 INDEX(IMPORTXML ("x"))', 'a\n\'-A1 INDEX(IMPORTXML ("x"))'],
    ['a\n-Sheet2!A:A', "a\n'-Sheet2!A:A"],
    ['\t=1', "'\t'=1"],
    ['=1;=2', "'=1;'=2"],
  ])('%j gets one where a spreadsheet that splits there would begin a cell', (text, expected) => {
    expect(neutraliseParts(text)).toBe(expected)
  })

  const bullets =
    'Steps:\n- Boil water (100 °C)\n- Enjoy!\n- Paris (France)\n- "Stop!" he said\n- [x](y)\n- use f(x) here\n- x | y\n- Wow!yes\n- Paris, Texas (USA)\n- Step 1 (first)'
  test.each(['a=1', 'a;b', 'two\n- one\n- other', 'x;-1', 'a;\n| b |', bullets])('%j stays', text => {
    expect(neutraliseParts(text)).toBe(text)
  })
})

test('text of any form takes linear time', () => {
  for (const part of [
    '\n- IMPORT',
    'IMPORT',
    '\n-',
    ';"',
    'a ',
    'a',
    ' ',
    'a" "',
    '"',
    '|',
    "a!'",
    'f1.',
    'RTD         ',
    `a${' '.repeat(999)}`,
  ])
    expect(neutraliseParts(`x\n-${part.repeat(Math.ceil(200_000 / part.length))}`).length).toBeGreaterThan(199_000)
})

describe.skipIf(!existsSync(formulaCases))('csv_formula.json (skipped where the shared folder is absent)', () => {
  const raw = existsSync(formulaCases) ? readFileSync(formulaCases, 'utf8') : '[]'
  // The file is ours and its shape is fixed: a list of { cell, expect }.
  const cases = JSON.parse(raw) as { cell: string; expect: string }[]

  test('agrees with every case', () => {
    expect(cases.length).toBeGreaterThan(20)
    for (const { cell, expect: expected } of cases) expect(neutraliseFormula(cell)).toBe(expected)
  })
})
