import { describe, expect, test } from 'vitest'
import { makePdf } from '../../../../support/media.ts'
import { lookAt, type SentFile } from './look-at.ts'

const tests = (...assertions: readonly object[]): SentFile[] => [
  { name: 'promptfooconfig.yaml', content: JSON.stringify({ prompts: ['{{q}}'], tests: [{ vars: { q: 'a' }, assert: assertions }] }) },
]

/** Every type of promptfoo's documentation of 2026 that is graded by the answer alone, with a value that it takes. */
const graded = [
  { type: 'equals', value: 'x' },
  { type: 'contains', value: 'x' },
  { type: 'icontains', value: 'x' },
  { type: 'contains-all', value: ['x', 'y'] },
  { type: 'contains-any', value: 'x, y' },
  { type: 'icontains-all', value: ['x'] },
  { type: 'icontains-any', value: ['x'] },
  { type: 'starts-with', value: 'x' },
  { type: 'regex', value: '^x' },
  { type: 'is-json' },
  { type: 'is-json', value: 'type: object\nrequired: [a]' },
  { type: 'contains-json', value: { required: ['a'] } },
  { type: 'levenshtein', value: 'x', threshold: 2 },
  { type: 'word-count', value: { min: 1 } },
  { type: 'bleu', value: 'x' },
  { type: 'gleu', value: ['x', 'y'], threshold: 0.3 },
  { type: 'tool-call-f1', value: ['search'] },
  { type: 'latency', threshold: 5000 },
  { type: 'cost', threshold: 0.01 },
  { type: 'javascript', value: 'output.length < 10' },
]

const left = {
  'Leave it out, and grade it with an evaluator': [
    'agent-rubric',
    'classifier',
    'context-recall',
    'context-relevance',
    'conversation-relevance',
    'guardrails',
    'is-refusal',
    'moderation',
    'pi',
    'search-rubric',
    'trajectory:goal-success',
    'webhook',
  ],
  'Leave it out, and write the check as a "python" or "javascript" assertion': [
    'contains-html',
    'contains-sql',
    'contains-xml',
    'is-html',
    'is-sql',
    'is-xml',
    'meteor',
    'rouge-n',
    'ruby',
  ],
  'Leave it out, and import the configuration as an environment': [
    'is-valid-function-call',
    'is-valid-openai-function-call',
    'is-valid-openai-tools-call',
    'skill-used',
    'trajectory:step-count',
    'trajectory:tool-args-match',
    'trajectory:tool-sequence',
    'trajectory:tool-used',
  ],
  'Leave it out, and send the traces': ['trace-error-spans', 'trace-span-count', 'trace-span-duration'],
  'Leave it out, and run the models, and compare the runs': ['max-score', 'select-best'],
  'Leave it out, and rate the answers': ['human'],
  'Leave it out, and filter the samples': ['finish-reason'],
  'Leave it out, and run the profile of a benchmark that measures likelihoods': ['perplexity', 'perplexity-score'],
  'Leave it out, and grade the answers with an evaluator of the preset "Harmless"': ['promptfoo:redteam:harmful:hate'],
  'Correct the name, or leave it out': ['contains-xlm'],
}

describe("promptfoo's assertions", () => {
  test.each(graded.flatMap(one => [one, ...(one.type === 'javascript' ? [] : [{ ...one, type: `not-${one.type}` }])]))(
    'reads $type with its weight',
    async one => {
      const { problems, tasks } = await lookAt('promptfoo_yaml', tests({ ...one, weight: 2 }))
      expect(problems).toEqual([])
      expect(tasks[0]?.metadata['assertions']).toMatchObject([{ type: one.type, weight: 2 }])
    },
  )

  test.each(
    Object.entries(left).flatMap(([cure, types]) => types.flatMap(type => [[type, cure] as const, [`not-${type}`, cure] as const])),
  )('names %s as left out with what to do: %s', async (type, cure) => {
    const kept = { type: 'contains', value: 'x' }
    const { problems } = await lookAt('promptfoo_yaml', tests({ type, value: 'x' }, kept))
    expect(problems).toMatchObject([{ message: expect.stringContaining(`The assertion "${type}" cannot be imported: `) }])
    expect(problems[0]?.message).toContain(cure)
    const after = await lookAt('promptfoo_yaml', tests({ type, value: 'x' }, kept), true)
    expect(after.tasks[0]?.metadata['assertions']).toEqual([kept])
    expect(after.leftOut).toHaveLength(1)
  })

  test('reads sets with their thresholds, and counts what is there for its metric alone with no weight', async () => {
    const set = {
      type: 'assert-set',
      threshold: 0.5,
      assert: [
        { type: 'contains', value: 'x' },
        { type: 'gleu', value: 'y' },
      ],
    }
    const { problems, tasks } = await lookAt('promptfoo_yaml', tests(set, { type: 'contains', value: 'z', metricOnly: true, metric: 'z' }))
    expect(problems).toEqual([])
    expect(tasks[0]?.metadata['assertions']).toEqual([set, { type: 'contains', value: 'z', weight: 0, metric: 'z' }])
  })
})

test('a row of variables without "vars" is no test, which is said', async () => {
  const { problems } = await lookAt('promptfoo_yaml', [
    { name: 'promptfooconfig.yaml', content: 'prompts: ["{{q}}"]\ntests: file://t.json' },
    { name: 't.json', content: '[{"q": "one", "judge": "two"}]' },
  ])
  expect(problems.map(({ message }) => message)).toEqual([
    'Put the variables of the test under "vars": "q", "judge" aren’t parts of a test.',
  ])
})

test('a text that is repeated by reference in more than a hundred tests is read', async () => {
  const content = `prompts: ["{{q}}: {{t}}"]\ntests:\n  - vars: {q: 0, t: &t Long text}\n${Array.from({ length: 200 }, (_, i) => `  - vars: {q: ${i}, t: *t}\n`).join('')}`
  const { problems, tasks } = await lookAt('promptfoo_yaml', [{ name: 'promptfooconfig.yaml', content }])
  expect(problems).toEqual([])
  expect([tasks.length, tasks[200]?.fields]).toEqual([201, { prompt_1: '199: Long text' }])
})

test('a red team without tests says how they are made, whatever else is left out', async () => {
  const { problems } = await lookAt(
    'promptfoo_yaml',
    [{ name: 'p.yaml', content: 'targets: [{id: http, config: {body: x}}]\nredteam: {plugins: [harmful]}\nprovider: x\nprompts: []' }],
    true,
  )
  expect(problems[0]?.message).toContain('Run "promptfoo redteam generate"')
})

test('parts of messages without a type are read as Bedrock reads them, and others say how they are written', async () => {
  const asked = (part: object) =>
    lookAt('promptfoo_yaml', [
      { name: 'promptfooconfig.yaml', content: 'prompts: [file://p.json]\ntests: [{vars: {q: Hi}}]' },
      { name: 'p.json', content: JSON.stringify([{ role: 'user', content: [part] }]) },
    ])
  expect((await asked({ text: '{{q}}' })).tasks[0]?.fields).toEqual({ prompt_1: 'Hi' })
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const shown = await asked({ image: { format: 'png', source: { bytes: pixel } } })
  expect(shown.tasks[0]?.conversations?.['prompt_1']).toMatchObject([{ role: 'user', content: [{ type: 'image' }] }])
  const sent = await asked({ document: { name: 'Report', format: 'pdf', source: { bytes: Buffer.from(makePdf(1)).toString('base64') } } })
  expect(sent.tasks[0]?.conversations?.['prompt_1']).toMatchObject([{ content: [{ type: 'document', title: 'Report' }] }])
  const withData = await lookAt('promptfoo_yaml', [
    { name: 'promptfooconfig.yaml', content: 'prompts: [file://p.json]\ntests: [{vars: {q: Hi}}]' },
    { name: 'p.json', content: JSON.stringify([{ role: 'user', content: [{ text: '{{q}}' }, { type: 'data', data: {} }] }]) },
  ])
  expect(withData.tasks[0]?.fields).toEqual({ prompt_1: 'Hi' })
  expect(withData.warnings.join()).toContain('One part of a message was left out, of the type "data"')
  expect((await asked({ modality: 'text', value: 'x' })).problems[0]?.message).toBe(
    'Write the parts of the messages in "prompt_1" as {"type": "text", "text": …}: one has modality, value.',
  )
})

test('lists of variables become tests in the order of promptfoo, the last list first', async () => {
  const { tasks } = await lookAt('promptfoo_yaml', [
    { name: 'promptfooconfig.yaml', content: 'prompts: ["{{a}}{{b}}{{c}}"]\ntests: [{vars: {a: [x, y], b: z, c: ["1", "2"]}}]' },
  ])
  expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual(['xz1', 'xz2', 'yz1', 'yz2'])
})

test('settings of a prompt are named before a yes', async () => {
  const files = [
    {
      name: 'promptfooconfig.yaml',
      content:
        'prompts: [{raw: "{{q}}", label: plain, config: {response_format: {type: json_object}}}, "Say {{q}}"]\ntests: [{vars: {q: hi}}]',
    },
  ]
  const said = 'The prompt "plain" sets response_format, which is not imported: every prompt is asked with the same settings.'
  expect((await lookAt('promptfoo_yaml', files)).problems.map(({ message }) => message)).toEqual([said])
  const { leftOut, tasks } = await lookAt('promptfoo_yaml', files, true)
  expect(leftOut.map(({ message }) => message)).toEqual([said])
  expect(tasks[0]?.fields).toEqual({ prompt_1: 'hi', prompt_2: 'Say hi' })
})

test('names that assertions give to their scores are kept, and said to have no figures', async () => {
  const { tasks, warnings } = await lookAt(
    'promptfoo_yaml',
    tests(
      { type: 'contains', value: 'x', metric: 'Accuracy' },
      { type: 'assert-set', metric: 'Tone', assert: [{ type: 'is-json', metric: 'Form' }] },
      { type: 'equals', value: 'x' },
    ),
  )
  expect(tasks[0]?.metadata['assertions']).toMatchObject([{ metric: 'Accuracy' }, { metric: 'Tone', assert: [{ metric: 'Form' }] }, {}])
  expect(warnings).toEqual([
    'Metrics that assertions name have no figure of their own here; their assertions count in the score of each test: "Accuracy", "Tone", "Form".',
  ])
})
