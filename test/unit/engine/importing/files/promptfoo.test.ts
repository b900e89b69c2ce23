import { describe, expect, it } from 'vitest'
import { judgePresets } from '../../../../../src/engine/grading/judges/presets.ts'
import { lines, lookAt } from './look-at.ts'

const config = (content: string, ...more: { name: string; content: string }[]) => [{ name: 'promptfooconfig.yaml', content }, ...more]

describe('prompts of promptfoo', () => {
  it('may be given by "id" with a label: a text, or the file that it names', async () => {
    const { definition, tasks, problems } = await lookAt(
      'promptfoo_yaml',
      config(
        'prompts:\n  - {id: "file://prompts/short.txt", label: Short}\n  - {id: "Answer at length: {{q}}", label: Long}\n  - {id: file://many.txt, label: Many}\ntests:\n  - {vars: {q: why}, assert: [{type: contains, value: because}]}\n',
        { name: 'short.txt', content: 'Answer: {{q}}' },
        { name: 'many.txt', content: 'One {{q}}\n---\nTwo {{q}}' },
      ),
    )
    expect(problems).toEqual([])
    expect(definition?.profiles.map(({ summary }) => summary)).toEqual([
      'The prompt "Short".',
      'The prompt "Long".',
      'The prompt "Many, 1".',
      'The prompt "Many, 2".',
    ])
    expect(tasks[0]?.fields).toEqual({
      prompt_1: 'Answer: why',
      prompt_2: 'Answer at length: why',
      prompt_3: 'One why',
      prompt_4: 'Two why',
    })
  })
})

describe('tests of promptfoo that cannot be imported', () => {
  const content = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: one}, assert: [{type: equals, value: "1"}]}',
    '  - {vars: {q: two}, assert: [{type: javascript, value: "output.length > 3"}]}',
    '  - {vars: {q: file://q.txt}, assert: [{type: equals, value: x}]}',
    '  - [a, list]',
    '  - {vars: {q: three}, assert: [{type: equals, value: "3"}]}',
  ].join('\n')

  it('are each named, and nothing is imported', async () => {
    const found = await lookAt('promptfoo_yaml', config(content))
    expect(found.problems.map(({ line, message }) => [line, message.slice(0, 60)])).toEqual([
      [4, 'The assertion "javascript" cannot be imported: There is no a'],
      [5, 'The variable "q" is a file, which cannot be imported.'],
      [6, 'A test must be an object with "vars" and "assert".'],
    ])
    expect([found.tasks, found.leftOut, found.definition]).toEqual([[], [], null])
  })

  it('are left out and listed after an explicit yes; the others keep their ids', async () => {
    const found = await lookAt('promptfoo_yaml', config(content), true)
    expect(found.problems).toEqual([])
    expect(found.tasks.map(({ id }) => id)).toEqual(['promptfooconfig.yaml-0001', 'promptfooconfig.yaml-0005'])
    expect(found.leftOut.map(({ file, line }) => [file, line])).toEqual([4, 5, 6].map(line => ['promptfooconfig.yaml', line]))
    expect(found.leftOut[0]?.message).toMatch(/^The assertion "javascript" cannot be imported/)
  })

  it('still refuse what is wrong with the whole configuration, and a file with nothing left', async () => {
    const program = await lookAt('promptfoo_yaml', config('prompts: [file://ask.py]\ntests: []', { name: 'ask.py', content: 'x' }), true)
    expect(program.problems[0]?.message).toMatch(/is a program or another form/)
    const nothing = await lookAt(
      'promptfoo_yaml',
      config('prompts: ["{{q}}"]\ntests:\n  - {vars: {q: a}, assert: [{type: python, value: x}]}'),
      true,
    )
    expect(nothing.problems).toMatchObject([{ line: null, message: 'Nothing would be imported: the only row is left out.' }])
  })
})

describe('assertions of promptfoo that a model grades', () => {
  const content = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: one}, assert: [{type: contains, value: a}, {type: llm-rubric, value: Is kind.}]}',
    '  - {vars: {q: two}, assert: [{type: factuality, value: Two is two.}]}',
    '  - {vars: {q: three}, assert: [{type: llm-rubric, value: Is short.}, {type: g-eval, value: [Is polite., Has no lists.]}]}',
    '  - {vars: {q: four}, assert: [{type: llm-rubric, value: file://rubric.txt}]}',
  ].join('\n')

  it('are refused by line, naming the way', async () => {
    const { problems } = await lookAt('promptfoo_yaml', config(content))
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 6])
    expect(problems[0]?.message).toBe(
      'The assertion "llm-rubric" needs a judge. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.',
    )
  })

  it('become what an evaluator compares with, and are counted by the preset that grades them', async () => {
    const { tasks, judged, leftOut, definition } = await lookAt('promptfoo_yaml', config(content), true)
    expect(tasks.map(({ targets, metadata }) => [targets, metadata['assertions']])).toEqual([
      [['Is kind.'], [{ type: 'contains', value: 'a' }]],
      [['Two is two.'], []],
      [['Is short.\n\nIs polite.\nHas no lists.'], []],
    ])
    expect(leftOut).toMatchObject([{ line: 6, message: expect.stringContaining('is a file, which cannot be imported') }])
    expect(judged).toEqual([
      { assertion: 'llm-rubric', preset: 'test_rubric', tasks: 2 },
      { assertion: 'factuality', preset: 'correctness', tasks: 1 },
      { assertion: 'g-eval', preset: 'test_rubric', tasks: 1 },
    ])
    for (const { preset } of judged) expect(judgePresets.map(({ id }) => id)).toContain(preset)
    expect(definition?.profiles[0]?.metrics[0]?.title).toBe('Passed without judged assertions')
  })

  it('are read from tables as well', async () => {
    const csv = 'question,__expected1,__expected2\nHi?,llm-rubric: greets back,contains: hello\nBye?,answer-relevance(0.8): x,\n'
    const { tasks, judged } = await lookAt('promptfoo_csv', [{ name: 'tests.csv', content: csv }], true)
    expect(tasks.map(({ targets }) => targets)).toEqual([['greets back'], ['x']])
    expect(judged.map(({ assertion, preset }) => [assertion, preset])).toEqual([
      ['llm-rubric', 'test_rubric'],
      ['answer-relevance', 'relevance'],
    ])
  })
})

it('lines of a file of tests are named with their own line', async () => {
  const { problems } = await lookAt(
    'promptfoo_yaml',
    config('prompts: ["{{q}}"]\ntests: file://t.jsonl', {
      name: 't.jsonl',
      content: lines({ vars: { q: 'a' }, assert: [{ type: 'equals', value: 'b' }] }, { vars: { q: 'a' }, assert: [{ type: 'nope' }] }),
    }),
  )
  expect(problems).toMatchObject([{ file: 't.jsonl', line: 2, message: expect.stringContaining('There is no assertion "nope" here') }])
})
