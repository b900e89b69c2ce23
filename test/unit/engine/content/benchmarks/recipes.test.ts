import { describe, expect, test } from 'vitest'
import { fetchedFiles } from '../../../../../src/engine/importing/recipes/recipe.ts'
import { findRecipe, recipes } from '../../../../../src/engine/importing/recipes/recipes.ts'
import { codeScorers } from '../../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { scorers } from '../../../../../src/engine/grading/scorers/registry.ts'
import { makePng, makeWav } from '../../../../support/media.ts'
import type { Task } from '../../../../../src/engine/tasks/task.ts'

function read(recipe: string, role: string, value: Record<string, unknown>, position = 1): Task {
  const content = findRecipe(recipe)?.files.find(file => file.role === role)?.content
  if (content?.holds !== 'tasks') throw new Error(`${recipe} has no file ${role} with tasks`)
  return content.read({ line: position, position, value })
}

describe('recipes', () => {
  test('cover the public benchmarks that people ask for by name', () => {
    const titles = recipes.map(recipe => recipe.definition.title).join('; ')
    for (const name of [
      'GSM8K',
      'MMLU',
      'MMLU-Pro',
      'ARC',
      'HellaSwag',
      'TruthfulQA',
      'BIG-Bench Hard',
      'AGIEval',
      'IFEval',
      'DROP',
      'SQuAD',
      'MT-Bench',
      'HumanEval',
      'HumanEval+',
      'MBPP',
      'MBPP+',
      'LiveCodeBench',
      'SpreadsheetBench',
      'Spider',
      'BIRD',
      'MMMU',
      'MMMU-Pro',
      'ChartQA',
      'DocVQA',
      'TextVQA',
      'AI2D',
      'ScienceQA',
      'OCRBench',
      'RealWorldQA',
      'POPE',
      'LibriSpeech',
    ]) {
      expect(titles).toContain(name)
    }
    expect(new Set(recipes.map(recipe => recipe.definition.slug)).size).toBe(recipes.length)
  })

  test('that can be fetched name https addresses of files on known hosts, and the others are brought by the user', () => {
    const hosts = new Set<string>()
    for (const file of recipes.flatMap(recipe => fetchedFiles(recipe))) {
      const { protocol, host, username, search, hash, pathname } = new URL(file.url)
      expect({ protocol, username, search, hash }, file.url).toEqual({ protocol: 'https:', username: '', search: '', hash: '' })
      expect(pathname, file.url).toMatch(/\/[\w.-]+\.(?:jsonl|json|jsonl\.gz|zip|tar)$/)
      for (const other of [host, ...file.download.redirectHosts]) hosts.add(other)
    }
    expect([...hosts].sort()).toEqual([
      'github.com',
      'objects.githubusercontent.com',
      'people.eecs.berkeley.edu',
      'rajpurkar.github.io',
      'raw.githubusercontent.com',
      'release-assets.githubusercontent.com',
      's3-us-west-2.amazonaws.com',
    ])
    const brought = recipes.filter(recipe => fetchedFiles(recipe).length === 0).map(({ definition }) => definition.slug)
    expect(brought.join(' ')).toBe(
      'bfcl arc-challenge mmlu-pro mt-bench livecodebench spreadsheetbench sql-questions mmmu mmmu-pro mathvista mmbench chartqa docvqa textvqa ai2d scienceqa ocrbench realworldqa pope librispeech',
    )
  })

  test.each(recipes.map(recipe => [recipe.definition.slug, recipe] as const))('%s is complete', (_, { definition, files }) => {
    expect(files.length).toBeGreaterThan(0)
    expect(new Set(files.map(file => file.role)).size).toBe(files.length)
    for (const { url, sha256 } of files) {
      expect(url).toMatch(/^https:\/\//)
      expect(sha256 ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/)
    }
    // One was never published as a paper.
    if (definition.citation !== null) expect(definition.citation).toMatch(/(?:arXiv:\d{4}\.\d{5}|ICASSP)$/)
    expect(definition.license.name).not.toBe('')
    expect(new Set(definition.profiles.map(profile => profile.key)).size).toBe(definition.profiles.length)
    for (const { metrics } of definition.profiles) {
      expect(metrics.filter(metric => metric.primary)).toHaveLength(1)
      for (const { scorer, options } of metrics)
        expect((scorers.get(scorer) ?? codeScorers.get(scorer))?.options.safeParse(options).success).toBe(true)
    }
  })
})

describe('benchmarks that show files', () => {
  const png = (shade: number) => `data:image/png;base64,${makePng([shade, 0, 0]).toString('base64')}`
  const shown = ({ conversations }: Task) => {
    const content = conversations?.['question']?.[0]?.content ?? []
    return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : part.type))
  }

  test('MMMU shows pictures where the question and the choices mark them, and reads the lists that Python writes', () => {
    const row = {
      id: 'validation_Art_1',
      question: '<image 1> Which is like it?',
      options: "['<image 2>', \"none of 'these'\"]",
      answer: 'B',
      question_type: 'multiple-choice',
      subfield: 'Drawing',
      image_1: png(1),
      image_2: png(2),
      image_3: null,
    }
    const task = read('mmmu', 'test', row)
    expect(shown(task)).toEqual(['image', ' Which is like it?\n\nA) ', 'image', "\nB) none of 'these'"])
    expect(task).toMatchObject({
      id: 'validation_Art_1',
      choices: ['<image 2>', "none of 'these'"],
      targets: ['B'],
      metadata: { subfield: 'Drawing', question_type: 'multiple-choice' },
    })
    const open = read('mmmu', 'test', { ...row, question_type: 'open', options: '[]', answer: "['24', '24.0']" })
    expect(open).toMatchObject({ choices: null, targets: ['24', '24.0'] })
  })

  test.each([
    ['chartqa', { question: 'q', answer: '3', type: 'human_test' }, ['3']],
    ['docvqa', { questionId: 7, question: 'q', answers: ['a', 'b'] }, ['a', 'b']],
    ['textvqa', { question_id: 5, question: 'q', answers: Array.from({ length: 10 }, (_, i) => `${i % 2}`) }, ['0', '1', '0', '1']],
    ['ai2d', { question: 'q', options: ['w', 'x', 'y', 'z'], answer: '2' }, ['C']],
    ['scienceqa', { question: 'q', choices: ['w', 'x'], answer: 1, hint: 'h', subject: 's' }, ['B']],
    ['ocrbench', { dataset: 'HME100k', question: 'q', question_type: 'Formula', answer: ['x'] }, ['x']],
    ['realworldqa', { question: 'q', answer: 'No' }, ['No']],
    ['pope', { question: 'q', answer: 'no', category: 'popular' }, ['no']],
    ['mmbench', { index: 2_000_007, question: 'q', hint: 'h', A: 'w', B: 'x', C: null, answer: 'B', category: 'c' }, ['B']],
    ['mathvista', { pid: '3', question: 'q', choices: ['w', 'x'], answer: 'x', answer_type: 'text', decoded_image: png(3) }, ['x']],
    ['mmmu-pro', { id: 'i', question: 'q', options: "['w', 'x']", answer: 'A', subject: 's', image_1: png(9) }, ['A']],
  ] as const)('%s shows its picture and reads its answers', (slug, row, targets) => {
    const task = read(slug, 'test', { image: png(3), ...row })
    expect(shown(task)[0]).toBe('image')
    expect(task.targets.slice(0, 4)).toEqual(targets)
  })

  test('MMBench keeps the rotations of a question together, and names an answer that is none of the choices', () => {
    const row = { index: 2_000_007, question: 'q', A: 'w', B: 'x', C: null, answer: 'B', image: png(3) }
    expect(read('mmbench', 'test', row)).toMatchObject({ id: '2000007', choices: ['w', 'x'], metadata: { cluster: '7' } })
    expect(() => read('mmbench', 'test', { ...row, answer: 'C' })).toThrow('one of the 2 choices: C')
    expect(() => read('mmbench', 'test', { ...row, index: 'seven' })).toThrow('"index" must be a whole number')
  })

  test('LibriSpeech plays its recording', () => {
    const audio = { bytes: new Uint8Array(makeWav(100)), path: '1.wav' }
    expect(shown(read('librispeech', 'test', { id: '1-2-3', audio, text: 'HELLO' }))[0]).toBe('audio')
  })

  test('name a picture that cannot be read, and a place that is none of the choices', () => {
    expect(() => read('chartqa', 'test', { question: 'q', answer: '3', image: 'there.png' })).toThrow('not among the files of this import')
    expect(() => read('ai2d', 'test', { question: 'q', options: ['w', 'x'], answer: '2', image: null })).toThrow('one of the 2 choices')
  })
})

describe('GSM8K', () => {
  const answer = (text: string) => read('gsm8k', 'test', { question: 'q', answer: text })

  test.each([
    ['1 + 1 = 2\n#### 2', '2'],
    ['#### 1,234', '1234'],
    ['#### -5 ', '-5'],
    ['#### 1\n#### 2', '2'],
    ['#### 0.5', '0.5'],
  ])('%j has the target %s', (text, target) => {
    expect(answer(text)).toMatchObject({ id: 'test-0001', fields: { question: 'q' }, targets: [target] })
  })

  test.each(['no mark', '####2', '#### ', '#### two', '#### 1.2.3'])('%j has none', text => {
    expect(() => answer(text)).toThrow(/####/)
  })

  test('never shows the solution', () => {
    expect(answer('secret\n#### 2')).toMatchObject({ fields: { question: 'q' } })
    expect(Object.keys(answer('secret\n#### 2').fields)).toEqual(['question'])
  })
})

describe('other formats', () => {
  test('DROP reads the answers of other people by column, and names them where the columns are not of one length', () => {
    const answer = { number: '3', date: {}, spans: [] }
    const row = { query_id: 'q', passage: 'p', question: 'how many?', answer }
    const others = { number: ['3', 4], date: [{}, {}], spans: [[], []] }
    expect(read('drop', 'validation', { ...row, validated_answers: others }).targets).toEqual(['3', '4'])
    expect(() => read('drop', 'validation', { ...row, validated_answers: { ...others, date: [{}] } })).toThrow(
      '"validated_answers" must hold',
    )
  })

  test('IFEval drops absent arguments and wants one object for each instruction', () => {
    const row = {
      key: 1000,
      prompt: 'p',
      instruction_id_list: ['punctuation:no_comma', 'change_case:english_lowercase'],
      kwargs: [{ n: 1, m: null }, {}],
    }
    expect(read('ifeval', 'test', row)).toMatchObject({ id: '1000', targets: [], metadata: { kwargs: [{ n: 1 }, {}], instructions: '2' } })
    expect(() => read('ifeval', 'test', { ...row, kwargs: [{}] })).toThrow('"kwargs" has 1 entries but "instruction_id_list" has 2.')
  })

  test('AGIEval puts the passage before the question and takes the labels off the options', () => {
    const row = { passage: 'P', question: 'Q', options: ['(A)one', '(B) two'], label: 'B' }
    expect(read('agieval', 'sat-math', row, 12)).toMatchObject({
      id: 'sat-math-0012',
      fields: { question: 'P\n\nQ' },
      choices: ['one', 'two'],
      targets: ['B'],
      metadata: { exam: 'sat-math' },
    })
    expect(() => read('agieval', 'sat-math', { ...row, label: 'C' })).toThrow('The label "C" is none of the choices A, B.')
    expect(() => read('agieval', 'sat-math', { ...row, label: null })).toThrow('must be text but is null')
  })

  test('BIG-Bench Hard names the subtask', () => {
    expect(read('bbh', 'navigate', { input: 'i', target: 'Yes' })).toMatchObject({
      id: 'navigate-0001',
      targets: ['Yes'],
      metadata: { subtask: 'navigate' },
    })
  })

  test('HellaSwag takes the marks out of its texts and the label for a letter', () => {
    const endings = ['one [step] two', 'b', 'c', 'd']
    const row = { ind: 4, activity_label: 'Cooking', ctx: 'Soup [title] Boil  water.', endings, label: 2, source_id: 'wikihow~1' }
    expect(read('hellaswag', 'validation', row)).toMatchObject({
      id: 'hs-0001',
      fields: { question: 'Cooking: Soup . Boil water.' },
      choices: ['one two', 'b', 'c', 'd'],
      targets: ['C'],
      metadata: { source: 'how-to articles' },
    })
    expect(() => read('hellaswag', 'validation', { ...row, label: '', endings: ['a'] })).toThrow('it has 1 endings')
    expect(() => read('hellaswag', 'validation', { ...row, label: '' })).toThrow('the label ""')
  })

  test('ARC letters its choices, however they are labeled', () => {
    const choices = [
      { text: 'ice', label: '1' },
      { text: 'steam', label: '2' },
    ]
    const row = { id: 'Mercury_1', question: { stem: 'Hot?', choices }, answerKey: '2' }
    expect(read('arc-challenge', 'test', row)).toMatchObject({ id: 'Mercury_1', choices: ['ice', 'steam'], targets: ['B'] })
    expect(() => read('arc-challenge', 'test', { ...row, answerKey: 'B' })).toThrow('"B" is none of 1, 2')
  })

  test('TruthfulQA moves the true answer away from the first place, the same way every time', () => {
    const question = (i: number) => ({ question: `q${i}`, mc1_targets: { right: 1, wrong: 0, worse: 0, worst: 0 } })
    const letters = Array.from({ length: 80 }, (_, i) => {
      const task = read('truthfulqa-mc1', 'test', question(i))
      expect(task.choices?.['ABCD'.indexOf(task.targets[0] ?? '')]).toBe('right')
      return task.targets[0]
    })
    expect(new Set(letters)).toEqual(new Set(['A', 'B', 'C', 'D']))
    expect(read('truthfulqa-mc1', 'test', question(1))).toEqual(read('truthfulqa-mc1', 'test', question(1)))
    expect(() => read('truthfulqa-mc1', 'test', { question: 'q', mc1_targets: { a: 1, b: 1 } })).toThrow('marks 2 of 2')
  })

  test('MT-Bench asks two turns and compares with reference answers in three categories alone', () => {
    const row = { question_id: 111, category: 'math', turns: ['The area?', 'And the radius?'], reference: ['3', '5.27'] }
    const metadata = { category: 'math', turn_targets: [['3'], ['5.27']] }
    expect(read('mt-bench', 'test', row)).toMatchObject({
      id: '111',
      fields: { prompt: 'The area?' },
      turns: ['And the radius?'],
      metadata,
    })
    const { targets, metadata: told } = read('mt-bench', 'test', { ...row, category: 'extraction' })
    expect({ targets, told }).toEqual({ targets: [], told: { category: 'extraction' } })
    expect(read('mt-bench', 'test', { ...row, reference: undefined }).targets).toEqual([])
    expect(() => read('mt-bench', 'test', { ...row, reference: ['3'] })).toThrow('1 entries and the task has 2 turns')
    expect(() => read('mt-bench', 'test', { ...row, turns: ['One?'] })).toThrow('its follow-up')
    expect(() => read('mt-bench', 'test', { ...row, category: 'cooking' })).toThrow('no category "cooking"')
  })
})
