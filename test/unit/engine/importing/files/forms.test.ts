import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { findRecipe } from '../../../../../src/engine/importing/recipes/recipes.ts'
import { ArchiveError } from '../../../../../src/engine/archives/archive.ts'
import { checkImport, importedTasks } from '../../../../../src/engine/importing/files/check-import.ts'
import { noShots } from '../../../../../src/engine/importing/files/import-tally.ts'
import { openTar } from '../../../../../src/engine/importing/files/read-tar.ts'
import { renderPrompt } from '../../../../../src/engine/execution/samples/render-prompt.ts'
import { makeTar } from '../../../../support/make-tar.ts'
import { makeZip } from '../../../../support/make-zip.ts'
import { collect, limitsWith, sourceOf } from './given.ts'

const text = (value: string) => Buffer.from(value)
const contentOf = (recipe: string, role: string) => {
  const content = findRecipe(recipe)?.files.find(file => file.role === role)?.content
  if (!content) throw new Error(`${recipe} has no file ${role}`)
  return content
}
const tasksOf = (recipe: string, role: string, bytes: Uint8Array | string, name = 'data') =>
  collect(importedTasks([sourceOf(contentOf(recipe, role), bytes, name)]))
const problemsOf = async (recipe: string, role: string, bytes: Uint8Array | string, name = 'data') =>
  (await checkImport([sourceOf(contentOf(recipe, role), bytes, name)], noShots)).problems

describe('MMLU', () => {
  const archive = makeTar([
    { name: 'data/README.txt', content: text('x') },
    { name: 'data/test/anatomy_test.csv', content: text('Which bone?,one,two,"thr""ee",four,C\n" Two\nlines? ",a,b,c,d,A\n') },
    { name: 'data/test/high_school_physics_test.csv', content: text('How fast?,1,2,3,4,B\n') },
    { name: 'data/dev/anatomy_dev.csv', content: text('Shown?,p,q,r,s,D\n') },
    { name: 'data/dev/high_school_physics_dev.csv', content: text('Seen?,p,q,r,s,A\n') },
  ])

  test('is read from the tar archive of upstream, with the worked examples of each subject', async () => {
    const source = sourceOf(contentOf('mmlu', 'test'), gzipSync(archive))
    const check = await checkImport([source], { count: 5, by: 'subject' })
    expect(check.problems).toEqual([])
    expect(check.warnings).toEqual([
      '3 tasks are shown fewer than 5 worked examples: there are not enough of their own subject (anatomy, high_school_physics).',
    ])
    const tasks = await collect(importedTasks([source]))
    expect(tasks.map(({ id, targets, choices }) => [id, targets, choices])).toEqual([
      ['anatomy-0001', ['C'], ['one', 'two', 'thr"ee', 'four']],
      ['anatomy-0002', ['A'], ['a', 'b', 'c', 'd']],
      ['high_school_physics-0001', ['B'], ['1', '2', '3', '4']],
    ])
    const profile = findRecipe('mmlu')?.definition.profiles[0]
    const [, , physics] = tasks
    if (!profile || !physics) throw new Error('MMLU has lost its profile or a task.')
    expect(renderPrompt({ ...profile, shots: check.shots }, physics)).toEqual([
      {
        role: 'user',
        content:
          'The following are multiple choice questions (with answers) about high school physics.\n\n' +
          'Seen?\nA. p\nB. q\nC. r\nD. s\nAnswer: A\n\nHow fast?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer:',
      },
    ])
  })

  test('gives the same tasks from a table', async () => {
    const rows = [
      { question: 'Which bone?', subject: 'anatomy', choices: ['one', 'two', 'thr"ee', 'four'], answer: 2 },
      { question: ' Two\nlines? ', subject: 'anatomy', choices: ['a', 'b', 'c', 'd'], answer: 0 },
      { question: 'How fast?', subject: 'high_school_physics', choices: ['1', '2', '3', '4'], answer: 1 },
    ]
    const lines = rows.map(row => JSON.stringify(row)).join('\n')
    expect(await tasksOf('mmlu', 'test', lines)).toEqual(await tasksOf('mmlu', 'test', archive))
    expect(await tasksOf('mmlu', 'test', JSON.stringify(rows))).toEqual(await tasksOf('mmlu', 'test', lines))
  })

  test('names the file of the archive and the line', async () => {
    const bad = makeTar([{ name: 'data/test/anatomy_test.csv', content: text('a,b,c,d,e,F\nq,1,2,3,4\n') }])
    expect(await problemsOf('mmlu', 'test', bad, 'data.tar')).toEqual([
      {
        file: 'data.tar',
        line: 1,
        message: '"data/test/anatomy_test.csv": The answer must be a letter from A to D or a position from 0 to 3, not "F".',
      },
      {
        file: 'data.tar',
        line: 2,
        message:
          '"data/test/anatomy_test.csv": The row has 5 cells but the first line names 6 columns. Put quotes around cells that hold the delimiter, and begin the file with the names of the columns.',
      },
    ])
  })
})

describe('MMLU-Pro', () => {
  test('is read from Parquet as Hugging Face has it', async () => {
    const file = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'question_id', data: [70n, 71n] },
          { name: 'question', data: ['Why?', 'How?'] },
          {
            name: 'options',
            data: [
              ['a', 'b', 'c'],
              ['x', 'y'],
            ],
            type: 'JSON',
          },
          { name: 'answer', data: ['C', 'A'] },
          { name: 'answer_index', data: [2n, 0n] },
          { name: 'cot_content', data: ["A: Let's think step by step. The answer is (C).", ''] },
          { name: 'category', data: ['law', 'law'] },
        ],
      }),
    )
    const tasks = await tasksOf('mmlu-pro', 'test', file)
    expect(tasks.map(({ id, fields, targets, choices }) => [id, fields['options'], targets, choices])).toEqual([
      ['70', 'A. a\nB. b\nC. c', ['C'], ['a', 'b', 'c']],
      ['71', 'A. x\nB. y', ['A'], ['x', 'y']],
    ])
  })

  test('refuses an answer that its position contradicts', async () => {
    const row = { question_id: 1, question: 'q', options: ['a', 'b'], answer: 'A', answer_index: 1, category: 'law' }
    expect(await problemsOf('mmlu-pro', 'test', JSON.stringify(row))).toMatchObject([
      { message: '"answer" is A, but "answer_index" is 1.' },
    ])
  })
})

describe('SQuAD', () => {
  const qas = [
    { id: 'q1', question: ' Who? ', answers: [{ text: 'Ann' }, { text: 'Ann' }, { text: 'Ann Lee' }] },
    { id: 'q2', question: 'When?', answers: [{ text: '1920' }] },
  ]
  const nested = { data: [{ title: 'Hall', paragraphs: [{ context: 'Ann Lee built it in 1920.', qas }] }], version: '1.1' }

  test('is read nested, as upstream has it, and as a table', async () => {
    const tasks = await tasksOf('squad', 'validation', JSON.stringify(nested))
    expect(tasks.map(({ id, fields, targets }) => [id, fields['question'], targets])).toEqual([
      ['q1', 'Who?', ['Ann', 'Ann Lee']],
      ['q2', 'When?', ['1920']],
    ])
    const rows = qas.map(({ answers, ...row }) => ({
      ...row,
      title: 'Hall',
      context: 'Ann Lee built it in 1920.',
      answers: { text: answers.map(a => a.text) },
    }))
    expect(await tasksOf('squad', 'validation', rows.map(row => JSON.stringify(row)).join('\n'))).toEqual(tasks)
    // The version may stand before the data.
    expect(await tasksOf('squad', 'validation', JSON.stringify({ version: '1.1', data: nested.data }, null, 2))).toEqual(tasks)
  })

  test('refuses questions without an answer', async () => {
    const row = { id: 'q', title: 't', context: 'c', question: 'q', answers: { text: [], answer_start: [] } }
    expect(await problemsOf('squad', 'validation', JSON.stringify(row))).toMatchObject([
      { line: 1, message: expect.stringMatching(/^The question has no answer/) },
    ])
  })
})

describe('DROP', () => {
  const date = { day: '', month: '', year: '' }
  const pair = {
    query_id: 'd1',
    question: 'How many?',
    answer: { number: '3', date, spans: [] },
    validated_answers: [
      { number: '', date: { day: '1', month: 'May', year: '' }, spans: [] },
      { number: '', date, spans: ['red', 'blue'] },
      { number: '3', date, spans: [] },
    ],
  }

  test('is read from the zip archive of upstream, and as a table', async () => {
    const passages = { nfl_1: { passage: 'P', qa_pairs: [pair], wiki_url: '' } }
    const archive = makeZip([
      { name: 'drop_dataset/drop_dataset_train.json', content: text('{}') },
      { name: 'drop_dataset/drop_dataset_dev.json', content: text(JSON.stringify(passages)) },
    ])
    const tasks = await tasksOf('drop', 'validation', archive)
    expect(tasks).toMatchObject([
      {
        id: 'd1',
        fields: { passage: 'P', question: 'How many?' },
        targets: ['3', '1 May', 'red, blue'],
        metadata: { answers: [['3'], ['1 May'], ['red', 'blue']], answer_type: 'number' },
      },
    ])
    const { validated_answers: others, ...rest } = pair
    const columns = { number: others.map(a => a.number), date: others.map(a => a.date), spans: others.map(a => a.spans) }
    expect(await tasksOf('drop', 'validation', JSON.stringify({ ...rest, passage: 'P', validated_answers: columns }))).toEqual(tasks)
  })
})

describe('Parquet', () => {
  test('is refused when it is damaged, or more than an import may be', async () => {
    const file = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'question', data: ['a', 'b'] }] }))
    const content = contentOf('mmlu-pro', 'test')
    const check = (bytes: Uint8Array, limits = limitsWith({})) => checkImport([sourceOf(content, bytes)], noShots, limits)
    expect((await check(file.slice(0, 40))).problems).toMatchObject([
      { line: null, message: expect.stringMatching(/The Parquet file cannot be read/) },
    ])
    expect((await check(file, limitsWith({ tasks: 1 }))).problems).toMatchObject([
      { message: 'The file holds 2 rows; an import may hold at most 1.' },
    ])
  })
})

describe('a tar archive', () => {
  const read = (bytes: Buffer) => {
    const tar = openTar(bytes)
    return tar.names.map(name => [name, tar.read(name).toString()])
  }

  test('is read with long names, without what macOS keeps beside files', () => {
    const long = `data/${'x'.repeat(120)}.csv`
    expect(
      read(
        makeTar([
          { name: './a', content: text('one') },
          { name: long, content: text('two') },
          { name: 'data/._a', content: text('junk') },
        ]),
      ),
    ).toEqual([
      ['a', 'one'],
      [long, 'two'],
    ])
  })

  test.each([
    ['a name that leaves it', makeTar([{ name: '../a', content: text('') }])],
    ['a link', makeTar([{ name: 'a', content: text(''), kind: '2' }])],
    [
      'a name twice',
      makeTar([
        { name: 'a', content: text('') },
        { name: 'A', content: text('') },
      ]),
    ],
    ['a damaged header', makeTar([{ name: 'a', content: text('x') }]).fill('b', 0, 1)],
    ['a file that is cut off', makeTar([{ name: 'a', content: Buffer.alloc(2000) }]).subarray(0, 1024)],
    ['no end, so that files may be missing', makeTar([{ name: 'a', content: text('x') }]).subarray(0, 1024)],
  ])('is refused with %s', (_, bytes) => expect(() => read(bytes)).toThrow(ArchiveError))
})
