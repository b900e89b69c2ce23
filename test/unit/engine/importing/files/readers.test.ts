import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeBytes } from '../../../../../src/engine/importing/files/decode-bytes.ts'
import { anyKey } from '../../../../../src/engine/importing/files/import-source.ts'
import { importLimits } from '../../../../../src/engine/importing/files/limits.ts'
import { readCsv } from '../../../../../src/engine/importing/files/read-csv.ts'
import { readJsonl } from '../../../../../src/engine/importing/files/read-jsonl.ts'
import { readJsonList } from '../../../../../src/engine/importing/files/read-json-list.ts'
import { readLines } from '../../../../../src/engine/importing/files/read-lines.ts'
import { bytesOf, collect, limitsWith } from './given.ts'

const pieceSizes = [1, 2, 7, 65_536]

describe('lines', () => {
  test.each(pieceSizes)('are the same however the bytes are cut (%i a piece)', async size => {
    const text = '\uFEFFerste\r\nzwéite\n\n𝒙 \uFEFF\rletzte'
    expect(await collect(readLines(bytesOf(text, size), importLimits))).toEqual([
      { number: 1, text: 'erste' },
      { number: 2, text: 'zwéite' },
      { number: 3, text: '' },
      { number: 4, text: '𝒙 \uFEFF\rletzte' },
    ])
  })

  test('that are not UTF-8 are named and the next ones read', async () => {
    const bytes = Uint8Array.of(0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62)
    expect(await collect(readLines(bytesOf(bytes), importLimits))).toEqual([
      { number: 1, text: 'a' },
      { number: 2, problem: 'The line is not UTF-8. Save the file as UTF-8 and import it again.' },
      { number: 3, text: 'b' },
    ])
  })

  test('of UTF-16 are recognized', async () => {
    const [line] = await collect(readLines(bytesOf(new Uint8Array(Buffer.from('\uFEFFabc', 'utf16le'))), importLimits))
    expect(line).toMatchObject({ problem: expect.stringContaining('looks like UTF-16') })
  })

  test.each(pieceSizes)('that are too long are not kept (%i a piece)', async size => {
    const lines = await collect(readLines(bytesOf(`${'x'.repeat(50)}\nshort\n${'y'.repeat(11)}`, size), limitsWith({ lineBytes: 10 })))
    expect(lines).toEqual([
      { number: 1, problem: 'The line is longer than 10 bytes.' },
      { number: 2, text: 'short' },
      { number: 3, problem: 'The line is longer than 10 bytes.' },
    ])
  })
})

describe('gzip', () => {
  const text = 'a line that repeats\n'.repeat(200)
  const unpacked = async (bytes: Uint8Array, limits = importLimits, size = 65_536) =>
    Buffer.concat(await collect(decodeBytes(bytesOf(bytes, size), limits))).toString()

  test.each(pieceSizes)('is unpacked by its first bytes (%i a piece)', async size => {
    expect(await unpacked(gzipSync(text), importLimits, size)).toBe(text)
    expect(await unpacked(new TextEncoder().encode(text), importLimits, size)).toBe(text)
  })

  test('of one byte or none is no gzip', async () => {
    expect(await unpacked(Uint8Array.of(0x1f))).toBe('\u001f')
    expect(await unpacked(new Uint8Array())).toBe('')
  })

  test('that is cut off, damaged or too large is refused', async () => {
    const damaged = new Uint8Array(gzipSync(text))
    damaged.set([0xff, 0xff, 0xff], 12)
    await expect(unpacked(gzipSync(text).subarray(0, 40))).rejects.toThrow('cannot be unpacked: unexpected end of file')
    await expect(unpacked(damaged)).rejects.toThrow('cannot be unpacked')
    await expect(unpacked(gzipSync(text), limitsWith({ decodedBytes: 100 }))).rejects.toThrow('unpacks to more than 100 bytes')
    await expect(unpacked(gzipSync(text), limitsWith({ ratio: 10, ratioFrom: 100 }))).rejects.toThrow('more than 10 times its size')
  })
})

describe('bytes that are no UTF-8 text', () => {
  const csv = 'question,answer\nCapital of Österreich?,Wien\n'
  const rowsOf = (bytes: Uint8Array, size?: number) => collect(readCsv(decodeBytes(bytesOf(bytes, size), importLimits), importLimits))
  const row = { kind: 'row', line: 2, value: { question: 'Capital of Österreich?', answer: 'Wien' } }

  test.each(pieceSizes)('of UTF-16 are read with and without a mark (%i a piece)', async size => {
    const little = Buffer.from(csv, 'utf16le')
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\uFEFF${csv}`, 'utf16le')])
      expect(await rowsOf(new Uint8Array(bytes), size)).toEqual([row])
  })

  test.each([
    [
      '\uFEFF\n<!DOCTYPE html><html><body>Sign in</body></html>',
      'Download the file itself, not the page that shows it: a web page is not read here.',
    ],
    ['<html lang="en">', 'Download the file itself, not the page that shows it: a web page is not read here.'],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n',
      'Download the file that it stands for ("git lfs pull"): a Git LFS pointer is not read here.',
    ],
  ])('are refused by what they are: %j', async (text, message) => {
    await expect(rowsOf(new TextEncoder().encode(text))).rejects.toThrow(message)
  })

  test('of lines that end with a carriage return alone are rows', async () => {
    expect(await rowsOf(new TextEncoder().encode(csv.replaceAll('\n', '\r')))).toEqual([row])
  })
})

describe('JSONL', () => {
  test('gives objects with their lines and passes over blank lines', async () => {
    expect(await collect(readJsonl(bytesOf('{"a":1}\n \n\n{"a":2}\n'), importLimits))).toEqual([
      { kind: 'row', line: 1, value: { a: 1 } },
      { kind: 'row', line: 4, value: { a: 2 } },
    ])
  })

  test.each([
    ['"text"', 'An object is needed here but this is "text".'],
    ['null', 'An object is needed here but this is null.'],
    ['[]', 'An object is needed here but this is a list.'],
    ['{"a":', 'Put a value, texts in double quotes, at column 6, where the text ends. The JSON breaks off there.'],
    ['{"a":1e999}', 'A number is too large to be read exactly; write it as text.'],
    ['{"a":1,"b":[{"c":"d: \\"e\\"","\\u0063":2}]}', 'An object has the key "c" twice. Keep one of them.'],
    ['{"__proto__":1}', 'The JSON has a key "__proto__", which is refused.'],
    ['{"a":{"\\u005f_proto__":1}}', 'The JSON has a key "__proto__", which is refused.'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'The JSON is nested deeper than 64 levels.'],
  ])('says what is wrong with %s', async (text, message) => {
    expect(await collect(readJsonl(bytesOf(text), importLimits))).toEqual([{ kind: 'problem', line: 1, message }])
  })

  test('takes 64 levels', async () => {
    expect(await collect(readJsonl(bytesOf(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`), importLimits))).toMatchObject([{ kind: 'row' }])
  })
})

describe('a JSON list', () => {
  const list = (text: string, size = 65_536, key?: string | typeof anyKey) => collect(readJsonList(bytesOf(text, size), importLimits, key))

  test.each(pieceSizes)('is found under any key, the first whose items are objects (%i a piece)', async size => {
    const rows = [
      { kind: 'row', line: 2, value: { a: '[1]' } },
      { kind: 'row', line: 2, value: { a: 2 } },
    ]
    const wrapped =
      '{"canary": "a: [", "labels": [["x"], []], "about": {"list": [{"a": 0}]},\n "examples": [ {"a": "[1]"}, {"a": 2}], "more": [{"a": 3}]}'
    const more = {
      kind: 'problem',
      line: 2,
      message: 'The file holds another list of objects, "more", that was not read. Keep one list in a file.',
    }
    expect(await list(wrapped, size, anyKey)).toEqual([...rows, more])
    expect(await list(wrapped.replace('"more": [{"a": 3}]', '"more": {"c": [{"a": 3}]}, "n": [1]'), size, anyKey)).toEqual(rows)
    expect(await list('\n[{"a": "[1]"}, {"a": 2}]', size, anyKey)).toEqual(rows)
    for (const behind of ['\n[{"a": 3}]', ',{"a": 3}]', 'x'])
      expect(await list(`\n[{"a": "[1]"}, {"a": 2}]${behind}`, size, anyKey)).toEqual([
        ...rows,
        expect.objectContaining({ kind: 'problem', message: expect.stringContaining('Behind the list there is more') }),
      ])
    expect(await list('{"a": 1, "b": [1, 2]}', size, anyKey)).toMatchObject([
      { kind: 'problem', line: null, message: expect.stringContaining('such as {"examples": [{…}]}') },
    ])
  })

  test.each(pieceSizes)('gives its objects with the lines they begin on (%i a piece)', async size => {
    const text = '\uFEFF [\n {"a": "[,{\\"é"},\n\n {\n "a": 2}\n, {"a": 3} ]\n'
    expect(await list(text, size)).toEqual([
      { kind: 'row', line: 2, value: { a: '[,{"é' } },
      { kind: 'row', line: 4, value: { a: 2 } },
      { kind: 'row', line: 6, value: { a: 3 } },
    ])
  })

  test.each(pieceSizes)('can be the value of a key (%i a piece)', async size => {
    const text = '{"canary": "\\"examples\\": [1]", "deep": {"examples": [{"a": 0}]}, "examples" : [{"a": 1}], "more": [2]}'
    expect(await list(text, size, 'examples')).toEqual([{ kind: 'row', line: 1, value: { a: 1 } }])
  })

  test.each([
    ['[]', []],
    ['[ \n ]', []],
    ['{"a": 1}', [[null, 'The file must hold a JSON list of objects.']]],
    ['', [[null, 'The file must hold a JSON list of objects.']]],
    ['[{"a": 1}', [[1, 'The list is not closed: a "]" is missing at the end of the file.']]],
    [
      '[1, {"a"}, {"b": 1}]',
      [
        [1, 'Item 1: An object is needed here but this is 1.'],
        [1, 'Item 2: Put a ":" after the key at column 5. The JSON breaks off there.'],
        [1, undefined],
      ],
    ],
    [
      '[{"a": 1},\n,{"a": 2}]',
      [
        [1, undefined],
        [2, 'Item 2: There is no value between two commas.'],
        [2, undefined],
      ],
    ],
  ])('%s is read as it is', async (text, expected) => {
    const rows = await list(text)
    expect(rows.map(row => [row.line, row.kind === 'problem' ? row.message : undefined])).toEqual(expected)
  })

  test('that is not UTF-8 is read up to there', async () => {
    const bytes = Buffer.concat([Buffer.from('[{"a": 1},\n{"b": "'), Uint8Array.of(0xff), Buffer.from('"}]')])
    expect(await collect(readJsonList(bytesOf(bytes), importLimits))).toMatchObject([
      { kind: 'row', line: 1 },
      { kind: 'problem', line: 2, message: expect.stringContaining('not UTF-8') },
    ])
  })

  test('has items of a bounded length', async () => {
    const text = `[{"a": "${'x'.repeat(100)}"}]`
    expect(await collect(readJsonList(bytesOf(text, 20), limitsWith({ lineBytes: 50 })))).toEqual([
      { kind: 'problem', line: 1, message: 'Item 1 is longer than 50 characters.' },
    ])
  })
})

describe('CSV', () => {
  const csv = (text: string) => collect(readCsv(bytesOf(text), importLimits))

  test('follows RFC 4180, names the line on which a row begins and passes over empty lines', async () => {
    expect(await csv('a,b\r\n1,"x, ""y""\r\nz"\r\n\r\n,2\n')).toEqual([
      { kind: 'row', line: 2, value: { a: '1', b: 'x, "y"\nz' } },
      { kind: 'row', line: 5, value: { a: '', b: '2' } },
    ])
  })

  test.each([
    ['a;b\n1,5;2', { a: '1,5', b: '2' }],
    ['a\tb\n1\t2', { a: '1', b: '2' }],
    ['a\nonly', { a: 'only' }],
    ['a,b\n"",""', { a: '', b: '' }],
  ])('reads %j', async (text, value) => {
    expect(await csv(text)).toEqual([{ kind: 'row', line: 2, value }])
  })

  test.each([
    ['', null, 'The file is empty: a first line with column names is needed.'],
    ['a,a\n1,2', 1, 'Rename one of the columns "a": the first line names it twice.'],
    ['a,__proto__\n1,2', 1, 'Rename the column "__proto__": the name is refused.'],
    [
      'a,b\n1',
      2,
      'The row has one cell but the first line names 2 columns. Put quotes around cells that hold the delimiter, and begin the file with the names of the columns.',
    ],
    ['a,b\n1,x"y', 2, 'The unquoted cell 2 contains a quote. Put the whole cell in quotes and double the quotes in it.'],
    ['a,b\n1,"x"y', 2, 'After the quoted cell 2 a delimiter must follow.'],
    ['a,b\n1,"x\ny', 2, 'The row begins a quoted cell that is not closed. Close its quote, and double the quotes within cells.'],
  ])('says what is wrong with %j', async (text, line, message) => {
    expect(await csv(text)).toEqual([{ kind: 'problem', line, message }])
  })

  test('loses only the row whose quote is not closed, and names its line', async () => {
    expect(await csv('a,b\n1,"x\n2,y\n3,"z"\n4,w')).toEqual([
      { kind: 'problem', line: 2, message: 'The quote that begins cell 2 is not closed on its line; the next quote is on line 4.' },
      { kind: 'row', line: 3, value: { a: '2', b: 'y' } },
      { kind: 'row', line: 4, value: { a: '3', b: 'z' } },
      { kind: 'row', line: 5, value: { a: '4', b: 'w' } },
    ])
  })

  test('names columns without a name as pandas reads them, and passes over rows without text', async () => {
    expect(await csv(';a;b;\n0;x;y;\n;;;\n')).toEqual([
      { kind: 'row', line: 2, value: { 'Unnamed: 0': '0', a: 'x', b: 'y', 'Unnamed: 3': '' } },
    ])
  })

  test('keeps quotes within cells between tabs', async () => {
    expect(await csv('q\ta\nthe "right" one\t"x, y"\n')).toEqual([{ kind: 'row', line: 2, value: { q: 'the "right" one', a: 'x, y' } }])
  })

  test('continues after a wrong row', async () => {
    expect((await csv('a,b\n1\n1,2\n"1"x,2\n3,4')).map(row => [row.kind, row.line])).toEqual([
      ['problem', 2],
      ['row', 3],
      ['problem', 4],
      ['row', 5],
    ])
  })

  test('stops at a row that never ends', async () => {
    const text = `a,b\n1,"${'x\n'.repeat(100)}`
    expect(await collect(readCsv(bytesOf(text), limitsWith({ lineBytes: 50 })))).toEqual([
      { kind: 'problem', line: 2, message: 'The row is longer than 50 characters; perhaps a quote is not closed.' },
    ])
  })
})
