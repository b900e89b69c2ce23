import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { lookAt } from './look-at.ts'

const row =
  '{"a":1.0,"b":1.10,"c":1e5,"d":1,"e":1e-5,"f":1e16,"g":-0.0,"l":[1.0,2,2.5,1.0],"o":{"x":3.0,"n":[4.0]},"z":0.0,"choices":[1.0,1.10,2]}'
const textOf = (template: string) => `task: t\ntest_split: test\ndoc_to_text: ${JSON.stringify(template)}\n`
const asked = async (settings: string, data: { readonly name: string; readonly content: string | Uint8Array }) =>
  (await lookAt('lm_eval_yaml', [{ name: 't.yaml', content: settings }, data])).tasks.map(({ fields, targets, choices }) => ({
    text: fields['text'],
    targets,
    choices,
  }))

// What Jinja2 3.1.6 gives, with StrictUndefined, of what Python's json reads.
test.each([
  ['{{a}} {{b}} {{c}} {{d}} {{e}} {{f}} {{g}}', '1.0 1.1 100000.0 1 1e-05 1e+16 -0.0'],
  ["{{l}} {{o}} {{o.x}} {{l[0]}} {{o['n'][0]}}", "[1.0, 2, 2.5, 1.0] {'x': 3.0, 'n': [4.0]} 3.0 1.0 4.0"],
  ['{% for x in l %}{{x}};{% endfor %}', '1.0;2;2.5;1.0;'],
  ["{{l|join(',')}} {{a|string}} {{a ~ d}} {{a|int}} {{d|float}}", '1.0,2,2.5,1.0 1.0 1.01 1 1.0'],
  ['{{a + d}} {{d + d}} {{4 / 2}} {{a * 2}} {{b + b}} {{2.0}} {{7 // 2}} {{c // 2}}', '2.0 2 2.0 2.0 2.2 2.0 3 50000.0'],
  ["{{a == d}} {{1 in l}} {{'y' if z else 'n'}} {{a is number}} {{ -a }} {{a > 0}} {{l.index(1)}}", 'True True n True -1.0 True 0'],
  ['{{l|unique|list}} {{l|sort}} {{l|first}}', '[1.0, 2, 2.5] [1.0, 1.0, 2, 2.5] 1.0'],
])('numbers print as in lm-evaluation-harness: %s', async (template, text) => {
  const settings = `${textOf(template)}doc_to_target: a\n`
  expect(await asked(settings, { name: 'test.jsonl', content: row })).toEqual([{ text, targets: ['1.0'], choices: null }])
})

test('choices that are numbers are texts as Python writes them, and positions are numbers in any form', async () => {
  const settings = `${textOf('Q')}output_type: multiple_choice\ndoc_to_choice: choices\ndoc_to_target: a\n`
  expect(await asked(settings, { name: 'test.jsonl', content: row })).toEqual([{ text: 'Q', targets: ['B'], choices: ['1.0', '1.1', '2'] }])
})

test('columns of floats in Parquet print as floats, and are whole numbers for tables', async () => {
  const numbers = { repetition_type: 'REQUIRED' } as const
  const content = new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'question', type: 'DOUBLE', ...numbers },
        { name: 'answer', type: 'FLOAT', ...numbers },
        { name: 'count', type: 'INT32', ...numbers },
      ],
      columnData: [
        { name: 'question', data: [1, 2.5] },
        { name: 'answer', data: [3, 0.1] },
        { name: 'count', data: [1, 2] },
      ],
    }),
  )
  const settings = `${textOf('{{question}} {{count}}')}doc_to_target: "{{answer}}"\n`
  const read = await asked(settings, { name: 'test.parquet', content })
  expect(read.map(({ text, targets }) => [text, targets])).toEqual([
    ['1.0 1', ['3.0']],
    ['2.5 2', ['0.1']],
  ])
  const { tasks } = await lookAt('parquet', [{ name: 'test.parquet', content }])
  expect(tasks.map(({ fields, targets }) => [fields['input'], targets])).toEqual([
    ['1', ['3']],
    ['2.5', ['0.1']],
  ])
})

// Hugging Face's loaders make one type of all rows of a column: pandas for CSV, Arrow for JSON.
test.each([
  ['test.csv', 'q,a\n1.10,x\n2.5,y\n', ['1.10', '2.5'], '"q" for numbers and shows "1.10" as 1.1'],
  ['test.csv', 'q,a\n007,x\n8,y\n', ['007', '8'], '"q" for numbers and shows "007" as 7'],
  ['test.csv', 'q,a\n1,x\n2.5,y\n', ['1', '2.5'], '"q" for numbers and shows "1" as 1.0'],
  ['test.csv', 'q,a,b\n1,x,0\n,y,0\n', ['1', ''], '"q" for numbers and shows "1" as 1.0'],
  ['test.csv', 'q,a\n1,x\nNA,y\n3,z\n', ['1', 'NA', '3'], '"q" for numbers and shows "1" as 1.0'],
  ['test.csv', `q,a\n1,x\n2.5,y\n${'0'.repeat(41)},z\n`, ['1', '2.5', '0'.repeat(41)], null],
  ['test.csv', 'q,a\n1.10,x\nmany,y\n', ['1.10', 'many'], null],
  ['test.csv', 'q,a,text\n1,x,007\n2,y,008\n', ['1', '2'], null],
  ['test.csv', 'q,a\n9007199254740993,x\n8,y\n', ['9007199254740993', '8'], null],
  ['test.jsonl', '{"q":1,"a":"x"}\n{"q":1.5,"a":"y"}\n', ['1', '1.5'], '"q" for numbers and shows "1" as 1.0'],
  ['test.jsonl', '{"q":1,"a":"x"}\n{"q":2,"a":"y"}\n', ['1', '2'], null],
])('numbers of %s that the harness shows otherwise are as written, and it is said: %j', async (name, content, texts, note) => {
  const settings = `${textOf('{{q}}')}doc_to_target: a\n`
  const { tasks, warnings } = await lookAt('lm_eval_yaml', [
    { name: 't.yaml', content: settings },
    { name, content },
  ])
  expect(tasks.map(({ fields }) => fields['text'])).toEqual(texts)
  expect(warnings).toEqual(
    note === null ? [] : [`The harness takes the column ${note}; here it is as written. For the same prompts, write it so in the file.`],
  )
})

test('a long cell of digits, shown or not, takes no time of the import thread', async () => {
  const row = `${'7'.repeat(1_000_000)},${'8'.repeat(1_000_000)}\n`
  const files = [
    { name: 't.yaml', content: `${textOf('{{q}}')}doc_to_target: q\n` },
    { name: 'test.csv', content: `q,other\n${row.repeat(3)}` },
  ]
  let lengths: readonly (number | undefined)[] = []
  const ms = await cpuMsOf(async () => {
    lengths = (await lookAt('lm_eval_yaml', files)).tasks.map(({ fields }) => fields['text']?.length)
  })
  expect(lengths).toEqual([1_000_000, 1_000_000, 1_000_000])
  expect(ms).toBeLessThan(3_000 * slowness())
})

test.each([
  ['promptfoo_yaml', 'prompts: ["{{v}}"]\ntests:\n  - {vars: {v: 1_000}}\n  - {vars: {v: "1_000"}}\n', ['1000', '1_000']],
  // The nearest number that JavaScript has, as promptfoo asks it.
  ['promptfoo_yaml', 'prompts: ["{{v}}"]\ntests:\n  - {vars: {v: 9007199254740993}}\n', ['9007199254740992']],
] as const)('numbers of YAML are as %s reads them', async (format, content, asked) => {
  const { tasks } = await lookAt(format, [{ name: 'promptfooconfig.yaml', content }])
  expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual(asked)
})
