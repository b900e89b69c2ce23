import { describe, expect, test } from 'vitest'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'
import { inspectExample } from '../../../../../src/engine/importing/datasets/foreign-example.ts'
import { lines, lookAt } from './look-at.ts'

const read = (content: string, name = 'samples.jsonl') => lookAt('inspect_jsonl', [{ name, content }])

describe('a dataset of Inspect', () => {
  test.each([
    ['JSON Lines', 'samples.jsonl', lines({ input: 'Why?', target: 'A', choices: ['x', 'y'] })],
    ['a JSON list', 'samples.json', JSON.stringify([{ input: 'Why?', target: 'A', choices: ['x', 'y'] }], null, 2)],
    ['CSV', 'samples.csv', 'input,target,choices,id\nWhy?,A,"[""x"",""y""]",\n'],
    ['CSV with choices between commas', 'samples.csv', 'input,target,choices,id\nWhy?,A,"x, y,",\n'],
    ['CSV with choices between blanks', 'samples.csv', 'input,target,choices,id\nWhy?,A,x y,\n'],
  ])('may be %s', async (_, name, content) => {
    const { tasks, problems } = await read(content, name)
    expect(problems).toEqual([])
    expect(tasks).toMatchObject([{ fields: { input: 'Why?' }, targets: ['A'], choices: ['x', 'y'] }])
  })

  test('keeps the number 1 and the text "1" apart as ids', async () => {
    const { tasks, problems } = await read(
      lines({ input: 'a', target: 'x', id: 1 }, { input: 'b', target: 'x', id: '1' }, { input: 'c', target: 'x', id: 'a/b' }),
    )
    expect(problems).toEqual([])
    expect(tasks.map(({ id }) => id)).toEqual(['1', '1 (text)', 'a/b'])
  })

  test('without targets has no reference answers', async () => {
    const { tasks, definition } = await read(lines({ input: 'a' }, { input: 'b', target: '' }))
    expect(tasks.map(({ targets }) => targets)).toEqual([[], []])
    expect(definition?.profiles[0]?.metrics.map(({ scorer }) => scorer)).toEqual(['assay/recorded_score'])
  })

  test.each([
    ['a list', ['C', 'A']],
    ['a text', 'A,C'],
    ['letters', 'AC'],
  ])('asks for all right choices where a target names several as %s', async (_, target) => {
    const { tasks, definition } = await read(
      lines({ input: 'a', choices: ['x', 'y', 'z'], target }, { input: 'b', choices: ['x', 'y'], target: 'B' }),
    )
    expect(tasks.map(({ targets }) => targets)).toEqual([['A,C'], ['B']])
    const [profile] = definition?.profiles ?? []
    expect(profile?.promptTemplate).toContain('One or more choices are right.')
    expect(profile?.chanceLevel).toBeNull()
    const [metric] = profile?.metrics ?? []
    const grade = prepareScorer(metric ?? { scorer: '', options: {} })
    const verdict = (output: string) => grade({ output, targets: ['A,C'], choices: ['x', 'y', 'z'] }).class
    expect([verdict('ANSWER: A,C'), verdict('ANSWER: A')]).toEqual(['correct', 'wrong'])
  })

  test('has targets that are texts of choices, which are told from letters', async () => {
    const { tasks, warnings } = await read(
      lines(
        { input: 'a', choices: ['YES', 'NO'], target: 'NO' },
        { input: 'b', choices: ['B', 'A'], target: 'A' },
        { input: 'c', choices: ['x', 'y', 'z'], target: ['z', 'x'] },
      ),
    )
    expect(tasks.map(({ targets }) => targets)).toEqual([['B'], ['A'], ['A,C']])
    expect(warnings).toEqual(['2 targets are the text of a choice, and its letter is compared.'])
    const { problems } = await read(lines({ input: 'a', choices: ['x', 'x'], target: 'x' }))
    expect(problems[0]?.message).toMatch(/^The target "x" must be the letter of a choice, A to B/)
  })

  test('has truth values as Python writes them, and no answer where a list holds null', async () => {
    const { tasks, warnings } = await read(lines({ input: 'a', target: true }, { input: 'b', target: ['x', null, false] }))
    expect(tasks.map(({ targets }) => targets)).toEqual([['True'], ['x', 'False']])
    expect(warnings).toEqual(['The reference answers of one row hold null, which is no answer and was left out.'])
  })

  test('names the sandbox and files that samples need, and asks without them after a yes', async () => {
    const sent = [
      { name: 'd.jsonl', content: lines({ input: 'a', target: 'b', sandbox: 'docker', files: { x: 'y' } }, { input: 'c', target: 'd' }) },
    ]
    const before = await lookAt('inspect_jsonl', sent)
    expect(before.problems.map(({ line, message }) => [line, message])).toEqual([
      [1, expect.stringMatching(/^The sample needs "sandbox", "files", which a benchmark does not provide\./)],
    ])
    const after = await lookAt('inspect_jsonl', sent, true)
    expect(after.tasks.map(({ fields }) => fields['input'])).toEqual(['a', 'c'])
    expect(after.leftOut.map(({ line }) => line)).toEqual([1])
  })

  test('names the fields that are not imported', async () => {
    const { warnings } = await read(lines({ input: 'a', target: 'b', metadata: { x: 1 }, difficulty: 3 }))
    expect(warnings).toEqual(['Fields of the samples that were not imported: metadata, difficulty.'])
  })
})

test('parts of messages that only their provider can read are counted', async () => {
  const message = {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'data', data: { a: 1 } },
    ],
  }
  const { tasks, warnings } = await lookAt('inspect_jsonl', [{ name: 'd.jsonl', content: lines({ input: [message], target: 'x' }) }])
  expect(tasks[0]?.fields).toEqual({ input: 'Hi' })
  expect(warnings).toContain('One part of a message was left out, of the type "data", which only their provider can read.')
})

test('samples whose columns have other usual names are read by them, and say so', async () => {
  const { tasks, warnings } = await read('{"id":"q1","question":"Why?","answer":1.10}\n{"id":"q2","question":"How?","answer":"B"}\n')
  expect(tasks).toMatchObject([
    { id: 'q1', fields: { input: 'Why?' }, targets: ['1.1'] },
    { id: 'q2', fields: { input: 'How?' }, targets: ['B'] },
  ])
  expect(warnings).toEqual(['The samples have no "input", so "question" is read as the input, "answer" as the target.'])
})

test('samples whose columns have no usual name for the answer say how they are imported', async () => {
  const { problems } = await read(lines({ question: 'Why?', answer_matching_behavior: ' Yes' }))
  expect(problems[0]?.message).toBe(
    'There is no "input" among "question", "answer_matching_behavior". Choose JSON Lines, JSON or CSV as format, and say which columns are the question and the answer.',
  )
})

test('examples from samples of other names are read by them, and say so', () => {
  const said: string[] = []
  const example = (value: object) =>
    inspectExample({ line: 1, position: 1, value: { ...value } }, { task: 'answer', menu: null, scoreRange: null }, text => said.push(text))
  expect(example({ question: 'Why?', answer: 'x', topic: 't' }).content).toMatchObject({
    input: 'Why?',
    expected: 'x',
    metadata: { topic: 't' },
  })
  expect(said).toEqual(['The samples have no "input", so "question" is read as the input, "answer" as the target.'])
  expect(() => example({ question: 'Why?', hint: 'x' })).toThrow('There is no "input" among "question", "hint". Choose JSON Lines')
})
