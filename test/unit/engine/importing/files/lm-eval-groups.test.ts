import { describe, expect, test } from 'vitest'
import { lines, lookAt } from './look-at.ts'

describe('a group of lm-evaluation-harness', () => {
  const group = (more = '') => ({
    name: '_sums.yaml',
    content: `group: sums\ntask:\n  - sums_easy\n  - group: sums_hard\n    group_alias: hard\n    task: [sums_big, {task: sums_negative, task_alias: below zero}]\naggregate_metric_list: [{metric: exact_match, aggregation: mean, weight_by_size: false}]\n${more}`,
  })
  const template = {
    name: '_template_yaml',
    content:
      'test_split: test\nfewshot_split: dev\nnum_fewshot: 1\ndoc_to_text: "{{q}} ="\ndoc_to_target: "{{a}}"\nfewshot_config: {sampler: first_n}\n',
  }
  const task = (name: string, more = '') => ({
    name: `sums_${name}.yaml`,
    content: `include: _template_yaml\ntask: sums_${name}\ndataset_name: ${name}\ndescription: "Do ${name} sums.\\n"\n${more}`,
  })
  const data = (name: string, split: string, ...rows: readonly [string, string][]) => ({
    name: `${name}_${split}.jsonl`,
    content: lines(...rows.map(([q, a]) => ({ q, a }))),
  })
  const files = [
    group(),
    template,
    task('easy'),
    task('big'),
    task('negative'),
    data('easy', 'test', ['1+1', '2'], ['1+2', '3']),
    data('easy', 'dev', ['0+1', '1']),
    data('big', 'test', ['9+9', '18']),
    data('big', 'dev', ['8+8', '16']),
    data('negative', 'test', ['-1-1', '-2']),
    data('negative', 'dev', ['-1-0', '-1']),
  ]

  test('is one set whose tasks keep their examples, with results by subtask and by group', async () => {
    const { tasks, definition, shots, problems } = await lookAt('lm_eval_yaml', files)
    expect(problems).toEqual([])
    expect(
      tasks.map(({ id, fields, targets, metadata }) => [
        id,
        fields['description'],
        fields['text'],
        targets[0],
        metadata['subtask'],
        metadata['group'],
      ]),
    ).toEqual([
      ['sums_easy/doc-0', 'Do easy sums.\n', '1+1 =', '2', 'sums_easy', undefined],
      ['sums_easy/doc-1', 'Do easy sums.\n', '1+2 =', '3', 'sums_easy', undefined],
      ['sums_big/doc-0', 'Do big sums.\n', '9+9 =', '18', 'sums_big', 'hard'],
      ['sums_negative/doc-0', 'Do negative sums.\n', '-1-1 =', '-2', 'below zero', 'hard'],
    ])
    expect(shots).toEqual([
      { fields: { shot: '0+1 = 1\n\n' }, group: 'sums_easy' },
      { fields: { shot: '8+8 = 16\n\n' }, group: 'sums_big' },
      { fields: { shot: '-1-0 = -1\n\n' }, group: 'below zero' },
    ])
    expect(definition?.summary).toMatch(/3 tasks that run together\. Its aggregate is the macro mean by subtask/)
    expect(definition?.profiles.map(({ key, shotsBy, breakdowns }) => [key, shotsBy, breakdowns])).toEqual([
      ['1-shot', 'subtask', ['group', 'subtask']],
      ['zero-shot', undefined, ['group', 'subtask']],
    ])
  })

  test('has tasks that others include, counts a task that is named twice once, and finds groups within groups', async () => {
    const { tasks, problems } = await lookAt('lm_eval_yaml', [
      { name: '_mela.yaml', content: 'group: mela\ntask:\n  - group: all\n    task: [mela_pair, mela_en]\n' },
      { name: '_pair.yaml', content: 'group: mela_pair\ntask: [mela_en, mela_zh, mela_zh]\n' },
      { name: 'mela_en.yaml', content: 'task: mela_en\ndataset_name: en\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\n' },
      { name: 'mela_zh.yaml', content: 'include: mela_en.yaml\ntask: mela_zh\ndataset_name: zh\n' },
      data('mela_en', 'test', ['hi', 'ho']),
      data('mela_zh', 'test', ['ni', 'hao']),
    ])
    expect(problems).toEqual([])
    expect(tasks.map(({ id, fields }) => [id, fields['text']])).toEqual([
      ['mela_en/doc-0', 'hi'],
      ['mela_zh/doc-0', 'ni'],
    ])
  })

  const without = (name: string) => files.filter(file => file.name !== name)
  test.each([
    [
      'a task that was not sent',
      without('sums_big.yaml'),
      '_sums.yaml',
      2,
      /names "sums_big", which was not sent.*Sent: sums_easy, sums_negative/,
    ],
    [
      'a file that no task is over',
      [...files, data('odd', 'test', ['x', 'y'])],
      'odd_test.jsonl',
      null,
      /its name contains that of no task/,
    ],
    ['a task that the group does not name', [...files, task('odd')], 'sums_odd.yaml', null, /does not name the task of this file/],
    [
      'an aggregation other than the mean',
      files.map(file => (file.name === '_sums.yaml' ? { ...file, content: file.content.replace('mean', 'max') } : file)),
      '_sums.yaml',
      7,
      /The aggregation "max" of "exact_match" cannot be imported/,
    ],
    [
      'a group within itself',
      [
        { name: 'g.yaml', content: 'group: a\ntask: [b]' },
        { name: 'h.yaml', content: 'group: b\ntask: [a]' },
      ],
      'g.yaml',
      null,
      /Every group is part of another one/,
    ],
    [
      'two groups',
      [...files, { name: 'other.yaml', content: 'group: other\ntask: [sums_easy]' }],
      'other.yaml',
      1,
      /"sums" and "other" are two groups/,
    ],
    [
      'two tasks without a group',
      [template, task('easy'), task('big'), data('easy', 'test', ['1', '2'])],
      'sums_big.yaml',
      null,
      /are two tasks. Import them one by one, or send the group/,
    ],
  ] as const)('is refused for %s', async (_, sent, file, line, message) => {
    const found = await lookAt('lm_eval_yaml', sent)
    expect(found.problems[0]).toMatchObject({ file, line, message: expect.stringMatching(message) })
    expect(found.tasks).toEqual([])
  })

  test('is a profile for each way in which its tasks are asked or graded, over those tasks alone', async () => {
    const { tasks, definition, problems, warnings } = await lookAt(
      'lm_eval_yaml',
      files.map(file => (file.name === 'sums_big.yaml' ? task('big', 'metric_list: [{metric: bleu}]\nnum_fewshot: 0\n') : file)),
    )
    expect(problems).toEqual([])
    expect(tasks).toHaveLength(4)
    expect(warnings).toEqual([expect.stringContaining('The tasks are asked or graded in 2 ways')])
    expect(definition?.summary).toContain('They are asked or graded in 2 ways, each a profile over its own tasks.')
    expect(definition?.profiles.map(({ key, title, only, metrics, shots }) => [key, title, only, metrics[0]?.id, shots])).toEqual([
      ['1-shot-sums-easy', '1-shot: sums_easy and below zero', { by: 'subtask', values: ['sums_easy', 'below zero'] }, 'exact_match', 1],
      [
        'zero-shot-sums-easy',
        'Zero-shot: sums_easy and below zero',
        { by: 'subtask', values: ['sums_easy', 'below zero'] },
        'exact_match',
        0,
      ],
      ['zero-shot-sums-big', 'Zero-shot: sums_big', { by: 'subtask', values: ['sums_big'] }, 'bleu', 0],
    ])
  })

  test('knows blind guessing and the most choices of each kind apart', async () => {
    const base = 'test_split: test\ndataset_path: x/y\ndoc_to_text: "{{q}}"\n'
    const { definition, problems } = await lookAt('lm_eval_yaml', [
      { name: 'g.yaml', content: 'group: g\ntask: [two, four, open]\n' },
      { name: 'two.yaml', content: `${base}task: two\noutput_type: multiple_choice\ndoc_to_choice: [x, y]\ndoc_to_target: 0\n` },
      {
        name: 'four.yaml',
        content: `${base}task: four\noutput_type: multiple_choice\ndoc_to_choice: [w, x, y, z]\ndoc_to_target: 0\nmetric_list: [{metric: acc_norm}]\n`,
      },
      { name: 'open.yaml', content: `${base}task: open\ndoc_to_target: a\n` },
      { name: 'test.jsonl', content: lines({ q: '1' }, { q: '2' }) },
    ])
    expect(problems).toEqual([])
    expect(definition?.profiles.map(({ key, chanceLevel, loglikelihood }) => [key, chanceLevel, loglikelihood?.most])).toEqual([
      ['zero-shot-two', 0.5, 2],
      ['by-letter-two', 0.5, undefined],
      ['zero-shot-four', 0.25, 4],
      ['by-letter-four', 0.25, undefined],
      ['zero-shot-open', null, undefined],
    ])
  })

  test('names tasks that only a program can do, and imports the others after a yes', async () => {
    const sent = files.map(file => (file.name === 'sums_big.yaml' ? task('big', 'process_docs: !function utils.go\n') : file))
    const refused = await lookAt('lm_eval_yaml', sent)
    expect(refused.problems).toEqual([
      {
        file: 'sums_big.yaml',
        line: 5,
        message: expect.stringMatching(/^The task "sums_big" cannot be imported: "process_docs" .* Python.* Leave it out \("leave_out"\)/),
      },
    ])
    const { tasks, leftOut, definition } = await lookAt('lm_eval_yaml', sent, true)
    expect(tasks.map(({ id }) => id)).toEqual(['sums_easy/doc-0', 'sums_easy/doc-1', 'sums_negative/doc-0'])
    expect(leftOut).toMatchObject([{ file: 'sums_big.yaml', line: 5 }])
    expect(definition?.knownLimits).toContain('Tasks of the group that are not here: sums_big.')
  })

  test('names tasks whose data was not sent, and imports the others after a yes', async () => {
    const sent = files.filter(({ name }) => name !== 'big_test.jsonl')
    const { problems } = await lookAt('lm_eval_yaml', sent)
    expect(problems).toMatchObject([
      {
        file: 'sums_big.yaml',
        message: expect.stringMatching(/^The task "sums_big" cannot be imported: Name the file of .* Leave it out/),
      },
    ])
    const { tasks, leftOut, definition } = await lookAt('lm_eval_yaml', sent, true)
    expect(tasks.map(({ id }) => id)).toEqual(['sums_easy/doc-0', 'sums_easy/doc-1', 'sums_negative/doc-0'])
    expect(leftOut).toMatchObject([{ file: 'sums_big.yaml' }])
    expect(definition?.knownLimits).toContain('Tasks of the group that are not here: sums_big.')
    const none = await lookAt(
      'lm_eval_yaml',
      files.filter(({ name }) => !name.endsWith('.jsonl')),
      true,
    )
    expect(none.problems.map(({ file }) => file)).toEqual(['sums_easy.yaml', 'sums_big.yaml', 'sums_negative.yaml'])
  })

  test.each([
    ['whose settings were not sent', '_sums.yaml', 2, /names "sums_big", which was not sent; send its YAML file/],
    ['that include what was not sent', 'sums_big.yaml', 1, /includes .* was not sent; send it beside the task/],
  ])('of a folder names tasks %s, and keeps the others after a yes', async (_, file, line, why) => {
    const sent = files.flatMap(({ name, content }) => {
      const isBig = name === 'sums_big.yaml'
      if (isBig && file !== name) return []
      return { name: `sums/${name}`, content: isBig ? content.replace('_template_yaml', '../other/_template_yaml_of_others') : content }
    })
    const { problems } = await lookAt('lm_eval_yaml', sent)
    expect(problems).toMatchObject([{ file: `sums/${file}`, line, message: expect.stringMatching(why) }])
    expect(problems[0]?.message).toMatch(/^The task "sums_big" cannot be imported: .* Leave it out \("leave_out"\) to import the others\.$/)
    const { tasks, leftOut, definition } = await lookAt('lm_eval_yaml', sent, true)
    expect(tasks.map(({ id }) => id)).toEqual(['sums_easy/doc-0', 'sums_easy/doc-1', 'sums_negative/doc-0'])
    expect(leftOut).toMatchObject([{ file: `sums/${file}`, line }])
    expect(definition?.knownLimits).toContain('Tasks of the group that are not here: sums_big.')
  })

  test('without its settings offers its tasks, and says of each other why it cannot be imported', async () => {
    const lost = Array.from({ length: 6 }, (_, i) => ({
      name: `sums/lost_${i}.yaml`,
      content: `include: ../other/_lost_yaml\ntask: lost_${i}\n`,
    }))
    const sent = [...files.filter(({ name }) => name !== '_sums.yaml').map(file => ({ ...file, name: `sums/${file.name}` })), ...lost]
    const { problems } = await lookAt('lm_eval_yaml', sent)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The files are of several tasks that no group names\. Choose one as "task": "sums_/),
      ...lost
        .slice(0, 5)
        .map((_, i) => expect.stringMatching(`^The task "lost_${i}" cannot be imported: It includes ".*_lost_yaml", which was not sent`)),
      'Nor can these be imported: "lost_5".',
    ])
  })

  test('is refused where every task needs a program, with the reason of each', async () => {
    const python = (name: string) => task(name, 'process_docs: !function utils.go\n')
    const sent = [group(), template, python('easy'), python('big'), python('negative')]
    const { problems, definition } = await lookAt('lm_eval_yaml', sent, true)
    expect(problems.map(({ file }) => file)).toEqual(['sums_easy.yaml', 'sums_big.yaml', 'sums_negative.yaml'])
    expect(definition).toBeNull()
  })

  test('asks tasks without a description or a beginning of the answer beside others that have them', async () => {
    const base =
      'test_split: test\ndataset_path: x/y\noutput_type: multiple_choice\ndoc_to_text: "{{q}}"\ndoc_to_choice: ["a", "b"]\ndoc_to_target: 0\n'
    const { tasks, definition } = await lookAt('lm_eval_yaml', [
      { name: 'g.yaml', content: 'group: g\ntask: [plain, led]\n' },
      { name: 'plain.yaml', content: `${base}task: plain\n` },
      { name: 'led.yaml', content: `${base}task: led\ndescription: "Choose. "\ngen_prefix: "It is"\n` },
      { name: 'test.jsonl', content: lines({ q: 'x' }) },
    ])
    expect(tasks.map(({ fields }) => fields)).toEqual([
      { description: '', text: 'x', gen_prefix: '' },
      { description: 'Choose. ', text: 'x', gen_prefix: ' It is' },
    ])
    expect(definition?.profiles.map(({ introTemplate, promptTemplate }) => [introTemplate, promptTemplate.slice(0, 18)])).toEqual([
      ['{description}', '{text}{gen_prefix}'],
      ['{description}', '{text}\n\n{choices}\n'],
    ])
  })

  test('takes its tasks by tag, and shares the data of tasks over the same data', async () => {
    const base = 'test_split: test\ndataset_path: x/y\ndoc_to_target: "{{a}}"\n'
    const { tasks, problems } = await lookAt('lm_eval_yaml', [
      { name: 'g.yaml', content: 'group: styles\ntask: style\n' },
      { name: 'plain.yaml', content: `${base}task: plain\ntag: style\ndoc_to_text: "{{q}}"` },
      { name: 'polite.yaml', content: `${base}task: polite\ntag: [style]\ndoc_to_text: "Please: {{q}}"` },
      { name: 'test.jsonl', content: lines({ q: 'x', a: 'y' }) },
    ])
    expect(problems).toEqual([])
    expect(tasks.map(({ id, fields }) => [id, fields['text']])).toEqual([
      ['plain/doc-0', 'x'],
      ['polite/doc-0', 'Please: x'],
    ])
  })
})
