import { describe, expect, test } from 'vitest'
import { readInspectLogs } from '../../../../src/engine/importing/answers/read-inspect-log.ts'
import { prepareScorer } from '../../../../src/engine/grading/scorers/registry.ts'
import { makeZip } from '../../../support/make-zip.ts'

interface Given {
  readonly id: string | number
  readonly target?: unknown
  readonly output?: string
  readonly choices?: readonly string[]
  readonly epoch?: number | null
  readonly value?: string
}

const sampleOf = ({ id, target = 'hi', output = 'hi', choices, epoch = 1, value = 'C' }: Given, scorer: string) => ({
  id,
  epoch,
  input: `Question ${JSON.stringify(id)}?`,
  target,
  ...(choices && { choices }),
  output: { choices: [{ message: { role: 'assistant', content: output }, stop_reason: 'stop' }] },
  scores: { [scorer]: { value } },
})
const headerOf = (scorer: string, release = '0.3.260') => ({
  eval: { task: 'demo', model: 'openai/x', scorers: [{ name: scorer, options: {} }], packages: { inspect_ai: release } },
})

function logOf(samples: readonly Given[], scorer = 'match', release = '0.3.260') {
  const bytes = Buffer.from(JSON.stringify({ ...headerOf(scorer, release), samples: samples.map(each => sampleOf(each, scorer)) }))
  const [log] = readInspectLogs([{ name: 'log.json', bytes }])
  if (!log) throw new Error('There is no log.')
  return log
}

function archiveOf(entries: readonly (readonly [name: string, sample: Given])[]) {
  const files = [
    ['header.json', headerOf('match')] as const,
    ...entries.map(([name, sample]) => [name, sampleOf(sample, 'match')] as const),
  ]
  const bytes = makeZip(files.map(([name, value]) => ({ name, content: Buffer.from(JSON.stringify(value)) })))
  const [log] = readInspectLogs([{ name: 'log.eval', bytes }])
  return log
}

describe('a log of Inspect with choices', () => {
  const choices = ['one', 'two', 'three']

  test('is decided by our reading, and compared with Inspect’s own rule beside it', () => {
    const log = logOf([{ id: 'a', target: 'B', choices, output: '**B** because it is.', value: 'I' }], 'choice')
    const [profile] = log.define('demo', 'Demo').profiles
    expect(profile?.metrics.map(({ id, scorer, primary }) => [id, scorer, primary])).toEqual([
      ['assay_choice', 'assay/choice', true],
      ['choice', 'inspect_ai/choice', false],
    ])
    expect(log.pairs).toEqual([{ log: 'choice', metric: 'choice', reason: null, release: 'inspect_ai 0.3.260' }])
  })

  test.each([
    ['ANSWER: A,C', 1],
    ['ANSWER: A', 0],
    ['ANSWER: A,B,C', 0],
  ])('whose target is several of them wants exactly these: %s is %d', (output, expected) => {
    const log = logOf([{ id: 'a', target: ['A', 'C'], choices, output }], 'choice')
    const [task] = log.tasks
    for (const { scorer, options } of log.define('demo', 'Demo').profiles[0]?.metrics ?? [])
      expect(prepareScorer({ scorer, options })({ output, targets: task?.targets ?? [], choices }).value).toBe(expected)
  })
})

describe('the rule of a log’s own release', () => {
  const choices = ['one', 'two', 'three']
  // From the changelog of Inspect: 0.3.259 takes an Oxford comma, 0.3.260 a comma after a single choice.
  test.each([
    ['0.3.230', 'B', 'ANSWER: B,', 0],
    ['0.3.259', 'B', 'ANSWER: B,', 0],
    ['0.3.260', 'B', 'ANSWER: B,', 1],
    ['0.3.261', 'B', 'ANSWER: B,', 1],
    ['0.3.258', 'A,B,C', 'ANSWER: A, B, and C', 0],
    ['0.3.259', 'A,B,C', 'ANSWER: A, B, and C', 1],
    ['0.3.230', 'B', 'ANSWER: B', 1],
  ])('%s: a target %s is met by "%s": %d', (release, target, output, expected) => {
    const log = logOf([{ id: 'a', target, choices, output }], 'choice', release)
    const metric = log.define('demo', 'Demo').profiles[0]?.metrics.find(({ scorer }) => scorer === 'inspect_ai/choice')
    const prepared = prepareScorer({ scorer: 'inspect_ai/choice', options: metric?.options })
    expect(prepared({ output, targets: log.tasks[0]?.targets ?? [], choices }).value).toBe(expected)
    expect(log.pairs[0]?.release).toBe(`inspect_ai ${release}`)
  })
})

describe('samples of a log of Inspect', () => {
  test('with numbers for targets are read as text', () => {
    const log = logOf([
      { id: 'a', target: 5 },
      { id: 'b', target: ['5', 6] },
      { id: 'c', target: true },
    ])
    expect(log.tasks.map(({ targets }) => targets)).toEqual([['5'], ['5', '6'], ['True']])
  })

  test('with the number 1 and the text "1" for ids are two', () => {
    const log = logOf([{ id: 1 }, { id: '1', output: 'no' }])
    expect(log.tasks.map(({ id }) => id)).toEqual(['1 (number)', '1'])
    expect(log.answers.map(({ taskIndex, output }) => [taskIndex, output])).toEqual([
      [0, 'hi'],
      [1, 'no'],
    ])
  })

  test('without an epoch are of the first', () => {
    expect(logOf([{ id: 'a', epoch: null }]).answers[0]?.epoch).toBe(1)
  })

  test('with slashes in their ids are read from an archive', () => {
    const log = archiveOf([
      ['samples/HumanEval/0_epoch_1.json', { id: 'HumanEval/0' }],
      ['samples/HumanEval/1_epoch_1/sample.json', { id: 'HumanEval/1' }],
      ['samples/plain_epoch_1.json', { id: 'plain' }],
    ])
    expect(log?.tasks.map(({ id }) => id)).toEqual(['HumanEval/0', 'HumanEval/1', 'plain'])
  })

  test('that an archive holds twice count as written last', () => {
    const log = archiveOf([
      ['samples/a_epoch_1.json', { id: 'a', output: 'old' }],
      ['samples/a_epoch_1.json', { id: 'a', output: 'new' }],
    ])
    expect(log?.answers.map(({ output }) => output)).toEqual(['new'])
  })
})
