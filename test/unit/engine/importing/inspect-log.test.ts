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

describe('an archive of Inspect', () => {
  const entries = ['a', 'b'].map(id => ({
    name: `samples/${id}_epoch_1.json`,
    content: Buffer.from(JSON.stringify(sampleOf({ id, output: 'hi there, at some length' }, 'match'))),
  }))
  const whole = makeZip([{ name: 'header.json', content: Buffer.from(JSON.stringify(headerOf('match'))) }, ...entries])

  test.each([
    ['is cut off', whole.subarray(0, whole.length - 30)],
    ['is damaged where it begins', Buffer.concat([Buffer.from([0, 0, 0, 0]), whole.subarray(4)])],
    ['is empty', Buffer.alloc(0)],
    ['is a text', Buffer.from('version https://example.test/1\n')],
  ])('that %s is named as an archive, not as JSON', (_, bytes) => {
    const read = () => readInspectLogs([{ name: 'log.eval', bytes }])
    expect(read).toThrow(/^"log\.eval": .*(?:archive|damaged)/)
    expect(read).not.toThrow(/JSON|double quotes/)
  })

  test('with one damaged sample keeps the others and names it', () => {
    const at = whole.indexOf('samples/a_epoch_1.json') + 60
    const damaged = Buffer.from(whole)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
    const [log] = readInspectLogs([{ name: 'log.eval', bytes: damaged }])
    expect(log?.tasks.map(({ id }) => id)).toEqual(['b'])
    expect(log?.warnings).toContainEqual(expect.stringMatching(/^Left out: "log\.eval": "samples\/a_epoch_1\.json" is damaged/))
  })

  test('does not keep other logs from being read', () => {
    const logs = readInspectLogs([
      { name: 'broken.eval', bytes: whole.subarray(0, 200) },
      { name: 'log.eval', bytes: whole },
    ])
    expect(logs.map(({ tasks }) => tasks.length)).toEqual([2])
    expect(logs[0]?.warnings).toContainEqual(expect.stringContaining('"broken.eval"'))
  })
})

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

describe('groups of an Inspect log', () => {
  const log = (metadata: (i: number) => object, metrics: object = [{ name: 'inspect_ai/accuracy', options: {} }]) => {
    const header = { eval: { task: 'demo', model: 'openai/x', scorers: [{ name: 'match', options: {}, metrics }] } }
    const samples = Array.from({ length: 6 }, (_, i) => ({ ...sampleOf({ id: i }, 'match'), metadata: metadata(i) }))
    const [read] = readInspectLogs([{ name: 'log.json', bytes: Buffer.from(JSON.stringify({ ...header, samples })) }])
    return read
  }
  const breakdowns = (read: ReturnType<typeof log>) => read?.define('demo', 'Demo').profiles[0]?.breakdowns

  test('are the keys of metadata that every sample has with few values', () => {
    const read = log(i => ({
      subject: i % 2 ? 'law' : 'math',
      level: i % 3,
      hard: i > 3,
      source: `page ${i}`,
      topic: null,
      note: { a: 1 },
    }))
    expect(breakdowns(read)).toEqual(['subject', 'level', 'hard'])
    expect(read?.tasks[1]?.metadata).toEqual({ subject: 'law', level: '1', hard: 'false' })
  })

  test('are those by which its own metrics are grouped, also where every sample has its own', () => {
    const grouped = [{ name: 'inspect_ai/grouped', options: { group_key: 'source', metric: {} } }]
    expect(breakdowns(log(i => ({ source: `page ${i}` }), grouped))).toEqual(['source'])
    expect(breakdowns(log(i => ({ source: `page ${i}` }), { part: grouped }))).toEqual(['source'])
    expect(breakdowns(log(() => ({}), grouped))).toEqual([])
  })
})

describe('scores of an Inspect log', () => {
  const read = (...samples: object[]) => {
    const whole = samples.map((sample, i) => ({ ...sampleOf({ id: i }, 'match'), ...sample }))
    return readInspectLogs([{ name: 'log.json', bytes: Buffer.from(JSON.stringify({ ...headerOf('match'), samples: whole })) }])[0]
  }
  const scored = (value: unknown, name = 'mine') => ({ scores: { [name]: { value } } })

  test('that are lists come along by place, within others too, and missing parts stay missing', () => {
    const log = read(scored([1, 0, null]), scored({ a: [0.5], b: 'C' }))
    expect(log?.answers.map(({ scores }) => scores)).toEqual([
      { 'mine/1': 1, 'mine/2': 0 },
      { 'mine/a/1': 0.5, 'mine/b': 1 },
    ])
    expect(log?.isGraded).toBe(false)
  })

  test('that are parts of another are by no scorer of Inspect, and neither is what is no verdict', () => {
    const parts = read(scored({ f1: 0.5, exact: 0 }, 'squad'))
    expect(parts?.pairs.map(({ log, metric }) => [log, metric])).toEqual([
      ['squad/f1', null],
      ['squad/exact', null],
    ])
    expect(read(scored(7, 'likert'), scored(3, 'likert'))?.pairs).toMatchObject([{ log: 'likert', metric: null }])
    // Before the log had scores by name.
    expect(read({ scores: undefined, score: { value: 'C' } })?.pairs).toMatchObject([{ log: 'score', metric: 'match' }])
  })

  test('remain where another sample cannot be read, which is named', () => {
    const image = { input: [{ role: 'user', content: [{ type: 'image', image: 'data:image/png;base64,AAAA' }] }] }
    const log = read({}, image, { id: null })
    expect(log?.answers).toHaveLength(1)
    expect(log?.warnings).toEqual([
      'Left out: Send "log.json, sample 3" as Inspect wrote it (.eval or .json): in this file "id" must be text or a number.',
      'Left out: "log.json": the sample "1": The file in "input": The file is of no type that is known. Taken are PNG, JPEG, WebP, GIF, WAV, MP3, FLAC and PDF.',
    ])
    expect(() => read(image)).toThrow('of no type that is known')
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

describe('a log of Inspect as an archive', () => {
  const packed = (files: Readonly<Record<string, unknown>>, method?: 'zstd') => {
    const entries = Object.entries(files).map(([name, value]) => ({ name, content: Buffer.from(JSON.stringify(value)) }))
    return readInspectLogs([{ name: 'log.eval', bytes: makeZip(entries, method) }])
  }
  const spec = (more: object = {}) => ({ ...headerOf('match').eval, ...more })

  test('packed with zstd, of several epochs and scorers, keeps each answer with all its scores', () => {
    const both = { match: { value: 'C' }, mine: { value: 0.5, explanation: 'half' } }
    const sample = (id: string, epoch: number) => ({ ...sampleOf({ id, epoch }, 'match'), scores: both })
    const scorers = [{ name: 'match', options: {} }, { name: 'mine' }]
    const [log] = packed(
      {
        '_journal/start.json': { version: 2, eval: spec() },
        'samples/a_epoch_1.json': sample('a', 1),
        'samples/a_epoch_2.json': sample('a', 2),
        'samples/b_epoch_1.json': sample('b', 1),
        'samples/b_epoch_2.json': sample('b', 2),
        'summaries.json': [],
        'reductions.json': [{ scorer: 'match', samples: [] }],
        'header.json': {
          status: 'success',
          eval: spec({ scorers, config: { epochs: 2, epochs_reducer: ['mean'] }, dataset: { sample_ids: ['a', 'b'] } }),
          results: { total_samples: 4, completed_samples: 4, scores: [{ name: 'match', scorer: 'match' }] },
        },
      },
      'zstd',
    )
    expect(log?.answers.map(({ taskIndex, epoch, scores }) => [taskIndex, epoch, scores])).toEqual(
      [
        [0, 1],
        [0, 2],
        [1, 1],
        [1, 2],
      ].map(([task, epoch]) => [task, epoch, { match: 1, mine: 0.5 }]),
    )
    expect(log?.counted).toEqual({ stated: 4, read: 4, missing: [] })
    expect(log?.pairs.map(({ log: name, metric }) => [name, metric])).toEqual([
      ['match', 'match'],
      ['mine', null],
    ])
  })

  test('of a cancelled evaluation has the samples that were logged, and names the others', () => {
    const stopped = { ...sampleOf({ id: 'b' }, 'match'), scores: {}, output: { choices: [] }, error: { message: 'CancelledError()' } }
    const limited = { ...sampleOf({ id: 'c', value: 'I' }, 'match'), limit: { type: 'message', limit: 10 }, output: { choices: [] } }
    const [log] = packed({
      '_journal/start.json': { version: 2, eval: spec({ dataset: { sample_ids: ['a', 'b', 'c', 'd'] } }) },
      '_journal/summaries/1.json': [],
      'samples/a_epoch_1.json': sampleOf({ id: 'a' }, 'match'),
      'samples/b_epoch_1.json': stopped,
      'samples/c_epoch_1.json': limited,
    })
    expect(log?.answers.map(({ output, error, scores }) => [output, error, scores])).toEqual([
      ['hi', null, { match: 1 }],
      [null, 'CancelledError()', {}],
      ['', null, { match: 0 }],
    ])
    expect(log?.counted).toEqual({ stated: 4, read: 3, missing: ['d'] })
  })

  test('names the samples whose messages have parts that only their provider can read', () => {
    const data = { type: 'data', data: { encrypted: 'x' } }
    const [log] = packed({
      'header.json': headerOf('match'),
      'samples/a_epoch_1.json': {
        ...sampleOf({ id: 'a' }, 'match'),
        input: [{ role: 'user', content: [{ type: 'text', text: 'A?' }, data] }],
      },
      'samples/b_epoch_1.json': sampleOf({ id: 'b' }, 'match'),
      'samples/c_epoch_1.json': {
        ...sampleOf({ id: 'c' }, 'match'),
        output: { choices: [{ message: { role: 'assistant', content: [data, { type: 'text', text: 'hi' }] } }] },
      },
    })
    expect(log?.answers.map(({ output }) => output)).toEqual(['hi', 'hi', 'hi'])
    expect(log?.warnings).toEqual([
      '"log.eval": parts of the type "data", which only their provider can read, were left out of 2 samples: a, c.',
    ])
  })

  test('names the samples whose answers show more than text', () => {
    const shows = (id: string, ...parts: object[]) => ({
      ...sampleOf({ id }, 'match'),
      output: { choices: [{ message: { role: 'assistant', content: [...parts, { type: 'text', text: 'hi' }] } }] },
    })
    const [log] = packed({
      'header.json': headerOf('match'),
      'samples/a_epoch_1.json': shows('a', { type: 'image', image: 'data:image/png;base64,AAAA' }),
      'samples/b_epoch_1.json': shows('b', { type: 'reasoning', reasoning: 'hm' }),
      'samples/c_epoch_1.json': shows('c', { type: 'audio', audio: 'x.wav', format: 'wav' }),
    })
    expect(log?.answers.map(({ output }) => output)).toEqual(['hi', 'hi', 'hi'])
    expect(log?.warnings).toEqual([
      '"log.eval": images and audio in answers were left out of 2 samples: a, c. Only their text is imported and graded.',
    ])
  })
})
