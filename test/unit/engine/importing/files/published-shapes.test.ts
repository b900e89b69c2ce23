import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { importLimits } from '../../../../../src/engine/importing/files/limits.ts'
import { readCsv } from '../../../../../src/engine/importing/files/read-csv.ts'
import { collect } from './given.ts'
import { lines, lookAt } from './look-at.ts'

const jsonl = (...rows: readonly object[]) => lookAt('jsonl', [{ name: 'd.jsonl', content: lines(...rows) }])
const csv = (content: string, target?: string) => lookAt('csv', [{ name: 'd.csv', content }], false, target === undefined ? {} : { target })

describe('a table as its publisher shapes it', () => {
  test.each([
    ['LangSmith', { inputs: { question: 'Why?' }, outputs: { answer: 'a' } }],
    ['Phoenix', { input: { question: 'Why?' }, output: { answer: 'a' } }],
    ['Langfuse', { input: { question: 'Why?' }, expectedOutput: 'a' }],
    ['MLflow', { inputs: { question: 'Why?' }, expectations: { expected_answer: 'a' } }],
    ['a chat', { inputs: { messages: [{ role: 'user', content: 'Why?' }] }, outputs: { answer: 'a' } }],
  ])('has the named fields of an example in objects: %s', async (_, row) => {
    const { tasks, problems } = await jsonl(row)
    expect(problems).toEqual([])
    expect(tasks).toMatchObject([{ fields: { input: 'Why?' }, targets: ['a'] }])
  })

  const said = { answer: 'what a model said' }
  test.each<[string, object, string]>([
    ['Braintrust', { input: { question: 'Why?' }, output: said, expected: { answer: 'a' } }, 'output.answer'],
    ['Braintrust, in text', { input: { question: 'Why?' }, output: 'said', expected: { label: 'a' } }, 'output.text'],
    ['LangSmith', { inputs: { question: 'Why?' }, outputs: said, reference_outputs: { answer: 'a' } }, 'outputs.answer'],
    ['LangSmith, in text', { inputs: { question: 'Why?' }, outputs: said, reference_outputs: 'a' }, 'outputs.answer'],
    ['Langfuse', { input: { question: 'Why?' }, output: said, expectedOutput: 'a' }, 'output.answer'],
    ['Langfuse, in text', { input: { question: 'Why?' }, output: 'said', expectedOutput: 'a' }, 'output.text'],
    ['MLflow', { inputs: { question: 'Why?' }, outputs: said, expectations: { expected_answer: 'a' } }, 'outputs.answer'],
    ['a table', { input: 'Why?', output: 'said', expected_output: 'a' }, 'output'],
    ...['ground_truth', 'reference', 'reference_answer', 'gold_answer', 'expected_answer', 'expected_response', 'solution', 'answers'].map(
      (name): [string, object, string] => [`a table with ${name}`, { input: 'Why?', output: 'said', [name]: 'a' }, 'output'],
    ),
    ...['ground_truth', 'Reference', 'gold_answer', 'solution'].map((name): [string, object, string] => [
      `an object with ${name}`,
      { input: { question: 'Why?' }, output: said, [name]: 'a' },
      'output.answer',
    ]),
  ])('takes what was expected for the reference, not what a model said: %s', async (_, row, leftOut) => {
    const { tasks, problems, warnings } = await jsonl(row)
    expect(problems).toEqual([])
    expect(tasks).toMatchObject([{ fields: { input: 'Why?' }, targets: ['a'] }])
    expect(warnings).toContain(`Columns that are not imported: "${leftOut}".`)
  })

  test('takes "correct" for the reference where "answers" are the choices', async () => {
    const { tasks } = await jsonl({ input: 'Why?', answers: ['a', 'b'], correct: 'a' })
    expect(tasks).toMatchObject([{ targets: ['a'] }])
  })

  test('takes no output for a reference that is empty', async () => {
    const { problems } = await jsonl(
      { input: { question: 'Why?' }, output: said, expected: { answer: 'a' } },
      { input: { question: 'How?' }, output: said, expected: null },
    )
    expect(problems).toMatchObject([{ line: 2 }])
  })

  test('keeps the numbers of such objects as written, and fields of one name apart', async () => {
    const { tasks, warnings } = await lookAt('jsonl', [
      { name: 'd.jsonl', content: '{"inputs":{"question":"Why?"},"outputs":{"answer":1.10,"question":"x"}}' },
    ])
    expect(tasks[0]?.targets).toEqual(['1.10'])
    expect(warnings).toContain('Columns that are not imported: "outputs.question".')
  })

  test('has choices with a score each, of which one is right', async () => {
    const { tasks } = await jsonl({ input: 'Which?', target_scores: { Rome: 0, Paris: 1 } })
    expect(tasks).toMatchObject([{ choices: ['Rome', 'Paris'], targets: ['B'] }])
  })

  test('says so where several choices have a score', async () => {
    const { problems } = await jsonl({ input: 'Which?', target_scores: { Rome: 0.5, Paris: 0.5 } })
    expect(problems[0]?.message).toBe(
      'The scores in "target_scores" must be 1 for one of the choices and 0 for the others: a task with choices has one right answer here.',
    )
  })

  test('has the last answer beside the way to it', async () => {
    const { tasks } = await jsonl({ question: 'How many?', solution: 'So it is 2.', final_answer: ['2'] })
    expect(tasks[0]?.targets).toEqual(['2'])
  })

  test('has choices in columns called ans0 to ans2', async () => {
    const { tasks } = await jsonl(
      { question: 'Who?', ans0: 'x', ans1: 'y', ans2: 'z', label: 0 },
      { question: 'Who?', ans0: 'x', ans1: 'y', ans2: 'z', label: 2 },
    )
    expect(tasks).toMatchObject([{ choices: ['x', 'y', 'z'], targets: ['A'] }, { targets: ['C'] }])
  })

  test('has several reference answers in columns, which are no choices', async () => {
    const rows = 'question,answer_0,answer_1,answer_2\nWhy?,a,b,\n'
    expect((await csv(rows)).problems[0]?.message).toMatch(/^No column has a usual name for the target/)
    const { tasks, warnings } = await csv(rows, 'answer_0')
    expect(tasks).toMatchObject([{ targets: ['a'], choices: null }])
    expect(warnings).toEqual(['Columns that are not imported: "answer_1", "answer_2".'])
  })

  test('has remarks above the names of its columns, which are named', async () => {
    const { tasks, leftOut } = await csv('"Do not share, please",,\n,,\nid,question,answer\n1,Why?,a\n')
    expect(tasks).toMatchObject([{ id: '1', fields: { input: 'Why?' }, targets: ['a'] }])
    expect(leftOut).toMatchObject([{ line: 1, message: 'It is above the names of the columns: "Do not share, please".' }])
  })

  test('has messages as JSON in a text, which are a conversation', async () => {
    const messages = JSON.stringify([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
    ])
    const { tasks, warnings } = await csv(`prompt,answer\n"${messages.replaceAll('"', '""')}",a\n`)
    expect(tasks[0]?.conversations?.['input']).toHaveLength(2)
    expect(warnings).toEqual(['One question is a list of messages as JSON and is asked as a conversation.'])
    const plain = await csv('prompt,answer\n"[{""a"": 1}] is what?",a\n')
    expect(plain.tasks[0]?.fields).toEqual({ input: '[{"a": 1}] is what?' })
    expect(plain.warnings).toEqual([])
  })

  test('says how to mend a first line that names no columns', async () => {
    const rows = 'Was ist 1+1?,2\nWas ist 2+2?,4\n'
    const { problems, warnings } = await csv(rows)
    const hint = expect.stringMatching(/If the first line is a row of the table, put a line with the names of its columns above it\.$/)
    expect({ problems, warnings }).toMatchObject({ problems: [{ line: null, missingColumn: 'input' }], warnings: [hint] })
    // Chosen columns do not make the first row a task.
    const chosen = await lookAt('csv', [{ name: 'rows.csv', content: rows }], false, { input: 'Was ist 1+1?', target: '2' })
    expect(chosen).toMatchObject({ tasks: [{ targets: ['4'] }], warnings: expect.arrayContaining([hint]) })
    expect((await csv('input,target,2024\nWhy?,a,x\n')).warnings).not.toContainEqual(hint)
    const phrases = { input: 'Name a river', target: 'Rhine' }
    const lakes = await lookAt('csv', [{ name: 'rows.csv', content: 'Name a river,Rhine\nName a lake,Como\n' }], false, phrases)
    expect(lakes).toMatchObject({ tasks: [{ targets: ['Como'] }], warnings: expect.arrayContaining([hint]) })
    const named = await lookAt('csv', [{ name: 'rows.csv', content: 'Question text,Gold\nWhy?,a\n' }], false, {
      input: 'Question text',
      target: 'Gold',
    })
    expect(named.warnings).not.toContainEqual(hint)
  })

  test('a column that is missing is one error, before those of lines that cannot be read', async () => {
    const broken = Array.from({ length: 120 }, () => '{"words": ')
    const content = [...broken, '{"words": "a", "gold": "b"}', '{"words": "c", "gold": "d"}'].join('\n')
    for (const leaveOut of [false, true]) {
      const { problems, leftOut } = await lookAt('jsonl', [{ name: 'rows.jsonl', content }], leaveOut)
      expect(problems.filter(problem => problem.missingColumn !== undefined)).toMatchObject([{ line: null, missingColumn: 'input' }])
      expect([problems.length, leftOut.length]).toEqual(leaveOut ? [1, 100] : [100, 0])
    }
  })

  test('reads on where a column is missing, to name each line that cannot be read', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => (i === 2_000 ? '{"words": ' : `{"words": "a", "gold": "${i}"}`))
    const { problems } = await lookAt('jsonl', [{ name: 'rows.jsonl', content: rows.join('\n') }])
    expect(problems).toMatchObject([{ line: null, missingColumn: 'input' }, { line: 2_001 }])
  })

  test('says that long answers are compared word for word', async () => {
    const { warnings } = await jsonl({ question: 'Why?', reference_answer: 'Because '.repeat(40) })
    expect(warnings).toEqual([expect.stringMatching(/^The answers are long texts/)])
  })

  test('has ids that count from its first task, not from a remark', async () => {
    const { tasks } = await csv('"Do not share",,\nquestion,answer,topic\nWhy?,a,x\nHow?,b,y\n')
    expect(tasks.map(({ id }) => id)).toEqual(['row-0001', 'row-0002'])
  })

  test.each([
    ['a usual name and columns without one', 'question,,\nWhy?,a,b\nHow?,c,d\n', [{ question: 'Why?' }, { question: 'How?' }]],
    ['the names of an index left out', ',,text\n0,1,abc\n1,2,def\n', [{ text: 'abc' }, { text: 'def' }]],
    ['one column and empty cells', 'prompt,,\nWhat is 2+2?,,\nName a river,,\n', [{ prompt: 'What is 2+2?' }, { prompt: 'Name a river' }]],
    ['one column of its own name', 'topic,,\nrivers,long,1\nlakes,deep,2\n', [{ topic: 'rivers' }, { topic: 'lakes' }]],
    ['a name and a sentence of a task below', 'topic,,\n"Why, then?",text,\n', [{ topic: 'Why, then?' }]],
  ])('keeps its first line as the names of columns with %s', async (_, text, expected) => {
    const rows = await collect(readCsv(Readable.from([Buffer.from(text)]), importLimits))
    expect(rows).toMatchObject(expected.map(value => ({ kind: 'row', value })))
    expect(rows).toHaveLength(expected.length)
  })

  test('shows what a question is about in a column of its own', async () => {
    const { warnings } = await jsonl({ code: 'def f(x): return x', input: '1', output: '1' })
    expect(warnings).toContain('The model is sent "input" without "code". To show it, write {code} in the prompt template.')
  })
})

describe('a key with words after its letter', () => {
  const keyed = (answer: string) =>
    jsonl({ question: 'Which?', choices: ['Rome', 'Paris'], answer }, { question: 'What?', choices: ['x', 'y'], answer: 'A' })

  test('is the letter where the words are of its choice', async () => {
    const { tasks, warnings } = await keyed('B. Paris')
    expect(tasks[0]?.targets).toEqual(['B'])
    expect(warnings).toEqual([])
  })

  test('is refused where the words are of another choice', async () => {
    const { problems } = await keyed('A. Paris')
    expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining('"A. Paris"') }])
  })

  test('says that other words are not compared', async () => {
    const { tasks, warnings } = await keyed('B. Then click')
    expect(tasks[0]?.targets).toEqual(['B'])
    expect(warnings).toEqual(['Only the letter of a key is compared, not the words after it: "B. Then click" on line 1.'])
  })
})
