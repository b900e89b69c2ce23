import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { answerCells } from '../../../../../src/engine/grading/spreadsheets/answer-position.ts'
import { unpackHadoopLz4, unpackLz4 } from '../../../../../src/engine/importing/files/unpack-lz4.ts'
import { lines, lookAt } from './look-at.ts'

type Sent = string | Uint8Array
const tasksOf = async (format: 'csv' | 'json' | 'jsonl' | 'parquet', name: string, content: Sent) => {
  const { tasks, problems } = await lookAt(format, [{ name, content }])
  return {
    tasks: tasks.map(({ id, fields, targets }) => [id, fields['input'], ...targets]),
    problems: problems.map(({ line, message }) => [line, message]),
  }
}
const two = [
  ['1', 'Größe?', '2,5'],
  ['2', 'Why?', 'no'],
]
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('a table as programs write it', () => {
  test.each([
    ['Excel with its line for the delimiter', 'x.csv', '\uFEFFsep=;\r\nid;question;answer\r\n1;Größe?;2,5\r\n2;Why?;no\r\n'],
    ['Excel in UTF-16 with tabs', 'x.csv', utf16('id\tquestion\tanswer\r\n1\tGröße?\t2,5\r\n2\tWhy?\tno\r\n')],
    ['Excel in Windows-1252', 'x.csv', Buffer.from('id;question;answer\r\n1;Größe?;2,5\r\n2;Why?;no\r\n', 'latin1')],
    ['semicolons under a header with commas', 'x.csv', 'id;question;answer;note, long, with, commas\n1;Größe?;2,5;x\n2;Why?;no;y\n'],
    ['semicolons and quoted commas', 'x.csv', '"id";"question";"answer";"a, b, c, d"\n"1";"Größe?";"2,5";"x"\n"2";"Why?";"no";"y"\n'],
    ['commas under a header with quoted semicolons', 'x.csv', '"id","question","answer","a; b; c; d; e"\n1,Größe?,"2,5",x\n2,Why?,no,y\n'],
    ['bars', 'x.csv', 'id|question|answer\n1|Größe?|2,5\n2|Why?|no\n'],
    ['names with blanks and marks around them', 'x.csv', '\uFEFF\uFEFFid, question,answer\u00A0\n1,Größe?,"2,5"\n2,Why?,no\n'],
    ['the Mac, with line feeds in cells', 'x.csv', 'id,question,answer,note\r1,Größe?,"2,5","a\nb"\r2,Why?,no,x\r'],
    ['the Mac and Unix', 'x.csv', 'id,question,answer\r1,Größe?,"2,5"\n2,Why?,no\n'],
    ['Unix and the Mac', 'x.csv', 'id,question,answer\n1,Größe?,"2,5"\r2,Why?,no\n'],
  ])('is read from %s', async (_, name, content) => {
    expect(await tasksOf('csv', name, content)).toEqual({ tasks: two, problems: [] })
  })

  test('keeps carriage returns within cells, and blanks by which names differ', async () => {
    const { tasks } = await lookAt('csv', [{ name: 'x.csv', content: 'a,a ,question,answer\n1,2,"x\ry",so\n3,4,x\rz,so\n' }], false, {
      groups: ['a', 'a '],
    })
    expect(tasks.map(({ fields, metadata }) => [fields['input'], metadata['a'], metadata['a ']])).toEqual([
      ['x\ry', '1', '2'],
      ['x\rz', '3', '4'],
    ])
  })

  test('has the column that a mapping names with blanks around it', async () => {
    const content = 'x, ask ,answer\n1,Why?,so\n'
    const { tasks, problems } = await lookAt('csv', [{ name: 'x.csv', content }], false, { input: ' ask ' })
    expect([tasks[0]?.fields['input'], problems]).toEqual(['Why?', []])
  })

  test.each([
    ['behind backslashes', 'id,question,answer\n1,"He said \\"hi\\", ok?",x\n2,b?,y\n', 'He said "hi", ok?'],
    ['doubled', 'id,question,answer\n1,"He said ""hi"", ok?",x\n2,b?,y\n', 'He said "hi", ok?'],
    ['doubled after a backslash', 'id,question,answer\n1,"C:\\",x\n2,b?,y\n', 'C:\\'],
  ])('has quotes %s', async (_, content, question) => {
    expect((await tasksOf('csv', 'x.csv', content)).tasks[0]).toEqual(['1', question, 'x'])
  })

  test('with tabs may have cells that begin with a quoted word', async () => {
    const content = 'id\tquestion\tanswer\n1\t"Quoted" start?\tx\n2\t"Whole, cell"\ty\n'
    expect((await tasksOf('csv', 'x.tsv', content)).tasks).toEqual([
      ['1', '"Quoted" start?', 'x'],
      ['2', 'Whole, cell', 'y'],
    ])
  })

  test.each([
    [
      'before other rows',
      '1\t"Open start?\tx\n2\tb?\ty\n3\t"Other?\tz\n',
      [
        ['1', '"Open start?', 'x'],
        ['2', 'b?', 'y'],
        ['3', '"Other?', 'z'],
      ],
    ],
    [
      'in the last cell',
      '1\ta?\t"x\n\n2\tb?\ty"\n',
      [
        ['1', 'a?', '"x'],
        ['2', 'b?', 'y"'],
      ],
    ],
    [
      'in the last row',
      '1\ta?\tx\n2\t"b?\ty',
      [
        ['1', 'a?', 'x'],
        ['2', '"b?', 'y'],
      ],
    ],
    [
      'that is closed on a later line',
      '1\ta?\t"x\n\nx"\n2\t"b\nb?"\ty\n',
      [
        ['1', 'a?', 'x\n\nx'],
        ['2', 'b\nb?', 'y'],
      ],
    ],
  ])('with tabs may have a quote that begins a cell %s', async (_, rows, expected) => {
    expect(await tasksOf('csv', 'x.tsv', `id\tquestion\tanswer\n${rows}`)).toEqual({ tasks: expected, problems: [] })
  })

  test('with tabs names the line of a quote that is not closed where its cells are not one for each column', async () => {
    const { problems } = await tasksOf('csv', 'x.tsv', 'id\tquestion\tanswer\n1\ta?\tx\n2\t"b?\n')
    expect(problems).toEqual([[3, 'The row begins a quoted cell that is not closed. Close its quote, and double the quotes within cells.']])
  })

  test.each([
    ['by column', '{"question":{"0":"a?","1":"b?"},"answer":{"0":"x","1":"y"}}', 'row-0001'],
    ['as lists by column', '{"question":["a?","b?"],"answer":["x","y"]}', 'row-0001'],
    ['split', '{"columns":["question","answer"],"index":[0,1],"data":[["a?","x"],["b?","y"]]}', 'row-0001'],
    ['as objects by their ids', '{"q1":{"question":"a?","answer":"x"},"q2":{"question":"b?","answer":"y"}}', 'q1'],
    ['with a comma behind the last item', '[{"question":"a?","answer":"x"},\n{"question":"b?","answer":"y"},\n]', 'row-0001'],
  ])('is read from JSON %s', async (_, content, id) => {
    const { tasks, problems } = await tasksOf('json', 'x.json', content)
    expect(problems).toEqual([])
    expect(tasks.map(([, ...rest]) => rest)).toEqual([
      ['a?', 'x'],
      ['b?', 'y'],
    ])
    expect(tasks[0]?.[0]).toBe(id)
  })

  const rest = { version: '1', a: { b: [1, { c: 2 }] }, 'x: "y': null }
  const data = [{ id: '1', question: 'Why: so?', answer: 'so' }]
  test.each([
    ['before', { ...rest, data }, '"version", "a", "x: \\"y"'],
    ['behind', { data, ...rest }, '"version", "a", "x: \\"y"'],
    ['around', { version: '1', data, split: 'test' }, '"version", "split"'],
  ])('in JSON that has its rows in a list names the other fields %s it', async (_, content, named) => {
    const { tasks, problems, warnings } = await lookAt('json', [{ name: 'x.json', content: JSON.stringify(content, null, 2) }])
    expect([tasks.length, problems]).toEqual([1, []])
    expect(warnings).toEqual([`Only the list "data" is imported. Other fields of the file are not: ${named}.`])
    for (const alone of [{ data }, data])
      expect((await lookAt('json', [{ name: 'x.json', content: JSON.stringify(alone) }])).warnings).toEqual([])
  })

  test('in JSON Lines may be printed over several lines', async () => {
    const content = [
      { question: 'a?', answer: 'x}' },
      { question: 'b?', answer: 'y' },
    ]
      .map(row => JSON.stringify(row, null, 2))
      .join('\n')
    expect((await tasksOf('jsonl', 'x.jsonl', content)).tasks).toEqual([
      ['row-0001', 'a?', 'x}'],
      ['row-0002', 'b?', 'y'],
    ])
    expect((await tasksOf('jsonl', 'x.jsonl', '{\n  "question": "a?"')).problems).toEqual([
      [1, 'The object that begins here is not closed.'],
    ])
  })

  const rows = two.map(([id, question, answer]) => JSON.stringify({ id, question, answer, notes: [{ question: 'Inner?', answer: 'x' }] }))
  const printed = two.map(([id, question, answer]) => JSON.stringify({ id, question, answer }, null, 2))
  test.each([
    ['jsonl', 'a list', `[${rows.join(',\n')}]\n`],
    ['jsonl', 'a list between lines of brackets', `[\n${rows.join(',\n')}\n]\n`],
    ['jsonl', 'lines that end with commas', rows.map(row => `${row},\n`).join('')],
    ['jsonl', 'lines that end with carriage returns', rows.join('\r')],
    ['json', 'lines', rows.join('\n')],
    ['json', 'objects printed one after another', printed.join('\n')],
  ] as const)('named %s is read from %s', async (format, _, content) => {
    expect(await tasksOf(format, `x.${format}`, content)).toEqual({ tasks: two, problems: [] })
  })

  test.each([
    ['json', 'x.json', '// rows\n[{"question": "a"}]', 'Remove the comment that begins here: JSON has none.'],
    ['json', 'x.json', '{"rows": {"a": 1,}}', 'Put a key in double quotes at column 18. The JSON breaks off there.'],
    ['json', 'x.json', ' ', 'The file is empty: a list of objects is needed.'],
    ['jsonl', 'x.jsonl', '{"question": "a"}{"question": "b"}', 'Put what begins at column 18 on a line of its own, or remove it.'],
    ['jsonl', 'x.jsonl', 'question,answer', 'Put an object in braces here, or choose the format "csv" for a table of text.'],
    ['jsonl', 'x.jsonl', 'question: a', /^(?!Put an object)/],
    ['jsonl', 'x.jsonl', '}', /^(?!Put an object)/],
    ['json', 'x.json', '[{"question": "a"}, ]]', /^(?!Put an object)/],
    ['csv', 'x.csv', '{"question": "a"}', 'Choose the format "jsonl" or "json": the first line is JSON.'],
    ['csv', 'x.csv', '| question |\n|---|\n| a |\n', /No column has a usual name/],
    ['csv', 'x.csv', ' | question | answer |\n|---|---|\n| a | b |\n', /No column has a usual name/],
    ['csv', 'x.csv', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), 'Save the text as UTF-8: UTF-32 is not read here.'],
  ] as const)('of another form is refused with what mends it: %s, %s %j', async (format, name, content, message) => {
    const { problems } = await tasksOf(format, name, content)
    expect(problems[0]?.[1]).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  test('is unpacked from zstd, and named where it is packed otherwise', async () => {
    const packed = zstdCompressSync(Buffer.from(lines({ question: 'a?', answer: 'x' })))
    expect((await tasksOf('jsonl', 'x.jsonl.zst', packed)).tasks).toEqual([['row-0001', 'a?', 'x']])
    for (const [begin, instead] of [
      ['7z\xbc\xaf\x27\x1c', /"7z x".*7-Zip/],
      ['Rar!\x1a\x07\x01\0', /"unrar x".*RAR/],
      ['\x04\x22\x4d\x18', /"lz4 -d"/],
      ['ARROW1\0\0', /as Parquet.*Arrow/],
      ['\xff\xff\xff\xff', /as Parquet.*Arrow/],
      ['\x93NUMPY', /as CSV/],
      ['SQLite format 3\0', /Export its table/],
      ['\x80\x04\x95', /a pickle of Python/],
      ['%PDF-1.7', /a PDF/],
      [`PK\x03\x04${'\0'.repeat(26)}[Content_Types].xml`, /^Save the sheet with the rows as CSV/],
      ['GIF89a', /an image/],
    ] as const)
      expect((await tasksOf('csv', 'x.csv', Buffer.from(`${begin}and more`, 'latin1'))).problems[0]?.[1]).toMatch(instead)
    expect((await tasksOf('csv', 'x.csv', 'BZh,question,answer\n1,a?,x\n')).tasks).toEqual([['row-0001', 'a?', 'x']])
    expect((await tasksOf('jsonl', 'x.jsonl.zst', packed.subarray(0, packed.length - 4))).problems).not.toEqual([])
  })
})

describe('a number', () => {
  test.each([
    ['lines', 'jsonl', (rows: readonly string[]) => rows.join('\n')],
    ['a list', 'json', (rows: readonly string[]) => `[${rows.join(',\n')}]`],
  ] as const)('in %s is the answer that the file writes, and a number where one is needed', async (_, format, form) => {
    const content = form([
      '{"id":1,"question":"a?","answer":1.10}',
      '{"id":2,"question":"b?","answer":[3.0,2.5,12]}',
      '{"id":3,"question":"c?","answer":9007199254740993}',
      '{"id":4,"question":"version 2.0?","answer":7}',
      '{"id":5,"question":"e?","answer":-0.50}',
      '{"id":6,"question":"f?","answer":0.0000001}',
      '{"id":7,"question":"g?","answer":0.0000001,"x":1.0}',
      '{"id":8,"question":"h?","answer":{"text":[1.10,1.10,3.0]}}',
      '{"id":9,"question":1.10,"answer":1}',
      '{"id":10,"question":0,"answer":1}',
    ])
    expect(await tasksOf(format, `x.${format}`, content)).toEqual({
      tasks: [
        ['1', 'a?', '1.10'],
        // Programs write 3 so where a column has gaps.
        ['2', 'b?', '3', '2.5', '12'],
        ['3', 'c?', '9007199254740993'],
        ['4', 'version 2.0?', '7'],
        ['5', 'e?', '-0.50'],
        ['6', 'f?', '0.0000001'],
        ['7', 'g?', '0.0000001'],
        ['8', 'h?', '1.10', '3'],
        ['9', '1.10', '1'],
        ['10', '0', '1'],
      ],
      problems: [],
    })
    // Positions of choices are numbers, whatever their form.
    const { tasks } = await lookAt('jsonl', [
      {
        name: 'x.jsonl',
        content: '{"question":"a?","choices":["x","y"],"answer":1.0}\n{"question":"b?","choices":["x","y"],"answer":0.0}',
      },
    ])
    expect(tasks.map(({ targets }) => targets)).toEqual([['B'], ['A']])
  })

  test('that is none is missing in every format, and never the text NaN', async () => {
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'question', data: ['a?', 'b?'], type: 'STRING' },
        { name: 'answer', data: [Number.NaN, 2], type: 'DOUBLE' },
      ],
    })
    for (const [format, name, content] of [
      ['jsonl', 'x.jsonl', '{"question":"a?","answer":NaN}\n{"question":"b?","answer":2}'],
      ['json', 'x.json', '[{"question":"a?","answer":-Infinity},{"question":"b?","answer":2}]'],
      ['csv', 'x.csv', 'question,answer\na?,nan\nb?,2\n'],
      ['parquet', 'x.parquet', new Uint8Array(parquet)],
    ] as const) {
      const { tasks, problems } = await tasksOf(format, name, content)
      expect(tasks).toEqual([])
      expect(problems).toHaveLength(1)
      expect(problems[0]?.[1]).toMatch(/is empty|is null/)
    }
    const other = await tasksOf('jsonl', 'x.jsonl', '{"question":"NaN or Infinity?","answer":"NaN","extra":NaN}')
    expect(other.tasks).toEqual([['row-0001', 'NaN or Infinity?', 'NaN']])
  })

  test('beyond 2^53 keeps its digits, and one of single precision the ones that it was written with', async () => {
    const json =
      '{"id":12345678901234567890,"question":"a?","answer":1180591620717411303424}\n{"id":12345678901234567891,"question":"b?","answer":-1}'
    expect((await tasksOf('jsonl', 'x.jsonl', json)).tasks).toEqual([
      ['12345678901234567890', 'a?', '1180591620717411303424'],
      ['12345678901234567891', 'b?', '-1'],
    ])
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: 'question', data: ['a?', 'b?', 'c?'], type: 'STRING' },
        { name: 'answer', data: [0.1, 2.5, 1e-7].map(Math.fround), type: 'FLOAT' },
      ],
    })
    expect((await tasksOf('parquet', 'x.parquet', new Uint8Array(parquet))).tasks.map(([, , answer]) => answer)).toEqual([
      '0.1',
      '2.5',
      '1e-7',
    ])
  })
})

test('days of Parquet have no time of day, and times no empty fractions', async () => {
  const column = (name: string, type: 'INT32' | 'INT64', converted_type: 'DATE' | 'TIMESTAMP_MILLIS') =>
    ({ name, type, converted_type, repetition_type: 'OPTIONAL' }) as const
  const parquet = (answer: ReturnType<typeof column>, ...days: readonly Date[]) =>
    new Uint8Array(
      parquetWriteBuffer({
        schema: [
          { name: 'root', num_children: 2 },
          { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          answer,
        ],
        columnData: [
          { name: 'question', data: days.map((_, i) => `When ${i}?`) },
          { name: 'answer', data: [...days] },
        ],
      }),
    )
  const targets = async (content: Uint8Array) => (await tasksOf('parquet', 'x.parquet', content)).tasks.map(([, , target]) => target)
  const days = [new Date('2024-05-31'), new Date('1969-12-31'), new Date('+010000-01-01')]
  expect(await targets(parquet(column('answer', 'INT32', 'DATE'), ...days))).toEqual(['2024-05-31', '1969-12-31', '+010000-01-01'])
  const times = parquet(column('answer', 'INT64', 'TIMESTAMP_MILLIS'), new Date('2024-05-31T10:00:00Z'), new Date('2024-05-31T10:00:00.5Z'))
  expect(await targets(times)).toEqual(['2024-05-31T10:00:00Z', '2024-05-31T10:00:00.500Z'])
})

describe('columns that tasks do not have', () => {
  const read = async (row: object, mapping = {}) =>
    (await lookAt('jsonl', [{ name: 'x.jsonl', content: lines(row) }], false, mapping)).warnings

  test('are named: other answers, annotators, notes', async () => {
    const row = { id: '1', question: 'Why?', answer: 'so', other_answers: 'thus', annotator_1: 'x', topic: 'a' }
    expect(await read(row, { groups: ['topic'] })).toEqual(['Columns that are not imported: "other_answers", "annotator_1".'])
    expect(await read({ id: '1', question: 'Why?', answer: 'so' })).toEqual([])
  })

  test('are named with what to do where they hold files, or the paths of files', async () => {
    const row = { id: '1', question: 'What?', answer: 'cat', image: 'img/cat.png', thumb: 'img/small.png' }
    expect(await read(row, { media: null })).toEqual([
      '"image", "thumb" hold files and are not imported. Name the column under "media" in "mapping" to show it.',
    ])
  })
})

describe('LZ4', () => {
  // "abcabcabcabcX": three literals, a copy of nine from three before, and the last literal.
  const block = Uint8Array.of(0x35, 0x61, 0x62, 0x63, 3, 0, 0x10, 0x58)
  test('copies what it has written, also where the copy overlaps itself', () => {
    expect(Buffer.from(unpackLz4(block, 13)).toString()).toBe('abcabcabcabcX')
    const framed = Buffer.concat([Buffer.from([0, 0, 0, 13, 0, 0, 0, block.length]), block])
    expect(Buffer.from(unpackHadoopLz4(framed, 13)).toString()).toBe('abcabcabcabcX')
    expect(Buffer.from(unpackHadoopLz4(block, 13)).toString()).toBe('abcabcabcabcX')
  })

  test.each([
    [block.subarray(0, 5), 13],
    [Uint8Array.of(0x15, 0x61, 9, 0, 0x10, 0x58), 13],
    [block, 12],
    [block, 14],
  ])('refuses a block that is not sound', (bytes, length) => {
    expect(() => unpackLz4(bytes, length)).toThrow(/LZ4/)
  })
})

describe('an answer position of SpreadsheetBench', () => {
  const workbook = new Map([
    ['Sheet1', { A1: 'a', B2: 'b', C4: 'c' }],
    ['a, b', { A1: 'x' }],
    ['Wow!', { A1: 'y' }],
    ["It's", { A1: 'z' }],
  ])
  test.each([
    ['$B$2', 'Sheet1', ['B2']],
    ['B:C', 'Sheet1', ['B1', 'B2', 'B3', 'B4', 'C1', 'C2', 'C3', 'C4']],
    ['2:3', 'Sheet1', ['A2', 'A3', 'B2', 'B3', 'C2', 'C3']],
    ["'a, b'!A1", 'a, b', ['A1']],
    ["'Wow!'!A1", 'Wow!', ['A1']],
    ["'It''s'!A1", "It's", ['A1']],
    ["'Sheet1!'A1:A2'", 'Sheet1', ['A1', 'A2']],
    ["Sheet1'!B5:B6", 'Sheet1', ['B5', 'B6']],
  ])('%s names its cells', (position, sheet, cells) => {
    expect(Object.entries(answerCells(workbook, position)).map(([name, found]) => [name, Object.keys(found)])).toEqual([[sheet, cells]])
  })

  test('of several sheets with such names has a part of each', () => {
    expect(answerCells(workbook, "'a, b'!A1,Sheet1!B2,'Wow!'!A1")).toEqual({
      'a, b': { A1: 'x' },
      Sheet1: { B2: 'b' },
      'Wow!': { A1: 'y' },
    })
  })
})

test('lists of answers lose their nulls, which are named', async () => {
  const content = lines(
    { question: 'a?', answers: ['x', null] },
    { question: 'b?', answers: { text: [null, 'y'], answer_start: [0, 1] } },
    { question: 'c?', answers: [null] },
  )
  const { tasks, problems, warnings } = await lookAt('jsonl', [{ name: 'x.jsonl', content }], true, { target: 'answers' })
  expect(problems).toEqual([])
  expect(tasks.map(({ targets }) => targets)).toEqual([['x'], ['y']])
  expect(warnings).toContain('The reference answers of one row hold null, which is no answer and was left out.')
})
