import { describe, expect, test } from 'vitest'
import { checkOrder } from '../../../../../src/engine/importing/files/check-order.ts'
import type { WantedColumns } from '../../../../../src/engine/importing/files/column-mapping.ts'
import { importLimits } from '../../../../../src/engine/importing/files/limits.ts'
import { mappedTable } from '../../../../../src/engine/importing/files/mapped-table.ts'
import { ownBenchmark } from '../../../../../src/engine/content/benchmarks/own-benchmark.ts'
import { noShots } from '../../../../../src/engine/importing/files/import-tally.ts'
import { sourceOf } from './given.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

async function read(rows: Rows, wanted: WantedColumns = {}) {
  const table = mappedTable({ kind: 'jsonl' }, wanted)
  const source = sourceOf(table.content, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  const { check } = await checkOrder({
    sources: [source],
    shots: noShots,
    survey: () => table.survey(source, importLimits),
    define: ({ preview }) => ownBenchmark('Own', 'own', preview[0]?.choices != null),
  })
  return check
}

const four = ['red', 'green', 'blue', 'black']
const numbers = ['3', '4', '5', '6']
const abcd = { A: 'red', B: 'green', C: 'blue', D: 'black' }

/** Shapes in which published multiple-choice data come, two rows or more of each. */
const shapes: readonly (readonly [name: string, rows: Rows, form: string, letters: string])[] = [
  ['MMLU of Hugging Face: list and position from 0', rows4([0, 3, 2]), 'zero_based', 'ADC'],
  ['list and position from 1', rows4([1, 4, 2]), 'one_based', 'ADB'],
  ['positions as text from 0', rows4(['0', '3']), 'zero_based', 'AD'],
  ['positions as text from 1', rows4(['4', '1']), 'one_based', 'DA'],
  ['positions that pandas made decimal', rows4(['0.0', '3.0']), 'zero_based', 'AD'],
  ['list and letter', rows4(['A', 'D']), 'letter', 'AD'],
  ['list and small letter', rows4(['a', 'd']), 'letter', 'AD'],
  ['letter in brackets, as BBH has it', rows4(['(A)', '(D)']), 'letter', 'AD'],
  ['letter with a full stop', rows4(['B.', 'C.']), 'letter', 'BC'],
  ['list and text', rows4(['green', 'black']), 'text', 'BD'],
  ['text in another case', rows4(['Green', 'BLACK']), 'text', 'BD'],
  ['text with blanks around it', rows4([' green', 'black ']), 'text', 'BD'],
  [
    'numbers as choices and texts as keys',
    [
      { question: 'q', choices: ['12', '14', '16'], answer: '14' },
      { question: 'r', choices: ['7', '8', '9'], answer: '9' },
    ],
    'text',
    'BC',
  ],
  [
    'truth values',
    [
      { question: 'q', choices: ['False', 'True'], answer: true },
      { question: 'r', choices: ['False', 'True'], answer: false },
    ],
    'text',
    'BA',
  ],
  [
    'CommonsenseQA: list of label and text',
    [
      { question: 'q', choices: labeled('ABCDE', ['a1', 'b1', 'c1', 'd1', 'e1']), answerKey: 'E' },
      { question: 'r', choices: labeled('ABCDE', ['a2', 'b2', 'c2', 'd2', 'e2']), answerKey: 'B' },
    ],
    'label',
    'EB',
  ],
  [
    'ARC: lists of texts and labels, some of them numbers',
    [
      { question: 'q', choices: { text: four, label: ['A', 'B', 'C', 'D'] }, answerKey: 'D' },
      { question: 'r', choices: { text: four, label: ['1', '2', '3', '4'] }, answerKey: '2' },
    ],
    'label',
    'DB',
  ],
  [
    'OpenBookQA of Hugging Face',
    [
      { id: '1', question_stem: 'q', stem: 'q', choices: { text: four, label: [...'ABCD'] }, answerKey: 'C' },
      { id: '2', question_stem: 'r', stem: 'r', choices: { text: four, label: [...'ABCD'] }, answerKey: 'A' },
    ],
    'label',
    'CA',
  ],
  [
    'OpenBookQA without a column "question"',
    [{ id: '1', question_stem: 'q', choices: { text: four, label: [...'ABCD'] }, answerKey: 'C' }],
    'label',
    'C',
  ],
  [
    'AI2: the question as an object with its choices',
    [{ id: '1', question: { stem: 'q', choices: labeled('ABC', ['a1', 'b1', 'c1']) }, answerKey: 'B' }],
    'label',
    'B',
  ],
  [
    'HellaSwag: endings and the position as text',
    [
      { ctx: 'q', endings: four, label: '3' },
      { ctx: 'r', endings: four, label: '0' },
    ],
    'zero_based',
    'DA',
  ],
  [
    'a row of Hugging Face’s viewer',
    [{ row_idx: 0, row: { question: 'q', choices: four, answer: 0 }, truncated_cells: [] }],
    'zero_based',
    'A',
  ],
  ['columns that the key names', [{ question: 'q', 'Option A': '1', 'Option B': '2x', answer: 'Option B' }], 'label', 'B'],
  ['lists as numpy writes them', [{ question: 'q', choices: `['red' 'dark green'\n "it's"]`, answer: "it's" }], 'text', 'C'],
  [
    'maps of arrays as pandas writes them',
    [
      {
        question: 'q',
        choices: "{'text': array(['red', 'np.array([1])'],\n dtype=object), 'label': array(['A', 'B'], dtype=object)}",
        answer: 'B',
      },
    ],
    'label',
    'B',
  ],
  [
    'MathQA: choices with their letters in one text',
    [{ question: 'q', options: 'a ) 38 , b ) 27.675 , c ) none of these', correct: 'c' }],
    'letter',
    'C',
  ],
  [
    'MedQA: choices by their letter, text and letter of the answer',
    [
      { question: 'q', options: abcd, answer: 'green', answer_idx: 'B' },
      { question: 'r', options: abcd, answer: 'black', answer_idx: 'D' },
    ],
    'text',
    'BD',
  ],
  [
    'choices by their letter and a letter',
    [
      { question: 'q', options: abcd, answer: 'B' },
      { question: 'r', options: abcd, answer: 'D' },
    ],
    'label',
    'BD',
  ],
  ['MMLU as CSV: columns A to D and a letter', [{ question: 'q', ...abcd, answer: 'C' }], 'letter', 'C'],
  [
    'columns a to d and a position from 0',
    [
      { question: 'q', a: '1', b: '2x', c: '3x', d: '4x', answer: 0 },
      { question: 'r', a: '1', b: '2x', c: '3x', d: '4x', answer: 3 },
    ],
    'zero_based',
    'AD',
  ],
  [
    'MedMCQA: opa to opd and cop from 0',
    [
      { question: 'q', opa: 'w', opb: 'x', opc: 'y', opd: 'z', cop: 0 },
      { question: 'r', opa: 'w', opb: 'x', opc: 'y', opd: 'z', cop: 3 },
    ],
    'zero_based',
    'AD',
  ],
  [
    'Winogrande: option1, option2 and the number of the right one',
    [
      { sentence: 'q', option1: 'cup', option2: 'box', answer: '2' },
      { sentence: 'r', option1: 'cup', option2: 'box', answer: '1' },
    ],
    'one_based',
    'BA',
  ],
  [
    'PIQA: goal, sol1, sol2 and a label from 0',
    [
      { goal: 'q', sol1: 'cut', sol2: 'fold', label: 0 },
      { goal: 'r', sol1: 'cut', sol2: 'fold', label: 1 },
    ],
    'zero_based',
    'AB',
  ],
  [
    'SocialIQA: answerA to answerC and a label from 1',
    [
      { question: 'q', answerA: 'x', answerB: 'y', answerC: 'z', label: '3' },
      { question: 'r', answerA: 'x', answerB: 'y', answerC: 'z', label: '1' },
    ],
    'one_based',
    'CA',
  ],
  [
    'SWAG: ending0 to ending3 and a label from 0',
    [
      { ctx: 'q', ending0: 'a', ending1: 'b', ending2: 'c', ending3: 'd', label: 3 },
      { ctx: 'r', ending0: 'a', ending1: 'b', ending2: 'c', ending3: 'd', label: 0 },
    ],
    'zero_based',
    'DA',
  ],
  [
    'TruthfulQA of Hugging Face: marks beside the choices',
    [{ question: 'q', mc1_targets: { choices: four, labels: [0, 1, 0, 0] } }],
    'flags',
    'B',
  ],
  ['TruthfulQA of its authors: marks as values', [{ question: 'q', mc1_targets: { yes: 0, no: 1 } }], 'flags', 'B'],
  ['marks as the key', rows4([[0, 0, 1, 0]]), 'flags', 'C'],
  ['a list of one letter as the key', rows4([['B'], ['D']]), 'letter', 'BD'],
  [
    'AQuA: labels inside the choices',
    [
      { question: 'q', options: ['A)21', 'B)21.5', 'C)22'], correct: 'C' },
      { question: 'r', options: ['A)1', 'B)2', 'C)3'], correct: 'A' },
    ],
    'letter',
    'CA',
  ],
  ['a JSON list in a cell of CSV', [{ question: 'q', choices: '["x", "y"]', answer: 'y' }], 'text', 'B'],
  ['a Python list in a cell of CSV', [{ question: 'q', choices: `['x', "it's"]`, answer: "it's" }], 'text', 'B'],
  ['BIG-bench: numbers that are choices in order', rows('0', '1', '2'), 'text', 'CA'],
  [
    'columns of which later ones are empty',
    [
      { question: 'q', option_a: 'x', option_b: 'y', option_c: '', option_d: null, answer: 'b' },
      { question: 'r', option_a: 'x', option_b: 'y', option_c: 'z', option_d: '', answer: 'c' },
    ],
    'letter',
    'BC',
  ],
]

function rows4(keys: readonly unknown[]): Rows {
  return keys.map((answer, i) => ({ question: `q${i}`, choices: four, answer }))
}

function rows(...choices: readonly string[]): Rows {
  return ['2', '0'].map((answer, i) => ({ question: `q${i}`, choices, answer }))
}

function labeled(labels: string, texts: readonly string[]) {
  return texts.map((text, i) => ({ label: labels[i], text }))
}

describe('answer keys', () => {
  test.each(shapes)('are read in the form of the whole file: %s', async (_, given, form, letters) => {
    const check = await read(given)
    expect(check.problems).toEqual([])
    expect(check.answerKey).toMatchObject({ form, chosenBy: 'file' })
    expect(check.preview.flatMap(row => row.targets)).toEqual([...letters])
    expect(check.answerKey?.readings[0]?.examples.length).toBe(Math.min(3, given.length))
  })

  test('cover at least 30 shapes', () => expect(shapes.length).toBeGreaterThanOrEqual(30))

  test.each<readonly [string, Rows, readonly string[]]>([
    ['positions of which none is 0 or the last', rows4([1, 2, 3]), ['zero_based', 'one_based']],
    [
      'numbers that are choices and positions as well',
      [
        { question: 'q', choices: ['2', '3', '1', '0'], answer: '2' },
        { question: 'r', choices: ['1', '0', '2', '3'], answer: '0' },
      ],
      ['text', 'zero_based'],
    ],
    [
      'letters that are choices and labels as well',
      [
        { question: 'q', choices: ['B', 'A', 'C'], answer: 'A' },
        { question: 'r', choices: ['C', 'B', 'A'], answer: 'B' },
      ],
      ['text', 'letter'],
    ],
  ])('that fit two forms are refused until one is chosen: %s', async (_, given, forms) => {
    const check = await read(given)
    expect(check.problemCount).toBe(1)
    expect(check.problems[0]?.message).toMatch(
      /^The answer keys can be read in \d ways that give different answers\. Line \d+, key ".+Choose one as "answer_key" in "mapping"\.$/s,
    )
    expect(check.answerKey?.form).toBeNull()
    expect(check.answerKey?.readings.map(({ form }) => form)).toEqual(forms)
    const [a, b] = check.answerKey?.readings ?? []
    expect(a?.examples[0]?.line).toBe(b?.examples[0]?.line)
    expect(a?.examples[0]?.text).not.toBe(b?.examples[0]?.text)
    for (const reading of check.answerKey?.readings ?? []) {
      const chosen = await read(given, { answer_key: reading.form })
      expect(chosen.problems).toEqual([])
      expect(chosen.answerKey).toMatchObject({ form: reading.form, chosenBy: 'user' })
    }
  })

  test('of one file are never mixed: rows in another form are refused by their line', async () => {
    const check = await read([
      { question: 'a', choices: numbers, answer: '5' },
      { question: 'b', choices: numbers, answer: '6' },
      { question: 'c', choices: numbers, answer: '1' },
    ])
    expect(check.problems).toEqual([
      { file: 'data', line: 3, message: 'The key "1" is not the text of the right choice, as the other keys of this file are.' },
    ])
  })

  test('that fit no form are refused', async () => {
    const check = await read(rows4(['purple']))
    expect(check.problems[0]?.message).toBe('"purple" does not identify one of the 4 choices.')
  })

  test('name one choice only', async () => {
    const check = await read([...rows4(['red', 'green']), { question: 'z', choices: four, answer: ['red', 'blue'] }])
    expect(check.problems[0]?.message).toBe('A task with choices has one right answer here, but 2 are given.')
  })

  test('decide what a chosen form cannot read', async () => {
    const check = await read(rows4([0, 4]), { answer_key: 'zero_based' })
    expect(check.problems).toEqual([
      { file: 'data', line: 2, message: 'The key 4 is not its position counted from 0, as the other keys of this file are.' },
    ])
  })
})

describe('right and wrong choices in columns apart', () => {
  const science = Array.from({ length: 20 }, (_, i) => ({
    question: `q${i}`,
    distractor3: 'w3',
    distractor1: 'w1',
    distractor2: 'w2',
    correct_answer: `r${i}`,
  }))

  test('become choices in an order drawn from each question, the same on every import', async () => {
    const check = await read(science)
    expect(check.problems).toEqual([])
    expect(check.settled?.choices).toEqual(['correct_answer', 'distractor1', 'distractor2', 'distractor3'])
    for (const [i, { choices, targets }] of check.preview.entries()) {
      expect(choices?.toSorted()).toEqual([`r${i}`, 'w1', 'w2', 'w3'])
      expect(choices?.['ABCD'.indexOf(targets[0] ?? '')]).toBe(`r${i}`)
    }
    expect(new Set(check.preview.flatMap(({ targets }) => targets)).size).toBe(4)
    expect((await read(science)).preview).toEqual(check.preview)
    expect(check.warnings.join()).toContain('"correct_answer" holds the right choice')
  })

  test('are told apart where a wrong choice equals the right one', async () => {
    const check = await read(science.map(row => ({ ...row, correct_answer: 'w1' })))
    expect(check.problems).toEqual([])
    expect(check.answerKey?.form).toBe('flags')
  })

  test('are the columns that the user names, a list among them', async () => {
    const given = [{ question: 'q', correct_answer: 'r', incorrect_answers: ['a', 'b'] }]
    expect((await read(given)).warnings.join()).toContain('"incorrect_answers" looks like wrong choices')
    const check = await read(given, { choices: ['correct_answer', 'incorrect_answers'] })
    expect(check.preview[0]?.choices?.toSorted()).toEqual(['a', 'b', 'r'])
  })
})

describe('what makes a poor benchmark', () => {
  const rows = (keys: readonly string[]) => keys.map((answer, i) => ({ question: `q${i}`, choices: four, answer }))
  test.each<readonly [string, Rows, string]>([
    ['the right choice in one place', rows(Array.from({ length: 10 }, () => 'A')), 'The right choice is A in all 10 rows'],
    ['a passage that is not sent', [{ question: 'q', passage: 'p', answer: 'yes' }], 'without "passage". To show it, write {passage}'],
    [
      'choices in a column of an unusual name',
      [{ question: 'q', variants: ['a', 'b'], answer: 'A' }],
      'The column "variants" looks like the choices',
    ],
  ])('is said: %s', async (_, given, message) => {
    expect((await read(given)).warnings.join()).toContain(message)
  })

  test('is not suspected of few rows or of several places', async () => {
    expect((await read(rows(['A', 'A', 'A']))).warnings).toEqual([])
    expect((await read(rows([...Array.from({ length: 10 }, () => 'A'), 'B']))).warnings).toEqual([])
  })
})

describe('open answers', () => {
  test.each([
    ['SQuAD', { question: 'q', answers: { text: ['a', 'b', 'a'], answer_start: [1, 2, 9] } }, ['a', 'b']],
    ['TriviaQA', { question: 'q', answer: { value: 'a', aliases: ['a', 'b'], normalized_aliases: ['x'] } }, ['a', 'b']],
  ])('of %s are a list', async (_, row, targets) => {
    expect((await read([row])).preview[0]?.targets).toEqual(targets)
  })
})

describe('questions with choices inside their text', () => {
  const text = 'Which?\nOptions:\n(A) one\n(B) two'
  test('are imported as open ones, and the import says so', async () => {
    const check = await read([
      { question: text, answer: '(A)' },
      { question: text, answer: 'B' },
    ])
    expect(check.warnings.join()).toContain('The questions look like multiple choice')
    expect(check.preview[0]).toMatchObject({ choices: null, targets: ['(A)'] })
  })

  test('are not suspected where the answers are words', async () => {
    const check = await read([{ question: text, answer: 'one' }])
    expect(check.warnings.join()).not.toContain('look like multiple choice')
  })

  test('are not suspected where a column of choices was declined', async () => {
    const check = await read([{ question: 'q', choices: four, answer: 'red' }], { choices: null })
    expect(check.preview[0]).toMatchObject({ choices: null, targets: ['red'] })
    expect(check.settled).toMatchObject({ choices: null, target: 'answer' })
  })
})
