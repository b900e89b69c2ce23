import { describe, expect, test } from 'vitest'
import { renderPrompt } from '../../../../src/engine/execution/samples/render-prompt.ts'
import { readInspectLogs } from '../../../../src/engine/importing/answers/read-inspect-log.ts'
import { makeZip } from '../../../support/make-zip.ts'

type Said = Readonly<Record<string, unknown>>

const user = (content: unknown): Said => ({ role: 'user', content })
const system = (content: string): Said => ({ role: 'system', content })
const answered: Said = { role: 'assistant', content: 'A', source: 'generate' }
const sampleOf = (id: number, messages: readonly Said[] | undefined, more: Said = {}) => ({
  id,
  epoch: 1,
  input: `Question ${id}?`,
  target: 'A',
  ...(messages && { messages }),
  output: { choices: [{ message: { role: 'assistant', content: 'A' }, stop_reason: 'stop' }] },
  scores: { match: { value: 'C' } },
  ...more,
})
const fileOf = (samples: readonly object[], { model = 'm', scorer = 'match', ...more }: Said = {}, name = 'log.json') => ({
  name,
  bytes: Buffer.from(
    JSON.stringify({
      eval: { task: 'demo', model, scorers: [{ name: scorer }], packages: { inspect_ai: '0.3.260' } },
      plan: { steps: [{ solver: 'system_message' }, { solver: 'generate' }], config: {} },
      ...more,
      samples,
    }),
  ),
})

/** What a new run sends for each task. */
function prompts(...files: { readonly name: string; readonly bytes: Buffer }[]) {
  return readInspectLogs(files).map(log => {
    const [profile] = log.define('demo', 'Demo').profiles
    if (!profile) throw new Error('There is no profile.')
    return log.tasks.map(task => renderPrompt({ ...profile, shots: [] }, task))
  })
}

describe('the prompts of an Inspect log', () => {
  test('are the messages before the first answer, byte for byte, with the system message of the log in its profile', () => {
    const asked = [1, 2].map(id => [system('\nBe brief.\n'), user(`\nQuestion ${id}?\n\nThink first.\n`)])
    const file = fileOf(asked.map((messages, i) => sampleOf(i + 1, [...messages, answered])))
    expect(prompts(file)).toEqual([asked])
    const [log] = readInspectLogs([file])
    expect(log?.define('demo', 'Demo').profiles[0]).toMatchObject({
      systemPrompt: '\nBe brief.\n',
      promptTemplate: '\n{input}\n\nThink first.\n',
    })
    expect(log?.tasks.map(({ fields, conversations }) => [fields['input'], conversations])).toEqual([
      ['Question 1?', undefined],
      ['Question 2?', undefined],
    ])
  })

  test('keep system messages that differ, or that the sample itself brings, in the tasks', () => {
    const differ = [1, 2].map(id => [system(`Be ${id}.`), user(`Question ${id}?`)])
    expect(prompts(fileOf(differ.map((messages, i) => sampleOf(i + 1, [...messages, answered]))))).toEqual([differ])
    const own = [system('Own.'), user('Why?')]
    const file = fileOf([sampleOf(1, [...own, answered], { input: own })])
    expect(prompts(file)).toEqual([[own]])
    expect(readInspectLogs([file])[0]?.define('demo', 'Demo').profiles[0]?.systemPrompt).toBeNull()
  })

  test.each([
    ['{input} with {word}', (input: string) => `In {word}: ${input}`, 'In {word}: {input}'],
    ['an input before it', (input: string) => `Question 1? ${input}`, 'Question 1? {input}'],
    ['an input after it', (input: string) => `${input} Question 1?`, '{input} Question 1?'],
    ['what would be filled in', (input: string) => `Fill {input}: ${input}`, '{input}'],
    ['another text each', (input: string) => `${input.length + Number(/\d+/.exec(input))}: ${input}`, '{input}'],
  ])('have the template of the log where a new run asks the same by it: %s', (_, ask, template) => {
    const asked = [1, 2].map(id => [user(ask(`Question ${id}?`))])
    const input = [user('Question 2?')]
    const file = fileOf(asked.map((messages, i) => sampleOf(i + 1, [...messages, answered], i === 1 ? { input } : {})))
    expect(prompts(file)).toEqual([asked])
    expect(readInspectLogs([file])[0]?.define('demo', 'Demo').profiles[0]?.promptTemplate).toBe(template)
  })

  test('of choices are not put into another template', () => {
    const ask = (id: number) => [user(`Answer with a letter.\n\nQuestion ${id}?\n\nA) x${id}\nB) y`)]
    const sampleOfChoices = (id: number, messages: readonly Said[]) =>
      sampleOf(id, [...messages, answered], { choices: [`x${id}`, 'y'], scores: { choice: { value: 'C' } } })
    const file = fileOf(
      [1, 2].map(id => sampleOfChoices(id, ask(id))),
      { scorer: 'choice' },
    )
    expect(prompts(file)).toEqual([[ask(1), ask(2)]])
    const [log] = readInspectLogs([file])
    expect(log?.tasks.map(({ fields, choices }) => [fields['input'], choices])).toEqual([
      ['Question 1?', ['x1', 'y']],
      ['Question 2?', ['x2', 'y']],
    ])
    expect(log?.define('demo', 'Demo').profiles[0]?.promptTemplate).toBe('Answer with a letter.\n\n{input}\n\n{choices}')
    const shuffled = [user('Answer with a letter.\n\nQuestion 2?\n\nA) y\nB) x2')]
    expect(prompts(fileOf([sampleOfChoices(1, ask(1)), sampleOfChoices(2, shuffled)], { scorer: 'choice' }))).toEqual([[ask(1), shuffled]])
  })

  test('keep answers that came with the input, also in logs that do not say where an answer came from', () => {
    const given = [user('One?'), { role: 'assistant', content: 'Two.' }, user('And now?')]
    const unsaid = { role: 'assistant', content: 'A' }
    for (const last of [answered, unsaid])
      expect(prompts(fileOf([sampleOf(1, [...given, last, user('Sure?'), last], { input: given })]))).toEqual([[given]])
  })

  test('are found where a long text is stored once', () => {
    const attachments = { abc: 'A long text.' }
    expect(prompts(fileOf([sampleOf(1, [system('attachment://abc'), user('Why?'), answered], { attachments })]))).toEqual([
      [[system('A long text.'), user('Why?')]],
    ])
  })

  describe.each([
    ['no messages', []],
    ['its input alone', [user('Question 1?')]],
  ])('of a sample that failed with %s', (_, messages) => {
    const asked = [1, 2].map(id => [system('Be brief.'), user(`Now: Question ${id}?`)])
    const [whole, other] = asked.map((shown, i) => sampleOf(i + 1, [...shown, answered]))
    const failed = { ...sampleOf(1, messages, { error: { message: 'broken' } }), output: null, scores: null }
    const of = (model: string, ...samples: readonly (object | undefined)[]) =>
      fileOf(
        samples.flatMap(sample => sample ?? []),
        { model },
        `${model}.json`,
      )

    test('come from another epoch', () => {
      expect(prompts(of('a', { ...failed, epoch: 2 }, whole, other))[0]).toHaveLength(2)
      expect(prompts(of('a', whole, other, { ...failed, epoch: 2 }))).toEqual([asked])
    })

    test('come from another log, also where every sample of its own failed', () => {
      expect(prompts(of('a', failed, other), of('b', whole, other))).toEqual([asked])
      for (const order of [
        [of('a', failed), of('b', whole, other)],
        [of('b', whole, other), of('a', failed)],
      ]) {
        expect(prompts(...order)).toEqual([asked])
        expect(readInspectLogs(order)[0]?.warnings).toEqual([])
      }
    })

    test('are those of the others where no log has them, and the input where there are none', () => {
      expect(prompts(of('a', failed, other))).toEqual([asked])
      expect(prompts(of('a', failed))).toEqual([[[user('Question 1?')]]])
      expect(readInspectLogs([of('a', failed)])[0]?.warnings).toEqual([
        'No sample of "a.json" was answered, so what its solvers (system_message, generate) put around the input is not known. New runs ask the input alone.',
      ])
    })
  })

  test('that cannot be read leave out their samples alone', () => {
    const video = [system('Be brief.'), user([{ type: 'video', video: 'x.mp4' }])]
    const begun = [system('Be brief.'), user('Question 3?'), { role: 'assistant', content: 'It is' }]
    const asked = [system('Be brief.'), user('Question 1?')]
    const log = fileOf([sampleOf(1, [...asked, answered]), sampleOf(2, [...video, answered]), sampleOf(3, [...begun, answered])])
    expect(prompts(log)).toEqual([[asked]])
    expect(readInspectLogs([log])[0]?.warnings).toEqual([
      expect.stringMatching(/^Left out: "log.json": the sample "2": .*video/),
      'Left out: "log.json": the sample "3": What it was asked ends with words of the model or of the system.',
    ])
    expect(readInspectLogs([fileOf([sampleOf(3, [...begun, answered])])])[0]?.warnings).toEqual([
      'The messages of "log.json" cannot be asked, so what its solvers (system_message, generate) put around the input is not known. New runs ask the input alone.',
    ])
  })

  test('that differ from epoch to epoch are named', () => {
    const epochs = ['1 + 1 = 2', '1 + 2 = 3'].map((example, i) => ({
      ...sampleOf(1, [user(`${example}\n\nQuestion 1?`), answered]),
      epoch: i + 1,
    }))
    expect(readInspectLogs([fileOf(epochs)])[0]?.warnings).toEqual([
      '"log.json": one sample was asked in other words in each epoch. New runs ask what the last epoch was asked.',
    ])
    expect(prompts(fileOf(epochs))).toEqual([[[user('1 + 2 = 3\n\nQuestion 1?')]]])
  })

  test('under other system messages are of other versions', () => {
    const of = (text: string, model: string) =>
      fileOf([sampleOf(1, [system(text), user('Question 1?'), answered])], { model }, `${model}.json`)
    expect(prompts(of('Be brief.', 'a'), of('Be long.', 'b'))).toHaveLength(2)
    expect(prompts(of('Be brief.', 'a'), of('Be brief.', 'b'))).toHaveLength(1)
  })

  test.each([
    [
      'messages',
      fileOf([sampleOf(1, undefined)]),
      'does not hold the messages of every sample, so what its solvers (system_message, generate)',
    ],
    [
      'tools',
      fileOf([sampleOf(1, [user('Q?'), { ...answered, tool_calls: [{ id: 'c', function: 'f', arguments: {} }] }, answered])]),
      'the model used tools or answered several times in one sample. New runs ask the first question once, without tools.',
    ],
    [
      'settings',
      fileOf([sampleOf(1, [user('Q?'), answered])], { plan: { steps: [], config: { temperature: 0.5, max_tokens: 5, seed: null } } }),
      '"log.json" was run with temperature 0.5, max_tokens 5. New runs use the settings of the profile instead.',
    ],
  ])('name %s that a new run does not have', (_, file, warning) => {
    expect(readInspectLogs([file])[0]?.warnings).toEqual([expect.stringContaining(warning)])
  })

  test('are without a word where a new run asks the same', () => {
    const plan = { steps: [], config: { temperature: 0, max_tokens: 1024, stop_seqs: [] } }
    expect(readInspectLogs([fileOf([sampleOf(1, [system('S'), user('Q?'), answered])], { plan })])[0]?.warnings).toEqual([])
  })
})

describe('an archive of Inspect', () => {
  const archiveOf = (entries: Readonly<Record<string, unknown>>) => ({
    name: 'log.eval',
    bytes: makeZip(Object.entries(entries).map(([name, value]) => ({ name, content: Buffer.from(JSON.stringify(value)) }))),
  })
  const header = { eval: { task: 'demo', model: 'm', scorers: [{ name: 'match' }] } }

  test('whose samples are cut up has their messages in the order of their references, long texts and metadata', () => {
    const { messages: _, ...shell } = sampleOf(1, [], {
      input: 'attachment://1',
      output: { choices: [{ message: { role: 'assistant', content: 'attachment://0' }, stop_reason: 'stop' }] },
      message_refs: [
        [3, 4],
        [0, 2],
      ],
    })
    const folder = 'samples/1_epoch_1'
    const file = archiveOf({
      'header.json': header,
      [`${folder}/sample.json`]: shell,
      [`${folder}/metadata.json`]: { subject: 'law' },
      [`${folder}/messages/0.json`]: [user('attachment://1')],
      [`${folder}/messages/1.json`]: [answered, user('Sure?')],
      [`${folder}/messages/3.json`]: [system('Be brief.')],
      [`${folder}/events/stats.json`]: {},
      [`${folder}/attachments/0.json`]: ['A long answer.'],
      [`${folder}/attachments/1.json`]: ['A long question?'],
    })
    expect(prompts(file)).toEqual([[[system('Be brief.'), user('A long question?')]]])
    expect(readInspectLogs([file])[0]?.answers).toMatchObject([{ output: 'A long answer.', scores: { match: 1 } }])
  })

  test.each([
    [
      'summaries alone',
      { 'header.json': header, 'summaries.json': [{ id: 1 }] },
      'holds summaries of its samples, without what they answered.',
    ],
    ['a journal alone', { '_journal/start.json': header, '_journal/summaries/1.json': [{ id: 1 }] }, 'Run it with "--log-samples"'],
    [
      'nothing of its samples',
      { '_journal/start.json': header },
      'has no samples: the evaluation was stopped, or logged none. Run it to its end',
    ],
  ])('with %s is refused with what to send', (_, entries, message) => {
    expect(() => readInspectLogs([archiveOf(entries)])).toThrow(message)
  })
})
