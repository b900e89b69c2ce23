import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTar } from '../support/make-tar.ts'
import { makeZip } from '../support/make-zip.ts'
import { cpuMsOf, slowness } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')
const files = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([name, content]) => ({ name, content: Buffer.from(content) }))
const send = (name: string, content: Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}, fileName = 'quiz.zip') =>
  importToEnd(service, { fields: { format: 'lm_eval_yaml', name, ...fields }, files: [{ name: fileName, content }] })

const template = 'test_split: test\nfewshot_split: dev\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n'
const task = (name: string, more = '') => `include: ../_default_template_yaml\ntask: quiz_${name}\ntask_alias: ${name}\n${more}`
/** As `lm_eval/tasks/mmlu` is laid out: templates without an extension, a group of groups, tasks in folders, and what nothing needs. */
const folder = {
  'quiz/README.md': '# Quiz\n',
  'quiz/utils.py': 'def process_docs(docs): ...\n',
  'quiz/_quiz.yaml': 'group: quiz\ntask: [quiz_stem, quiz_arts]\naggregate_metric_list: [{metric: exact_match, weight_by_size: false}]\n',
  'quiz/_quiz_stem.yaml': 'group: quiz_stem\ngroup_alias: stem\ntask: [quiz_algebra, quiz_physics]\n',
  'quiz/_quiz_arts.yaml': 'group: quiz_arts\ngroup_alias: arts\ntask: [quiz_music]\n',
  'quiz/_default_template_yaml': template,
  'quiz/stem/algebra.yaml': task('algebra', 'dataset_kwargs: {data_files: {test: algebra/test.jsonl}}\n'),
  'quiz/stem/physics.yaml': task('physics', 'dataset_kwargs: {data_files: {test: physics/test.jsonl}}\n'),
  'quiz/arts/music.yaml': task('music', 'dataset_kwargs: {data_files: {test: music/test.jsonl}}\n'),
  'quiz/stem/algebra/test.jsonl': lines({ q: 'x+1=2?', a: '1' }, { q: 'x+1=3?', a: '2' }),
  'quiz/stem/physics/test.jsonl': lines({ q: 'F=?', a: 'ma' }),
  'quiz/arts/music/test.jsonl': lines({ q: 'Do re?', a: 'mi' }),
  'quiz/unused.csv': 'q,a\n1,2\n',
  '__MACOSX/quiz/._utils.py': 'x',
}

describe('a folder of lm-evaluation-harness tasks', () => {
  test.each([
    ['zip', 'quiz.zip', makeZip(files(folder))],
    ['tar.gz', 'quiz.tar.gz', new Uint8Array(gzipSync(makeTar(files(folder))))],
  ])('imports as the set of its group from a %s, with includes and data found by their paths', async (_, name, content) => {
    const record = await send(`Quiz ${name}`, content, {}, name)
    expect(record.errors).toEqual([])
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 4 } })
    expect(record.preview.map(({ task_id, targets }) => [task_id, targets])).toEqual([
      ['quiz_algebra/doc-0', ['1']],
      ['quiz_algebra/doc-1', ['2']],
      ['quiz_physics/doc-0', ['ma']],
      ['quiz_music/doc-0', ['mi']],
    ])
    expect(record.warnings.join(' ')).toMatch(/2 other files of .* were not read: quiz\/README\.md, quiz\/utils\.py\./)
    expect(record.warnings.join(' ')).toContain('no task uses: quiz/unused.csv')
    expect(record.files.map(file => file.name)).toEqual(
      expect.arrayContaining([name, 'quiz/_default_template_yaml', 'quiz/arts/music/test.jsonl']),
    )
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: record.slug ?? '' } })
    expect(profiles.map(({ title }) => title)).toEqual(['Zero-shot'])
  })

  test('imports as the same set when its files are sent one by one with their paths', async () => {
    const sent = Object.entries(folder).filter(([name]) => !name.startsWith('__MACOSX'))
    const record = await importToEnd(service, {
      fields: { format: 'lm_eval_yaml', name: 'Quiz sent' },
      files: sent.map(([name, content]) => ({ name, content })),
    })
    expect(record.errors).toEqual([])
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 4 } })
    expect(record.warnings.join(' ')).toContain('2 other files were not read: quiz/README.md, quiz/utils.py.')
  })

  test.each([
    ['a group', 'quiz_stem', ['quiz_algebra/doc-0', 'quiz_algebra/doc-1', 'quiz_physics/doc-0']],
    ['a task', 'quiz_music', ['doc-0']],
  ])('imports %s of it that is named', async (_, wanted, ids) => {
    const record = await send(`Only ${wanted}`, makeZip(files(folder)), { task: wanted, dry_run: 'true' })
    expect(record).toMatchObject({ status: 'previewed', error_count: 0 })
    expect(record.preview.map(({ task_id }) => task_id)).toEqual(ids)
  })

  test('without a group lists what can be chosen, and is the set of a tag that all tasks share', async () => {
    const two = (tag: string) => ({
      'sums/easy.yaml': `task: easy\n${template}${tag}`,
      'sums/hard.yaml': `include: easy.yaml\ntask: hard\n`,
      'sums/easy_test.jsonl': lines({ q: '1+1', a: '2' }),
      'sums/hard_test.jsonl': lines({ q: '99+1', a: '100' }),
    })
    const record = await send('Sums', makeZip(files(two(''))))
    expect(record).toMatchObject({
      status: 'failed',
      choices: [
        { name: 'easy', kind: 'task' },
        { name: 'hard', kind: 'task' },
      ],
    })
    expect(record.errors[0]?.message).toBe(
      'The files are of several tasks that no group names. Choose one as "task": "easy" (task), "hard" (task).',
    )
    const tagged = await send('Sums', makeZip(files(two('tag: sums\n'))))
    expect(tagged).toMatchObject({ status: 'imported', rows: { valid: 2 } })
  })

  test.each([
    ['an unknown name', folder, { task: 'nothing' }, /There is no group, tag or task "nothing"\. Choose one as "task": "quiz" \(group\)/],
    [
      'Python in a file that is used',
      { ...folder, 'quiz/stem/algebra.yaml': `${task('algebra')}process_docs: !function ../utils.process_docs\n` },
      {},
      /"process_docs" is "!function \.\.\/utils\.process_docs", which is Python/,
    ],
    ['a path that leaves the archive', { '../a.yaml': template }, {}, /a name that is refused/],
    ['no task', { 'notes.txt': 'x' }, {}, /has no YAML file of a task/],
    [
      'an include that is missing',
      { 'a/b.yaml': 'include: ../other_yaml\ntask: b\n' },
      {},
      /It includes "\.\.\/other_yaml", which was not sent/,
    ],
    ['data that is missing', { 'a/b.yaml': `task: b\n${template}` }, {}, /Send the data of "b" beside the task/],
  ])('is refused with %s', async (_, entries, fields, message) => {
    const record = await send('Bad', makeZip(files(entries)), fields)
    expect(record.status).toBe('failed')
    expect(record.errors[0]?.message).toMatch(message)
  })

  test('leaves Python out of account in files that the chosen group does not use', async () => {
    const record = await send(
      'Stem',
      makeZip(files({ ...folder, 'quiz/arts/music.yaml': `${task('music')}process_docs: !function ../utils.process_docs\n` })),
      { task: 'quiz_stem', dry_run: 'true' },
    )
    expect(record).toMatchObject({ status: 'previewed', error_count: 0 })
  })
})

test('a run of an imported task sends the prompts that the harness builds, byte for byte', async () => {
  const shots = [
    { q: 'Is ice cold?', a: 1 },
    { q: 'Is  fire  cold? ', a: 0 },
  ]
  const asked = [{ q: 'Does it rain?' }, { q: 'Has "it" {{snowed}}?\n' }]
  const yaml = [
    'task: quiz_yes',
    'output_type: generate_until',
    'test_split: test',
    'fewshot_split: dev',
    'num_fewshot: 2',
    'fewshot_config: {sampler: first_n}',
    'description: "Answer yes or no.\\n\\n"',
    'doc_to_text: "Q: {{q}}\\nA:"',
    "doc_to_target: \"{{['no', 'yes'][a]}}\"",
    'fewshot_delimiter: "\\n###\\n"',
    'metric_list: [{metric: exact_match}]',
  ].join('\n')
  const record = await send(
    'Yes',
    makeZip(
      files({
        'quiz_yes/yes.yaml': yaml,
        'quiz_yes/dev.jsonl': lines(...shots),
        'quiz_yes/test.jsonl': lines(...asked.map(one => ({ ...one, a: 1 }))),
      }),
    ),
  )
  expect(record).toMatchObject({ status: 'imported', errors: [] })
  const { profiles } = await service.client.call('getBenchmark', { params: { slug: record.slug ?? '' } })
  const key = profiles[0]?.id.split(':').at(-1) ?? ''
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [await profileId(service.client, record.slug ?? '', key)],
  })
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id } })
  const samples = await Promise.all(items.map(one => service.client.call('getSample', { params: { run_id: run.id, sample_id: one.id } })))
  const before = 'Answer yes or no.\n\nQ: Is ice cold?\nA: yes\n###\nQ: Is  fire  cold? \nA: no\n###\n'
  expect(samples.map(({ messages }) => messages)).toEqual(asked.map(({ q }) => [{ role: 'user', content: `${before}Q: ${q}\nA:` }]))
})

test('a folder of 1,915 files is previewed in 2 s of processor time', async () => {
  const tasks = Array.from({ length: 957 }, (_, i) => `quiz_${i}`)
  const entries = tasks.flatMap((name): [string, string][] => [
    [`quiz/${name}.yaml`, `include: _default_template_yaml\ntask: ${name}\ndataset_kwargs: {data_files: {test: ${name}.jsonl}}\n`],
    [`quiz/${name}.jsonl`, lines({ q: `${name}?`, a: '1' })],
  ])
  const archive = makeZip(files({ ...Object.fromEntries(entries), 'quiz/_default_template_yaml': `${template}tag: quiz\n` }))
  const look = () => send('Many', archive, { dry_run: 'true', task: 'quiz' })
  const record = await look()
  expect(record).toMatchObject({ status: 'previewed', errors: [], rows: { valid: 957 } })
  const taken = await cpuMsOf(look)
  expect(taken).toBeLessThan(2_000 * slowness())
})
