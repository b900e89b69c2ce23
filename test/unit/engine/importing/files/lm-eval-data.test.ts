import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseTask } from '../../../../../src/engine/importing/files/lm-eval/task-config.ts'
import { dataOf } from '../../../../../src/engine/importing/files/lm-eval/task-data.ts'
import { unpackTaskFolder } from '../../../../../src/engine/importing/files/lm-eval/task-folder.ts'
import type { Member } from '../../../../../src/engine/importing/files/lm-eval/task-set.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { lines, lookAt, type SentFile } from './look-at.ts'

const common = 'test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n'
const task = (name: string, subset: string | null, set = 'org/quiz') => ({
  name: `quiz/quiz_${name}.yaml`,
  content: `task: quiz_${name}\n${common}dataset_path: ${set}\n${subset === null ? '' : `dataset_name: ${subset}\n`}`,
})
const group = (...names: readonly string[]) => ({
  name: 'quiz/_quiz.yaml',
  content: `group: quiz\ntask: [${names.map(name => `quiz_${name}`).join(', ')}]\n`,
})
const data = (name: string, ...rows: readonly string[]) => ({ name, content: lines(...rows.map(q => ({ q, a: '1' }))) })
const folder = temporaryFolder()
afterAll(() => folder.remove())
const onDisk = ({ name, content }: SentFile) => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return { name, path, role: 'tasks' }
}
const asked = async (files: Parameters<typeof lookAt>[1]) => {
  const { tasks, problems } = await lookAt('lm_eval_yaml', files)
  return { texts: tasks.map(({ id, fields }) => `${id}: ${fields['text']}`), problems: problems.map(({ message }) => message) }
}

test('the splits that a task does not use, and programs beside it, are passed over by name', async () => {
  const single = { name: 'quiz.yaml', content: `task: quiz\ndataset_path: org/quiz\n${common}` }
  const sent = [single, data('train.jsonl', 'T?'), data('test.jsonl', 'A?'), { name: 'utils.py', content: 'def f(doc): return {1}' }]
  const { tasks, problems, warnings } = await lookAt('lm_eval_yaml', sent.slice(0, 3))
  expect([tasks.map(({ fields }) => fields['text']), problems]).toEqual([['A?'], []])
  expect(warnings).toEqual(['Data that the task does not use (it asks "test" and shows examples of "none"): train.jsonl.'])
  const { files, warnings: said } = await unpackTaskFolder(sent.map(file => onDisk(file)))
  expect(files.map(({ name }) => name)).toEqual(['quiz.yaml', 'train.jsonl', 'test.jsonl'])
  expect(said).toEqual(['1 other file was not read: utils.py.'])
})

describe('the data of tasks over subsets of one data set', () => {
  test.each([
    ['folders', 'org___quiz/acm_Arab/test.jsonl', 'org___quiz/ary_Arab/test.jsonl'],
    [
      'the cache of Hugging Face',
      'datasets--org--quiz/snapshots/0a1b/acm_Arab/test-00000-of-00001.jsonl',
      'datasets--org--quiz/snapshots/0a1b/ary_Arab/test-00000-of-00001.jsonl',
    ],
    ['file names', 'quiz_acm_Arab_test.jsonl', 'quiz_ary_Arab_test.jsonl'],
  ])('is found by the subset in %s', async (_, first, second) => {
    const files = [group('a', 'b'), task('a', 'acm_Arab'), task('b', 'ary_Arab'), data(first, 'A?'), data(second, 'B?')]
    expect(await asked(files)).toEqual({ texts: ['quiz_a/doc-0: A?', 'quiz_b/doc-0: B?'], problems: [] })
  })

  test.each(['quiz.jsonl', 'quiz/all/test.jsonl'])('is not a file of another subset or of all: %s', async name => {
    const { problems } = await asked([
      group('a', 'b'),
      task('a', 'acm_Arab'),
      task('b', 'ary_Arab'),
      data('quiz/acm_Arab.jsonl', 'A?'),
      data(name, 'C?'),
    ])
    expect(problems[0]).toMatch(
      /Send the data of "quiz_b" beside the task: .*the name of the subset, "ary_Arab"|Put the name of its task or subset into the name of this file/,
    )
  })

  test('is shared by tasks over the same subset, whatever they are called', async () => {
    const files = [group('a', 'cot_a'), task('a', 'Biology'), task('cot_a', 'Biology'), data('quiz_a/Biology/test.jsonl', 'A?')]
    expect((await asked(files)).texts).toEqual(['quiz_a/doc-0: A?', 'quiz_cot_a/doc-0: A?'])
  })

  test('is found by the subset where one of two data sets of a name has an owner', async () => {
    const files = [group('a', 'b'), task('a', 'cb', 'super_quiz'), task('b', 'wsc', 'aps/super_quiz')]
    const { texts } = await asked([...files, data('super_quiz/cb/test.jsonl', 'A?'), data('super_quiz/wsc/test.jsonl', 'B?')])
    expect(texts).toEqual(['quiz_a/doc-0: A?', 'quiz_b/doc-0: B?'])
  })

  test('is refused where a file names two of them', async () => {
    const { problems } = await asked([group('a', 'b'), task('a', 'en'), task('b', 'de'), data('quiz/en-de/test.jsonl', 'A?')])
    expect(problems[0]).toMatch(/not clear which task this file belongs to: "quiz_a" or "quiz_b"/)
  })

  test('costs the tasks that it could be of, and not the folder', async () => {
    const files = [
      group('a', 'b', 'c'),
      task('a', 'en'),
      task('b', 'de'),
      task('c', 'fr'),
      data('quiz/en-de/test.jsonl', 'A?'),
      data('quiz/fr/test.jsonl', 'C?'),
    ]
    expect((await asked(files)).problems).toEqual([
      expect.stringMatching(/The task "quiz_a" cannot be imported: It is not clear .* Leave it out/),
      expect.stringMatching(/The task "quiz_b" cannot be imported: It is not clear/),
    ])
    const { tasks } = await lookAt('lm_eval_yaml', files, true)
    expect(tasks.map(({ id }) => id)).toEqual(['quiz_c/doc-0'])
  })

  // As kmmlu and kmmlu_hard, xnli and opus100-en-fr are in one folder of the harness.
  test.each([
    ['with its owner', 'data/org/quiz/en/test.jsonl', 'data/org/quiz-hard/en/test.jsonl', 'data/other/en-fr/test.jsonl'],
    [
      'in the cache of Hugging Face',
      'datasets--org--quiz/snapshots/0a/en/test.jsonl',
      'datasets--org--quiz-hard/snapshots/0a/en/test.jsonl',
      'datasets--other--en-fr/snapshots/0a/test.jsonl',
    ],
    ['as a folder', 'data/quiz/en_test.jsonl', 'data/quiz_hard/en_test.jsonl', 'data/en-fr/test.jsonl'],
  ])('of another set has the same name, and is told apart by the set that its path names %s', async (_, first, second, third) => {
    const files = [
      group('a', 'b', 'c'),
      task('a', 'en'),
      task('b', 'en', 'org/quiz-hard'),
      task('c', null, 'other/en-fr'),
      data(first, 'A?'),
      data(second, 'B?'),
      data(third, 'C?'),
    ]
    expect(await asked(files)).toEqual({ texts: ['quiz_a/doc-0: A?', 'quiz_b/doc-0: B?', 'quiz_c/doc-0: C?'], problems: [] })
  })

  test('in several parts is read whole', async () => {
    const files = [
      task('a', 'acm'),
      data('quiz/acm/test-00001-of-00002.jsonl', 'B?'),
      data('quiz/acm/test-00000-of-00002.jsonl', 'A?', 'A2?'),
    ]
    expect((await asked(files)).texts).toEqual(['doc-0: A?', 'doc-1: A2?', 'part-2-doc-0: B?'])
  })

  test.each(['quiz/flan_cot_fewshot.jsonl', 'quiz/_cot_prompts.jsonl', 'quiz/acm/train.jsonl'])(
    'is not the file of another split: %s',
    async name => {
      const { texts, problems } = await asked([task('a', 'acm'), data(name, 'A?')])
      expect(texts).toEqual([])
      expect(problems[0]).toMatch(/Send the data of "quiz_a"|Name the file of the evaluated split "test"/)
    },
  )
})

describe('a folder of many files', () => {
  test('matches 400 tasks with 800 files in less than a second of processor time', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `s${String(i).padStart(3, '0')}`)
    const members = names.map((subset): Member => {
      const file = { name: `quiz/${subset}.yaml`, value: {}, lineOf: () => null, linesIn: () => [], tagged: [] }
      const settings = { dataset_path: 'org/quiz', dataset_name: subset, test_split: 'test', doc_to_text: 'q', doc_to_target: 'a' }
      return { ...parseTask(settings, file), name: `quiz_${subset}`, group: null }
    })
    const files = names.flatMap(subset =>
      ['test', 'dev'].map(split => ({ name: `quiz/data/${subset}/${split}.jsonl`, path: '', role: 'tasks' })),
    )
    let found: ReturnType<typeof dataOf> | null = null
    const ms = await cpuMsOf(() => {
      found = dataOf(members, [], files)
    })
    expect(found).toMatchObject({ found: names.map(subset => ({ tested: [{ name: `quiz/data/${subset}/test.jsonl` }] })) })
    expect(ms).toBeLessThan(1000 * slowness())
  })
})
