import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { OwnFormat } from '../../../../../src/engine/importing/files/import-order.ts'
import { slowness } from '../../../../support/machine-speed.ts'
import { lines, lookAt, type SentFile } from './look-at.ts'

const task = (content: string, data: string | Uint8Array = lines({ q: 'x', a: 'y' }), name = 'test.jsonl'): SentFile[] => [
  { name: 'task.yaml', content },
  { name, content: data },
]
const base = 'test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\n'
const prompts = (tests: string, ...more: SentFile[]): SentFile[] => [
  { name: 'promptfooconfig.yaml', content: `prompts: ["{{q}}"]\n${tests}` },
  ...more,
]
const one = (name: string, content: string | Uint8Array): SentFile[] => [{ name, content }]
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

type Attack = readonly [what: string, format: OwnFormat, files: readonly SentFile[], file: string, line: number | null, message: RegExp]

/** Files made to do harm, or to be read as something else than they are. */
const hostile: readonly Attack[] = [
  [
    'a billion laughs',
    'lm_eval_yaml',
    task(
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]},`.repeat(9)}]`)
        .join('\n')}\n${base}`,
    ),
    'task.yaml',
    null,
    /^Repeat less by "\*": written out/,
  ],
  [
    'Python in a tag',
    'lm_eval_yaml',
    task(`${base}custom: !!python/object/apply:os.system ["x"]`),
    'task.yaml',
    4,
    /"custom" is ".*python.*", which is Python/,
  ],
  [
    'Python in a function tag',
    'lm_eval_yaml',
    task(`${base}process_docs: !function os.system`),
    'task.yaml',
    4,
    /"process_docs" is "!function os\.system"/,
  ],
  [
    'Python within a key of a list',
    'lm_eval_yaml',
    task(`${base}fewshot_config: {samples: [{q: !function x.y}]}`),
    'task.yaml',
    4,
    /which is Python/,
  ],
  [
    'an include of itself',
    'lm_eval_yaml',
    [
      { name: 'task.yaml', content: `${base}include: other.yaml` },
      { name: 'other.yaml', content: 'include: task.yaml' },
      { name: 'test.jsonl', content: '{}' },
    ],
    'task.yaml',
    null,
    /every file includes another/,
  ],
  [
    'an include outside of the folder',
    'lm_eval_yaml',
    task(`${base}include: ../../../etc/passwd`),
    'task.yaml',
    4,
    /"..\/..\/..\/etc\/passwd", which was not sent/,
  ],
  [
    'an attribute of Python objects',
    'lm_eval_yaml',
    task(base.replace('{{q}}', '{{q.__class__.__mro__}}')),
    'test.jsonl',
    1,
    /"__class__" is missing/,
  ],
  [
    'a call of a global',
    'lm_eval_yaml',
    task(base.replace('{{q}}', '{{cycler.__init__()}}')),
    'task.yaml',
    2,
    /the method "__init__" is not read/,
  ],
  [
    'a loop that never ends',
    'lm_eval_yaml',
    task(
      `${base.replace('"{{q}}"', '"{% for a in q %}{% for b in q %}{% for c in q %}x{% endfor %}{% endfor %}{% endfor %}"')}`,
      lines({ q: 'x'.repeat(200), a: 'y' }),
    ),
    'test.jsonl',
    1,
    /too many steps|too long/,
  ],
  [
    'a text that doubles',
    'lm_eval_yaml',
    task(base.replace('{{q}}', `${'{% set q = q + q %}'.repeat(40)}{{q}}`), lines({ q: 'x'.repeat(100), a: 'y' })),
    'test.jsonl',
    1,
    /too long/,
  ],
  [
    'a pattern that is no pattern',
    'lm_eval_yaml',
    task(`${base}filter_list: [{name: f, filter: [{function: regex, regex_pattern: "(("}]}]`),
    'task.yaml',
    4,
    /The filter "f": The pattern "\(\(" cannot be used/,
  ],
  [
    'a pattern with a million repetitions',
    'lm_eval_yaml',
    task(`${base}filter_list: [{name: f, filter: [{function: regex, regex_pattern: "((a{1,999}){1,999}){1,999}"}]}]`),
    'task.yaml',
    4,
    /cannot be used/,
  ],
  [
    'a filter with a value of another kind',
    'lm_eval_yaml',
    task(`${base}filter_list: [{name: f, filter: [{function: regex, group_select: first}]}]`),
    'task.yaml',
    4,
    /"regex" has a value that cannot be used: "group_select" must be a number/,
  ],
  [
    'a million examples',
    'lm_eval_yaml',
    task(`${base}num_fewshot: 1000000`),
    'task.yaml',
    4,
    /"num_fewshot" must be at most 100. It is 1000000/,
  ],
  [
    'a key that would change every object',
    'lm_eval_yaml',
    task(`${base}__proto__: {polluted: true}\ndoc_to_choice: {__proto__: x}\noutput_type: generate_until\nmetric_list: [{metric: nope}]`),
    'task.yaml',
    7,
    /None of its metrics/,
  ],
  ['settings of five megabytes', 'lm_eval_yaml', task(`${base}# ${'x'.repeat(5_000_000)}`), 'task.yaml', null, /at most 4 MB/],
  [
    'settings that are no UTF-8',
    'lm_eval_yaml',
    [
      { name: 'task.yaml', content: bytes('doc_to_text: ', [0xff, 0xfe, 0x00]) },
      { name: 'test.jsonl', content: '{}' },
    ],
    'task.yaml',
    null,
    /not UTF-8/,
  ],
  [
    'data that is an archive of zeros',
    'lm_eval_yaml',
    task(base, gzipSync(Buffer.alloc(60_000_000)), 'test.jsonl.gz'),
    'test.jsonl.gz',
    null,
    /./,
  ],
  ['data that is a program', 'lm_eval_yaml', task(base, bytes([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0xfe])), 'test.jsonl', null, /./],
  [
    'a row of JSON that is nested without end',
    'jsonl',
    one('x.jsonl', `{"input": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "target": "x"}`),
    'x.jsonl',
    1,
    /./,
  ],
  [
    'a row with a number for a question of 400 digits',
    'jsonl',
    one('x.jsonl', `{"input": 1${'0'.repeat(400)}, "target": "x"}`),
    'x.jsonl',
    1,
    /./,
  ],
  [
    'a row with ten thousand fields',
    'jsonl',
    one(
      'x.jsonl',
      JSON.stringify({ input: 'a', target: 'b', ...Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])) }),
    ),
    'x.jsonl',
    1,
    /10002 keys, and at most 10000 are read/,
  ],
  [
    'a prompt that reads the environment',
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'prompts: ["{{env.AWS_SECRET}} {{q}}"]\ntests: []' }],
    'p.yaml',
    1,
    /uses the environment/,
  ],
  [
    'a prompt that is a file of the machine',
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'prompts: [file:///etc/passwd.txt]\ntests: []' }],
    'p.yaml',
    1,
    /"file:\/\/\/etc\/passwd\.txt", which was not sent/,
  ],
  [
    'a prompt by a program',
    'promptfoo_yaml',
    [
      { name: 'p.yaml', content: 'prompts: ["exec:rm -rf x"]\ntests: file://x.py' },
      { name: 'x.py', content: '' },
    ],
    'p.yaml',
    1,
    /The prompt "exec:rm -rf x" is a program/,
  ],
  [
    'variables that multiply',
    'promptfoo_yaml',
    prompts(
      `tests:\n  - vars: {${'abcdef'
        .split('')
        .map(name => `${name}: [a,b,c,d,e,f,g,h,i,j]`)
        .join(', ')}}\n    assert: [{type: equals, value: x}]`,
    ),
    'promptfooconfig.yaml',
    3,
    /1000000 combinations; at most 10000/,
  ],
  [
    'an assertion from a package',
    'promptfoo_yaml',
    prompts('tests:\n  - {vars: {q: a}, assert: [{type: equals, value: "package:evil:check"}]}'),
    'promptfooconfig.yaml',
    3,
    /its value "package:evil:check" is a program/,
  ],
  [
    'an assertion by a program',
    'promptfoo_csv',
    one('t.csv', 'q,__expected\na,"javascript: process.exit()"\n'),
    't.csv',
    2,
    /"javascript" cannot be imported: its JavaScript uses "process"/,
  ],
  ['a tag in a configuration', 'promptfoo_yaml', prompts('tests: !!js/function "x"'), 'promptfooconfig.yaml', null, /./],
  [
    'a merge that copies gigabytes',
    'promptfoo_yaml',
    prompts(`x: &x {${Array.from({ length: 1_100 }, (_, i) => `k${i}: 1`).join(', ')}}\ny:\n${'  - {<<: *x}\n'.repeat(99)}tests: []`),
    'promptfooconfig.yaml',
    null,
    /^Write keys out instead of copying them/,
  ],
  [
    'a group of a group without end',
    'lm_eval_yaml',
    [{ name: 'g.yaml', content: 'group: g\ntask: [{group: g, task: [{group: h, task: [g]}]}]' }],
    'g.yaml',
    null,
    /./,
  ],
]

/** Files as people have them, that are not what the format says. */
const odd: readonly Attack[] = [
  ['results without their task', 'lm_eval_yaml', one('results.json', '{"results": {}}'), 'results.json', null, /There is only data/],
  ['data without its task', 'lm_eval_yaml', one('test.jsonl', '{}'), 'test.jsonl', null, /There is only data\. Send the YAML file/],
  [
    'a task without its data',
    'lm_eval_yaml',
    [{ name: 'task.yaml', content: base }],
    'task.yaml',
    1,
    /Send the data of "task" beside the task: the split "test" of "its data set"/,
  ],
  [
    'a column of another name',
    'lm_eval_yaml',
    task(base, lines({ question: 'x', a: 'y' })),
    'test.jsonl',
    1,
    /"doc_to_text": "q" is missing/,
  ],
  [
    'a column that some rows lack',
    'lm_eval_yaml',
    task(base, lines({ q: 'x', a: 'y' }, { q: 'z' })),
    'test.jsonl',
    2,
    /"doc_to_target" is "a", a field that earlier rows have and this one lacks/,
  ],
  [
    'a position beyond the choices',
    'lm_eval_yaml',
    task(
      `${base}output_type: multiple_choice\ndoc_to_choice: [x, y]\n`.replace('doc_to_target: a', 'doc_to_target: n'),
      lines({ q: 'x', n: 2 }),
    ),
    'test.jsonl',
    1,
    /is 2, which is none of the 2 choices/,
  ],
  [
    'choices that are no list',
    'lm_eval_yaml',
    task(`${base}output_type: multiple_choice\ndoc_to_choice: "{{q}}"\n`),
    'test.jsonl',
    1,
    /"doc_to_choice" gives no list of choices/,
  ],
  [
    'a metric of the wrong kind of output',
    'lm_eval_yaml',
    task(`${base}metric_list: [{metric: acc}]`),
    'task.yaml',
    4,
    /"acc", which is not known here.*There are exact_match, bleu/,
  ],
  [
    'an aggregation that is not there',
    'lm_eval_yaml',
    task(`${base}metric_list: [{metric: exact_match, aggregation: max}]`),
    'task.yaml',
    4,
    /its aggregation "max" is not available here; there are mean, nanmean, median/,
  ],
  [
    'an output type of another project',
    'lm_eval_yaml',
    task(`${base}output_type: chat`),
    'task.yaml',
    4,
    /"output_type" is "chat"; generate_until, multiple_choice, loglikelihood, loglikelihood_rolling can be imported/,
  ],
  [
    'examples drawn by position',
    'lm_eval_yaml',
    task(`${base}num_fewshot: 1\nfewshot_config: {fewshot_indices: [3]}`),
    'task.yaml',
    5,
    /"fewshot_config" has "fewshot_indices"/,
  ],
  [
    'an option that is a number',
    'lm_eval_yaml',
    task(`${base}metric_list:\n  - metric: exact_match\n    ignore_punctuation: 2`),
    'task.yaml',
    4,
    /"exact_match", because its "ignore_punctuation" is 2, which must be true or false/,
  ],
  [
    'a tab in YAML',
    'lm_eval_yaml',
    task(`${base}metadata:\n\tversion: 1`),
    'task.yaml',
    5,
    /^Indent the line with spaces instead of a tab/,
  ],
  ['a list instead of a task', 'lm_eval_yaml', task('- a\n- b'), 'task.yaml', null, /must hold keys with values, not a list/],
  ['an empty file of settings', 'lm_eval_yaml', task(''), 'task.yaml', null, /must hold keys with values/],
  ['an empty file of data', 'lm_eval_yaml', task(base, ''), 'test.jsonl', null, /The file holds no rows|None of the files/],
  ['a table instead of JSON', 'lm_eval_yaml', task(base, 'q,a\nx,y\n'), 'test.jsonl', 1, /./],
  ['a broken line in the middle', 'lm_eval_yaml', task(base, '{"q": "x", "a": "y"}\n{"q": \n{"q": "z", "a": "y"}'), 'test.jsonl', 2, /./],
  [
    'a configuration whose tests a program makes',
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'prompts: ["x"]\nredteam: {plugins: [harmful]}' }],
    'p.yaml',
    null,
    /has no tests: "redteam" makes them by a program\. Run "promptfoo redteam generate"/,
  ],
  [
    'a configuration without prompts',
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'tests: [{vars: {q: a}}]' }],
    'p.yaml',
    null,
    /The configuration has no prompts/,
  ],
  [
    'a prompt that is an object of another form',
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'prompts: [{file: x.txt}]\ntests: []' }],
    'p.yaml',
    1,
    /Write the prompt as a text.*it is {"file":"x.txt"}/,
  ],
  [
    'scenarios of another form',
    'promptfoo_yaml',
    prompts('scenarios: [{vars: {q: a}}]\ntests: [{vars: {q: b}}]'),
    'promptfooconfig.yaml',
    2,
    /A scenario must have "config"/,
  ],
  [
    'a conversation with a simulated user',
    'promptfoo_yaml',
    prompts('tests:\n  - {vars: {q: a}, provider: "promptfoo:simulated-user"}'),
    'promptfooconfig.yaml',
    3,
    /is a conversation with "promptfoo:simulated-user"/,
  ],
  [
    'an assertion without a value',
    'promptfoo_csv',
    one('t.csv', 'q,__expected,__threshold\na,"equals:",\n'),
    't.csv',
    2,
    /The assertion "equals" has no value/,
  ],
  [
    'a threshold in words',
    'promptfoo_csv',
    one('t.csv', 'q,__expected,__threshold\na,b,high\n'),
    't.csv',
    2,
    /"__threshold" is no number: "high"/,
  ],
  ['a table with a row too long', 'promptfoo_csv', one('t.csv', 'q,__expected\na,b,c,d\n'), 't.csv', 2, /./],
  ['two questions in a row', 'promptfoo_csv', one('t.csv', 'a,b,__expected\n1,2,x\n'), 't.csv', 2, /There are 2 variables \(a, b\)/],
  [
    'an Inspect sample with a target that is no letter',
    'inspect_jsonl',
    one('x.jsonl', lines({ input: 'q', target: 'D', choices: ['x', 'y'] })),
    'x.jsonl',
    1,
    /The target "D" must be the letter of a choice, A to B/,
  ],
  [
    'OpenAI samples without their registry',
    'openai_evals_jsonl',
    one('x.jsonl', lines({ input: 'q' })),
    'x.jsonl',
    null,
    /Send the registry’s YAML beside the samples/,
  ],
  [
    'ids that repeat',
    'jsonl',
    one('x.jsonl', lines({ id: 'a', input: 'q', target: 'x' }, { id: 'a', input: 'r', target: 'y' })),
    'x.jsonl',
    2,
    /The id "a" was already used on line 1 of x\.jsonl/,
  ],
]

const slow = slowness()

describe.each([
  ['hostile', hostile],
  ['plausible but odd', odd],
])('%s files', (_, attacks) => {
  test('are at least thirty', () => expect(attacks.length).toBeGreaterThanOrEqual(30))

  test.each(attacks)('%s: refused by file and line, with nothing imported', async (_what, format, files, file, line, message) => {
    const before = process.cpuUsage()
    const found = await lookAt(format, files)
    const { user, system } = process.cpuUsage(before)
    expect(found.problems[0]).toMatchObject({ file, message: expect.stringMatching(message) })
    if (line !== null) expect(found.problems[0]?.line).toBe(line)
    expect([found.definition, found.tasks]).toEqual([null, []])
    // No refusal says nothing, and none takes seconds.
    expect(found.problems[0]?.message.length).toBeGreaterThan(20)
    expect((user + system) / 1e6).toBeLessThan(5 * slow)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
