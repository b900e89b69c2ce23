import { describe, expect, test } from 'vitest'
import { readMappedTask, settleColumns } from '../../../../../src/engine/importing/files/column-mapping.ts'

const read = (value: Record<string, unknown>, wanted: Parameters<typeof settleColumns>[1] = {}) =>
  readMappedTask({ line: 1, position: 1, value }, settleColumns(Object.keys(value), wanted), 'text')

const none = { choices: null, id: null, groups: [], cluster: null, date: null, split: null, media: [], dependsOn: null }

describe('columns', () => {
  test.each([
    [['input', 'ideal'], { ...none, input: 'input', target: 'ideal' }],
    [['question', 'options', 'answer', 'task_id'], { ...none, input: 'question', target: 'answer', choices: ['options'], id: 'task_id' }],
    [['prompt', 'input', 'target'], { ...none, input: 'input', target: 'target' }],
    [['Question', 'A', 'B', 'C', 'Answer'], { ...none, input: 'Question', target: 'Answer', choices: ['A', 'B', 'C'] }],
    [['question', 'mc1_targets'], { ...none, input: 'question', target: null, choices: ['mc1_targets'] }],
    [['question', 'answers', 'answer'], { ...none, input: 'question', target: 'answer' }],
    [['question', 'answer', 'answer_number', 'equation_solution'], { ...none, input: 'question', target: 'answer_number' }],
    [['question_id', 'category', 'ground_truth', 'turns', 'task'], { ...none, input: 'turns', target: 'ground_truth' }],
    [['user_input', 'response', 'reference'], { ...none, input: 'user_input', target: 'reference' }],
    [['document', 'summary', 'id'], { ...none, input: 'document', target: 'summary', id: 'id' }],
    [['document', 'messages', 'target'], { ...none, input: 'messages', target: 'target' }],
    [['messages', 'summary'], { ...none, input: 'messages', target: null }],
    [['article', 'highlights', 'id'], { ...none, input: 'article', target: 'highlights', id: 'id' }],
  ])('are told by the names that other tools use: %j', (names, expected) => {
    expect(settleColumns(names, {})).toEqual(expected)
  })

  test('are what the user says first of all', () => {
    expect(settleColumns(['a', 'input', 'target'], { input: 'a' })).toMatchObject({ input: 'a', target: 'target' })
    expect(() => settleColumns(['a'], { input: 'b' })).toThrow('There is no column "b" for input; the file has "a".')
    expect(() => settleColumns(['input'], {})).toThrow(
      'Name it as "target" in "mapping", or set it to null for tasks without reference answers.',
    )
    expect(() => settleColumns(['input', 'target'], { groups: ['topic'] })).toThrow('There is no column "topic" for groups')
    expect(() => settleColumns(['input', 'target'], { choices: ['x', 'y'] })).toThrow('There is no column "x" for choices')
  })

  test('take turns that begin with the question of the first row, or are null there', () => {
    const row = { question_id: 1, question: 'One?', turns: ['One?', 'Two?'], answer: '2' }
    const settled = (value: Readonly<Record<string, unknown>>, wanted = {}) => {
      const { input, turns, repeatsQuestion } = settleColumns(Object.keys(value), wanted, () => null, value)
      return [input, turns, repeatsQuestion]
    }
    expect(settled(row)).toEqual(['question', 'turns', true])
    expect(settled({ ...row, turns: null })).toEqual(['question', 'turns', true])
    expect(settled({ ...row, turns: ['Other?', 'Two?'] })).toEqual(['question', undefined, undefined])
    expect(settled({ ...row, turns: 2 })).toEqual(['question', undefined, undefined])
    expect(settled(row, { input: 'question' })).toEqual(['question', undefined, undefined])
    expect(settled(row, { turns: 'turns' })).toEqual(['question', 'turns', undefined])
    expect(settled({ turns: ['One?', 'Two?'], answer: '2' })).toEqual(['turns', undefined, undefined])
  })

  test('settle for each row by itself whether its turns repeat the question', () => {
    const first = { question: 'One?', turns: ['One?', 'Two?'], answer: '2' }
    const columns = settleColumns(Object.keys(first), {}, () => null, first)
    const asked = (value: object) => {
      const { fields, turns } = readMappedTask({ line: 1, position: 1, value: { ...first, ...value } }, columns, 'text')
      return [fields['input'], turns]
    }
    expect(asked({})).toEqual(['One?', ['Two?']])
    expect(asked({ question: 'Q2?', turns: null })).toEqual(['Q2?', undefined])
    expect(asked({ question: 'Q2?', turns: ['Q2?'] })).toEqual(['Q2?', undefined])
    expect(() => asked({ question: 'Q2?', turns: ['Other?', 'More?'] })).toThrow('"turns" does not begin with the text of "question"')
  })

  test('are left out where the user declines them', () => {
    expect(settleColumns(['input', 'target', 'choices', 'id'], { choices: null, id: null })).toMatchObject({ choices: null, id: null })
  })
})

describe('a row', () => {
  test('keeps numbers and truth values as text', () => {
    expect(read({ input: 'a', target: 3.5 })).toMatchObject({ targets: ['3.5'] })
    expect(read({ input: 'a', target: [true, 2] })).toMatchObject({ targets: ['true', '2'] })
    expect(read({ input: 'a', target: [{ f: { x: [1] } }] })).toMatchObject({ targets: ['{"f":{"x":[1]}}'] })
  })

  test('may be a conversation, whose last answer is the reference where there is no other', () => {
    const messages = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'Two?' },
    ]
    const conversations = { input: messages }
    expect(read({ messages, answer: '2' })).toMatchObject({ fields: { input: 'Two?' }, conversations, targets: ['2'] })
    expect(read({ messages: [...messages, { role: 'assistant', content: '2' }] })).toMatchObject({ conversations, targets: ['2'] })
    expect(
      read({
        conversations: [
          { from: 'human', value: 'One?' },
          { from: 'gpt', value: '1' },
        ],
      }),
    ).toMatchObject({
      fields: { input: 'One?' },
      targets: ['1'],
    })
    expect(() => read({ messages })).toThrow('The conversation doesn’t end with an answer.')
  })

  test.each([
    [{ input: 'a', target: null }, 'The field "target" must be text or a number but is null.'],
    [{ input: 'a', target: '' }, 'The field "target" is empty.'],
    [{ input: ' ', target: 'b' }, 'The field "input" is empty.'],
    [{ input: ['a'], target: 'b' }, 'The field "input" must be text but is a list.'],
    [
      {
        input: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
        target: 'b',
      },
      'The conversation in "input" ends with an answer, and "target" has one too.',
    ],
    [{ input: 'a', target: 2 ** 60 }, 'The number in "target" is too large to be kept exactly; write it as text.'],
    [{ input: 'a', target: 'b', id: 'x\ny' }, 'The id in "id" must be 1 to 200 characters without control characters.'],
    [{ input: 'a', target: 'b', choices: 'b' }, 'The field "choices" must be a list such as ["one", "two"] but is text.'],
    [
      { input: 'a', target: 'b', choices: 'b | c|d' },
      'The field "choices" must be a list such as ["one", "two"] but is text with bars (|).',
    ],
    [{ input: 'a', target: 'b', choices: [] }, 'The list "choices" is empty.'],
    [
      { input: 'a', target: 'E', choices: ['b', 'c'] },
      'The key "E" is not the text of the right choice, as the other keys of this file are.',
    ],
    [{ input: 'a', target: 'b', A: 'b', B: '' }, 'The columns "A", "B" hold fewer than 2 choices.'],
    [{ input: 'a', target: 'b', A: 'b', B: '', C: 'c' }, 'The field "B" is empty although a later choice is not.'],
    [{ input: 'a', target: 'b', choices: "['b', f()]" }, 'The list in the field "choices" is not valid JSON.'],
  ])('%j is refused', (value, message) => {
    expect(() => read(value)).toThrow(message)
  })

  test('has no reference answer where the user says so', () => {
    expect(read({ input: 'a', note: 'b' }, { target: null })).toMatchObject({ targets: [], choices: null })
    expect(() => read({ messages: [{ role: 'user', content: 'a' }] }, {})).toThrow('The conversation doesn’t end with an answer.')
  })

  test('keeps the letters of its choices, in whatever order a map has them', () => {
    const choices = { C: 'three', A: 'one', B: 'two' }
    const { columns, key } = { columns: settleColumns(['input', 'choices', 'answer'], {}), key: 'label' as const }
    const task = readMappedTask({ line: 1, position: 1, value: { input: 'q', choices, answer: 'B' } }, columns, key)
    expect(task).toMatchObject({ choices: ['one', 'two', 'three'], targets: ['B'] })
    const numbered = readMappedTask(
      { line: 1, position: 1, value: { input: 'q', choices: { x: 'one', b: 'two' }, answer: 'b' } },
      columns,
      key,
    )
    expect(numbered).toMatchObject({ choices: ['one', 'two'], targets: ['B'] })
  })

  test('keeps its groups for the breakdown of results, and what it depends on', () => {
    const value = { input: 'a', target: 'b', topic: 'tides', level: 3, note: '', needs: 'one, two' }
    const task = read(value, { groups: ['topic', 'level', 'note'], depends_on: 'needs' })
    expect(task).toMatchObject({ metadata: { topic: 'tides', level: '3' }, dependsOn: ['one', 'two'] })
    expect(task.metadata).not.toHaveProperty('note')
  })
})
