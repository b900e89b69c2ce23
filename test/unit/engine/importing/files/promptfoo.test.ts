import { describe, expect, test } from 'vitest'
import { judgePresets } from '../../../../../src/engine/grading/judges/presets.ts'
import { promptTemplate } from '../../../../../src/engine/importing/files/foreign/promptfoo-prompts.ts'
import { lines, lookAt, type SentFile } from './look-at.ts'

const config = (content: string, ...more: SentFile[]): SentFile[] => [{ name: 'promptfooconfig.yaml', content }, ...more]

describe('prompts of promptfoo', () => {
  test('may be given by "id" with a label: a text, or the file that it names', async () => {
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

test('a promptfoo configuration that asks every test several times says so', async () => {
  const asked = (options: string) =>
    lookAt('promptfoo_yaml', config(`prompts: ["{{q}}"]\n${options}tests:\n  - {vars: {q: why}, assert: [{type: contains, value: so}]}\n`))
  expect((await asked('evaluateOptions: {repeat: 3, maxConcurrency: 1}\n')).warnings).toEqual([
    'promptfoo asks every test 3 times: choose 3 epochs for a run.',
  ])
  expect((await asked('evaluateOptions: {maxConcurrency: 1}\n')).warnings).toEqual([])
})

describe('files that a promptfoo configuration names', () => {
  const content = [
    'prompts: [file://prompts/ask.txt]',
    'tests:',
    '  - {vars: {q: file://one/article.txt}}',
    '  - {vars: {q: file://two/article.txt}}',
    '  - {vars: {q: "file://many/*.txt"}}',
  ].join('\n')
  const beside = [
    ['prompts/ask.txt', 'Sum up: {{q}}'],
    ['one/article.txt', 'First.'],
    ['two/article.txt', 'Second.'],
    ['many/a.txt', 'A.'],
    ['many/b.txt', 'B.'],
  ].map(([name = '', text = '']) => ({ name, content: text }))
  const texts = ['Sum up: First.', 'Sum up: Second.', 'Sum up: A.', 'Sum up: B.']

  test.each([
    ['beside it', ''],
    ['in its folder', 'summaries/'],
  ])('are found by their folders %s', async (_, folder) => {
    const files = [{ name: 'promptfooconfig.yaml', content }, ...beside].map(file => ({ ...file, name: folder + file.name }))
    const { tasks, problems } = await lookAt('promptfoo_yaml', files)
    expect(problems).toEqual([])
    expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual(texts)
  })

  test('are found by their names where they were sent without folders', async () => {
    const flat = [
      config(content.replace('two/article', 'two/other'))[0] ?? { name: '', content: '' },
      { name: 'ask.txt', content: 'Sum up: {{q}}' },
      { name: 'article.txt', content: 'First.' },
      { name: 'other.txt', content: 'Second.' },
    ]
    const { tasks } = await lookAt('promptfoo_yaml', flat)
    expect(tasks.map(({ fields }) => fields['prompt_1']).slice(0, 2)).toEqual(['Sum up: First.', 'Sum up: Second.'])
  })

  test('are not files of other folders', async () => {
    const { problems } = await lookAt('promptfoo_yaml', [
      { name: 'promptfooconfig.yaml', content: 'prompts: ["{{q}}"]\ntests: [{vars: {q: file://one/article.txt}}]' },
      { name: 'two/article.txt', content: 'Second.' },
    ])
    expect(problems[0]?.message).toBe('It names "file://one/article.txt", which was not sent; send it beside the configuration.')
  })
})

test('prompts that are managed elsewhere are named, and are no text', async () => {
  const { problems } = await lookAt('promptfoo_yaml', config('prompts: ["langfuse://support:2:chat"]\ntests: [{vars: {q: a}}]'))
  expect(problems[0]).toMatchObject({ line: 1, message: expect.stringContaining('"langfuse://support:2:chat" is kept elsewhere') })
})

test('promptfoo without prompts asks the variable "prompt", as in the files of its red teams', async () => {
  const red = 'targets: [{id: openai:gpt-4o}]\ntests: [{vars: {prompt: Hello}, assert: [{type: contains, value: Hi}]}]'
  const { tasks, problems } = await lookAt('promptfoo_yaml', [{ name: 'redteam.yaml', content: red }])
  expect(problems).toEqual([])
  expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual(['Hello'])
})

describe('parts of promptfoo that cannot be imported', () => {
  const content = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: one}, assert: [{type: equals, value: "1"}]}',
    '  - {vars: {q: two}, assert: [{type: webhook, value: "x"}, {type: contains, value: "2"}]}',
    '  - {vars: {q: file://q.txt}, assert: [{type: equals, value: x}]}',
    '  - [a, list]',
    '  - {vars: {q: three}, assert: [{type: similar, value: "3"}]}',
  ].join('\n')

  test('are each named, and nothing is imported', async () => {
    const found = await lookAt('promptfoo_yaml', config(content))
    expect(found.problems.map(({ line, message }) => [line, message.slice(0, 60)])).toEqual([
      [4, 'The assertion "webhook" cannot be imported: it is not graded'],
      [5, 'It names "file://q.txt", which was not sent; send it beside '],
      [6, 'A test must be an object with "vars" and "assert".'],
      [7, 'The assertion "similar" compares embeddings. Leave it out of'],
    ])
    expect([found.tasks, found.leftOut, found.definition]).toEqual([[], [], null])
  })

  test('are left out of their tests after a yes, and only what has no question loses the test', async () => {
    const { problems, tasks, leftOut, warnings, definition } = await lookAt('promptfoo_yaml', config(content), true)
    expect(problems).toEqual([])
    expect(tasks.map(({ id, metadata }) => [id, metadata['assertions']])).toEqual([
      ['promptfooconfig.yaml-0001', [{ type: 'equals', value: '1' }]],
      ['promptfooconfig.yaml-0002', [{ type: 'contains', value: '2' }]],
      ['promptfooconfig.yaml-0005', []],
    ])
    expect(leftOut.map(({ line }) => line)).toEqual([4, 5, 6])
    expect(warnings).toEqual([])
    expect(definition?.profiles[0]?.metrics[0]?.title).toBe('Passed, by the assertions that are graded here')
  })

  test('still refuse what is wrong with the whole configuration, and a file with nothing left', async () => {
    const program = await lookAt('promptfoo_yaml', config('prompts: [file://ask.py]\ntests: []', { name: 'ask.py', content: 'x' }), true)
    expect(program.problems[0]?.message).toMatch(/is a program or a table/)
    const nothing = await lookAt(
      'promptfoo_yaml',
      config('prompts: ["{{q}}"]\ntests:\n  - {vars: {q: a}, provider: "promptfoo:simulated-user"}'),
      true,
    )
    expect(nothing.problems).toMatchObject([
      { line: null, message: expect.stringMatching(/^The test is a conversation .* That is the only row: nothing would be imported\.$/) },
    ])
  })

  test('need no yes where a test has no assertion at all', async () => {
    const { problems, tasks, warnings } = await lookAt(
      'promptfoo_yaml',
      config('prompts: ["Say {{q}}"]\ntests:\n  - vars: {q: Hi}\n  - vars: {q: Ho}'),
    )
    expect(problems).toEqual([])
    expect(tasks.map(({ fields, targets }) => [fields, targets])).toEqual([
      [{ prompt_1: 'Say Hi' }, []],
      [{ prompt_1: 'Say Ho' }, []],
    ])
    expect(warnings).toEqual(['2 tests have no assertion that is graded here: asked, answered and without a score.'])
  })
})

describe('providers of a configuration of promptfoo', () => {
  const asking = (providers: string, test = '{vars: {q: a}, assert: [{type: contains, value: b}]}') =>
    config(`prompts: ["{{q}}"]\nproviders: ${providers}\ntests:\n  - ${test}`)

  test('give profiles what all of them say', async () => {
    const { problems, definition } = await lookAt(
      'promptfoo_yaml',
      asking('[{id: "openai:x", config: {instructions: Answer in French., temperature: 0.7, max_tokens: 50, apiKey: k}}]'),
    )
    expect(problems).toEqual([])
    expect(definition?.profiles[0]).toMatchObject({
      systemPrompt: 'Answer in French.',
      generation: { temperature: 0.7, max_output_tokens: 50 },
    })
  })

  test('are named before a yes where they differ, bring tools or are asked with prompts of their own', async () => {
    const providers = '[{id: a, config: {temperature: 1, tools: [{name: add}]}}, {b: {prompts: [p], config: {temperature: 0}}}, c]'
    const { problems } = await lookAt('promptfoo_yaml', asking(providers))
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [2, 'The provider "a" sets temperature, tools, which is not imported: runs ask every model by every prompt alike.'],
      [2, 'The provider "b" sets temperature, prompts, which is not imported: runs ask every model by every prompt alike.'],
    ])
    const { tasks, leftOut, definition } = await lookAt('promptfoo_yaml', asking(providers), true)
    expect([tasks.length, leftOut.length, definition?.profiles[0]?.generation.temperature]).toEqual([1, 2, 0])
  })

  test('of a test are named, and a simulated user leaves the test out', async () => {
    const own = await lookAt('promptfoo_yaml', asking('[x]', '{vars: {q: a}, provider: "openai:y"}'))
    expect(own.problems.map(({ message }) => message)).toEqual([
      'The provider of the test, "openai:y", is not imported: the model of a run is asked.',
    ])
    const talked = await lookAt('promptfoo_yaml', asking('[x]', '{vars: {q: a}, provider: {id: "promptfoo:simulated-user"}}'))
    expect(talked.problems[0]?.message).toMatch(
      /^The test is a conversation with "promptfoo:simulated-user", .* Build it as an environment/,
    )
  })
})

describe('tests of promptfoo', () => {
  const asked = (found: Awaited<ReturnType<typeof lookAt>>) =>
    found.tasks.map(({ id, fields, metadata }) => [id, fields['prompt_1'], metadata['assertions']])

  test('of scenarios are each test with each entry of "config"', async () => {
    const found = await lookAt(
      'promptfoo_yaml',
      config(
        [
          'prompts: ["Translate to {{to}}: {{text}}"]',
          'defaultTest: {assert: [{type: not-contains, value: "sorry"}]}',
          'scenarios:',
          '  - config:',
          '      - {vars: {to: French, hi: Bonjour}, assert: [{type: contains, value: "!"}]}',
          '      - {vars: {to: Spanish, hi: Hola}}',
          '    tests: [{vars: {text: Hi}, assert: [{type: contains, value: "{{hi}}"}]}, file://more.yaml]',
          '  - config: [{vars: {to: German, text: Bye}}]',
          'tests: [{vars: {to: Latin, text: Ave}}]',
        ].join('\n'),
        { name: 'more.yaml', content: '- {vars: {text: Yes}}' },
      ),
    )
    const polite = { type: 'not-contains', value: 'sorry' }
    expect(found.problems).toEqual([])
    expect(asked(found)).toEqual([
      ['promptfooconfig.yaml-0001', 'Translate to Latin: Ave', [polite]],
      [
        'promptfooconfig.yaml-scenario-0001',
        'Translate to French: Hi',
        [{ type: 'contains', value: '!' }, { type: 'contains', value: 'Bonjour' }, polite],
      ],
      ['promptfooconfig.yaml-scenario-0002', 'Translate to French: Yes', [{ type: 'contains', value: '!' }, polite]],
      ['promptfooconfig.yaml-scenario-0003', 'Translate to Spanish: Hi', [{ type: 'contains', value: 'Hola' }, polite]],
      ['promptfooconfig.yaml-scenario-0004', 'Translate to Spanish: Yes', [polite]],
      ['promptfooconfig.yaml-scenario-0005', 'Translate to German: Bye', [polite]],
    ])
  })

  test('are one for each text of a list in their variables; other lists are one value', async () => {
    const vars = '{who: [Ada, Bob], n: [1, 2], none: [], rows: [{a: 1}]}'
    const found = await lookAt(
      'promptfoo_yaml',
      config(`prompts: ["{{who}} {{n | dump}} {{none | dump}} {{rows | dump}}"]\ntests: [{vars: ${vars}}]`),
    )
    expect(asked(found).map(([, prompt]) => prompt)).toEqual(['Ada [1,2] [] [{"a":1}]', 'Bob [1,2] [] [{"a":1}]'])
  })

  test('in tables name any assertion of promptfoo by its type alone, and everything else must be equalled', async () => {
    const rows = ['is-json', 'contains-json', 'note: this', 'grade: is kind', 'not-contains: x', 'fn: output.length > 1', 'human']
    const found = await lookAt(
      'promptfoo_csv',
      [{ name: 't.csv', content: `q,__expected\n${rows.map(row => `a,${row}\n`).join('')}` }],
      true,
    )
    expect(found.tasks.map(({ metadata }) => metadata['assertions'])).toEqual([
      [{ type: 'is-json' }],
      [{ type: 'contains-json' }],
      [{ type: 'equals', value: 'note: this' }],
      [],
      [{ type: 'not-contains', value: 'x' }],
      [{ type: 'javascript', script: { code: 'output.length > 1' } }],
      [],
    ])
    expect(found.leftOut.map(({ line, message }) => [line, message.slice(0, 30)])).toEqual([[8, 'The assertion "human" cannot b']])
    expect(found.judged).toEqual([{ assertion: 'llm-rubric', preset: 'test_rubric', tasks: 1 }])
  })

  test('that there are none of ask each prompt once', async () => {
    const found = await lookAt('promptfoo_yaml', config('prompts: [Write a haiku., Write a limerick.]'))
    expect(found.problems).toEqual([])
    expect(found.tasks.map(({ fields }) => fields)).toEqual([{ prompt_1: 'Write a haiku.', prompt_2: 'Write a limerick.' }])
  })

  test('may be references within the configuration, which may be JSON', async () => {
    const content = JSON.stringify({
      prompts: ['{{q}}'],
      definitions: { why: { vars: { q: 'why' }, assert: [{ type: 'contains', value: 'because' }] } },
      tests: [
        { $ref: '#/definitions/why' },
        { $ref: '#/definitions/why', vars: { q: 'how' } },
        { $ref: '#/definitions/none', vars: { q: 'x' } },
      ],
    })
    const found = await lookAt('promptfoo_yaml', [{ name: 'promptfooconfig.json', content }])
    expect(asked(found).map(([, prompt, assertions]) => [prompt, assertions])).toEqual([
      ['why', [{ type: 'contains', value: 'because' }]],
      ['how', [{ type: 'contains', value: 'because' }]],
      ['x', []],
    ])
  })

  test('from elsewhere or by a program are left out by name, and the others remain', async () => {
    const content = [
      'prompts: ["{{q}}"]',
      'tests:',
      '  - huggingface://datasets/x',
      '  - {path: "file://make.py:tests", config: {n: 3}}',
      '  - file://t.xlsx',
      '  - {vars: {q: a}}',
    ].join('\n')
    const sent = config(content, { name: 'make.py', content: '' }, { name: 't.xlsx', content: 'PK' })
    const { problems } = await lookAt('promptfoo_yaml', sent)
    expect(problems.map(({ line, message }) => [line, message.slice(0, 70)])).toEqual([
      [2, 'The tests "huggingface://datasets/x" are not fetched. Save them as CSV'],
      [2, 'The tests "file://make.py:tests" are made by a program. Save them as C'],
      [2, 'The tests "file://t.xlsx" are a workbook. Save them as CSV, JSON Lines'],
    ])
    expect((await lookAt('promptfoo_yaml', sent, true)).tasks).toHaveLength(1)
  })

  test('keep what can be asked where a part of them is not imported', async () => {
    const part = '{vars: {q: a}, assert: [{type: equals, value: x}], providerOutput: y, assertScoringFunction: file://s.js, prompts: [p]}'
    const found = await lookAt('promptfoo_yaml', config(`prompts: ["{{q}}"]\ntests: [${part}]`))
    expect(found.problems.map(({ message }) => message)).toEqual([
      'The "providerOutput" of the test is not imported: the model of a run is asked.',
      'The "assertScoringFunction" of the test is not imported: the score is the weighted mean of the assertions.',
      'The "prompts" of the test is not imported: every prompt asks the test.',
    ])
  })
})

describe('scripts of promptfoo in Python', () => {
  const asking = (...assertions: string[]) => `prompts: ["{{q}}"]\ntests: [{vars: {q: a}, assert: [${assertions.join(', ')}]}]`

  test('are text or a file that was sent, and choose the language of the sandbox', async () => {
    const content = asking('{type: python, value: "len(output) > 1"}', '{type: python, value: "file://check.py:ok", config: {n: 1}}')
    const { tasks, problems, definition } = await lookAt(
      'promptfoo_yaml',
      config(content, { name: 'check.py', content: 'def ok(o, c):\n  return True\n' }),
    )
    expect(problems).toEqual([])
    expect(tasks[0]?.metadata).toMatchObject({
      assertions: [
        { type: 'python', script: { code: 'len(output) > 1' } },
        { type: 'python', script: { code: 'def ok(o, c):\n  return True\n', export: 'ok', config: { n: 1 } } },
      ],
      context: { vars: { q: 'a' } },
    })
    expect(definition?.profiles[0]?.metrics.map(({ scorer, options }) => [scorer, options])).toEqual([
      ['promptfoo/test_with_scripts', { language: 'python' }],
      ['promptfoo/test_with_scripts', { metric: 'score', language: 'python' }],
    ])
  })

  test('are named where the sandbox cannot run them: packages, what an answer does not have, a second language', async () => {
    const content = asking(
      '{type: javascript, value: "output.length > 1"}',
      '{type: python, value: "len(output) > 1"}',
      '{type: python, value: "import numpy\\nreturn True"}',
      '{type: python, value: "context[\'prompt\'] in output"}',
      '{type: not-python, value: "True"}',
    ).replaceAll('\\n', '\\n')
    const { problems } = await lookAt('promptfoo_yaml', config(content))
    expect(problems.map(({ message }) => message)).toEqual([
      'The assertion "python" cannot be imported: it is Python, and scripts before it are JavaScript; a test is graded by one language.',
      'The assertion "python" cannot be imported: its Python imports "numpy", which the sandbox has not.',
      expect.stringContaining(`uses "context['prompt']", which is not known here`),
      'The assertion "not-python" cannot be imported: the opposite of "python" is not graded here. Invert the result in the script.',
    ])
  })

  test.each(['similar', 'not-similar', 'similar:dot'])('that compare embeddings are kept for an evaluator: %s', async type => {
    const { tasks, judged, problems } = await lookAt(
      'promptfoo_yaml',
      config(asking(`{type: "${type}", value: hello, threshold: 0.8}`)),
      true,
    )
    expect(problems).toEqual([])
    expect(judged).toEqual([{ assertion: type, preset: 'embedding_similarity', tasks: 1 }])
    expect(tasks[0]).toMatchObject({
      targets: ['hello'],
      metadata: { assertions: [], promptfoo_similar: [{ type, value: 'hello', threshold: 0.8 }] },
    })
  })

  test('that compare embeddings need texts, and a measure that promptfoo has', async () => {
    const { problems } = await lookAt('promptfoo_yaml', config(asking('{type: similar, value: 3}', '{type: "similar:jaccard", value: x}')))
    expect(problems.map(({ message }) => message)).toEqual([
      'The assertion "similar" cannot be imported: The value of the assertion "similar" must be one or more texts, not 3.',
      'The assertion "similar:jaccard" cannot be imported: promptfoo has no assertion of that name. Correct the name, or leave it out.',
    ])
  })
})

describe('prompts of promptfoo with messages', () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=', 'base64')
  const tests = 'tests: [{vars: {picture: file://img/dot.png}}]'
  const dot = { name: 'dot.png', content: png }
  const seen = [
    { type: 'text', text: 'What is it?' },
    { type: 'image', media: expect.stringMatching(/^sha256:/) },
  ]

  test.each([
    [
      'OpenAI',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: '{{picture}}' } },
          ],
        },
      ],
    ],
    [
      'a data URI',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,{{picture}}' } },
          ],
        },
      ],
    ],
    [
      'Anthropic',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '{{picture}}' } },
          ],
        },
      ],
    ],
    ['Gemini', { contents: [{ parts: [{ text: 'What is it?' }, { inline_data: { mime_type: 'image/png', data: '{{picture}}' } }] }] }],
  ])('show the files of variables in the form of %s', async (_, prompt) => {
    const { tasks, problems } = await lookAt(
      'promptfoo_yaml',
      config(`prompts: [file://p.json]\n${tests}`, { name: 'p.json', content: JSON.stringify(prompt) }, dot),
    )
    expect(problems).toEqual([])
    expect(tasks[0]?.conversations?.['prompt_1']).toEqual([{ role: 'user', content: seen }])
  })

  test('may be written out in the configuration', async () => {
    const { tasks } = await lookAt(
      'promptfoo_yaml',
      config('prompts:\n  - - {role: system, content: Brief.}\n    - {role: user, content: "{{q}}"}\ntests: [{vars: {q: a}}]'),
    )
    expect(tasks[0]?.conversations?.['prompt_1']).toEqual([
      { role: 'system', content: 'Brief.' },
      { role: 'user', content: 'a' },
    ])
  })

  test('refuse a file within a text, and one of a kind that is not shown', async () => {
    const within = await lookAt('promptfoo_yaml', config(`prompts: ["See {{picture}}"]\n${tests}`, dot))
    expect(within.problems[0]?.message).toMatch(/A file stands within the text of the prompt 1/)
    const film = await lookAt(
      'promptfoo_yaml',
      config('prompts: ["{{v}}"]\ntests: [{vars: {v: file://a.mp4}}]', { name: 'a.mp4', content: 'x' }),
    )
    expect(film.problems[0]?.message).toMatch(/Use PNG, JPEG/)
  })

  test('are those of promptfooconfig where several configurations came, and never programs', async () => {
    const other = { name: 'a.yaml', content: 'prompts: [other]\ntests: [{vars: {}}]' }
    const found = await lookAt('promptfoo_yaml', [other, ...config('prompts: [own, "exec:./make.sh", "python:make.py"]')], true)
    expect(found.tasks.map(({ fields }) => fields)).toEqual([{ prompt_1: 'own' }])
    expect(found.leftOut.map(({ message }) => message.slice(0, 40))).toEqual([
      'The prompt "exec:./make.sh" is a program',
      'The prompt "python:make.py" is a program',
    ])
  })

  test('ask by labels in a map, with the environment that the configuration states, and never with earlier answers', async () => {
    const found = await lookAt(
      'promptfoo_yaml',
      config(
        'env: {WHO: Ada}\nprompts: {a.txt: short, b.txt: long, c.txt: talk}\ntests: [{vars: {q: why}}]',
        { name: 'a.txt', content: '{{env.WHO}}: {{q}}' },
        { name: 'b.txt', content: '{% raw %}{{q}}{% endraw %} {{q}}' },
        { name: 'c.txt', content: '{% for turn in _conversation %}{{turn.output}}{% endfor %}{{q}}' },
      ),
      true,
    )
    expect(found.leftOut.map(({ message }) => message)).toEqual([expect.stringContaining('asks with the answers to earlier tests')])
    expect(found.tasks[0]?.fields).toEqual({ prompt_1: 'Ada: why', prompt_2: '{{q}} why' })
    expect(found.definition?.profiles.map(({ summary }) => summary)).toEqual(['The prompt "short".', 'The prompt "long".'])
  })
})

describe('values of assertions', () => {
  const read = async (test: string, ...more: { name: string; content: string }[]) =>
    lookAt(
      'promptfoo_yaml',
      config(`prompts: ["{{q}}"]\nassertionTemplates: {short: {type: word-count, value: {max: 9}}}\ntests:\n  - ${test}`, ...more),
    )

  test('hold the variables of their test, files and templates', async () => {
    const { problems, tasks } = await read(
      '{vars: {q: a, c: Paris, name: "{{c}}!"}, assert: [{type: equals, value: "{{name}}"}, {type: contains-any, value: ["{{c}}", x]}, {type: is-json, value: file://s.json}, {$ref: "#/assertionTemplates/short"}]}',
      { name: 's.json', content: '{"type": "object"}' },
    )
    expect(problems).toEqual([])
    expect(tasks[0]?.metadata['assertions']).toEqual([
      { type: 'equals', value: 'Paris!' },
      { type: 'contains-any', value: ['Paris', 'x'] },
      { type: 'is-json', value: { type: 'object' } },
      { type: 'word-count', value: { max: 9 } },
    ])
  })

  test('keep sets with their thresholds, latency and cost, and name what a set cannot have', async () => {
    const { problems, tasks } = await read(
      '{vars: {q: a}, assert: [{type: assert-set, threshold: 0.5, assert: [{type: contains, value: x}, {type: latency, threshold: 900}]}, {type: cost, threshold: 0.01}, {type: assert-set, assert: [{type: llm-rubric, value: kind}]}]}',
    )
    expect(tasks).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([
      'The assertion "assert-set" cannot be imported: its "llm-rubric" needs a judge, which a set cannot have here.',
    ])
  })

  test('are JavaScript with what it is told of the test, and what it cannot be told is named', async () => {
    const { problems, tasks, definition } = await read(
      '{vars: {q: a}, options: {transform: output.trim()}, assert: [{type: javascript, value: "output.includes(context.vars.q)"}, {type: javascript, value: "file://check.js:isLong", config: {min: 2}}]}',
      { name: 'check.js', content: 'module.exports = { isLong: (output, { config }) => output.length > config.min }' },
    )
    expect(problems).toEqual([])
    expect(definition?.profiles[0]?.metrics.map(({ scorer }) => scorer)).toEqual([
      'promptfoo/test_with_scripts',
      'promptfoo/test_with_scripts',
    ])
    expect(tasks[0]?.metadata).toMatchObject({
      assertions: [
        { type: 'javascript', script: { code: 'output.includes(context.vars.q)' } },
        { type: 'javascript', script: { export: 'isLong', config: { min: 2 } } },
      ],
      transform: { code: 'output.trim()' },
      context: { vars: { q: 'a' } },
    })
    const unknown = await read(
      '{vars: {q: a}, assert: [{type: javascript, value: "context.logProbs[0] > 1"}, {type: javascript, value: "require(\'fs\')"}]}',
    )
    expect(unknown.problems.map(({ message }) => message)).toEqual([
      'The assertion "javascript" cannot be imported: its JavaScript uses "context.logProbs", which is not known here.',
      'The assertion "javascript" cannot be imported: its JavaScript uses "require(", which the sandbox has not.',
    ])
  })
})

test('variables, prompts and tests come from files and patterns of files', async () => {
  const { problems, tasks, definition } = await lookAt(
    'promptfoo_yaml',
    config(
      'prompts: ["prompts/a*.txt", chat.yaml]\ndefaultTest: file://default.yaml\ntests: ["tests/t*.yaml"]',
      { name: 'a.txt', content: 'A {{text}} {{facts}}' },
      { name: 'chat.yaml', content: '- {role: user, content: "{{text | dump}}"}' },
      { name: 'default.yaml', content: 'vars: {facts: file://facts.txt}' },
      { name: 'facts.txt', content: ' Known. \n' },
      { name: 'shared.yaml', content: 'text: say "so"' },
      { name: 't1.yaml', content: '- {vars: file://shared.yaml, assert: [{type: contains, value: so}]}' },
    ),
  )
  expect(problems).toEqual([])
  expect(definition?.profiles.map(({ summary }) => summary)).toEqual(['The prompt "a.txt".', 'The prompt "chat.yaml".'])
  expect(tasks[0]?.fields['prompt_1']).toBe('A say "so" Known.')
  expect(JSON.stringify(tasks[0])).toContain(JSON.stringify('"say \\"so\\""').slice(1, -1))
})

describe('assertions of promptfoo that a model grades', () => {
  const content = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: one}, assert: [{type: contains, value: a}, {type: llm-rubric, value: Is kind.}]}',
    '  - {vars: {q: two}, assert: [{type: factuality, value: Two is two.}]}',
    '  - {vars: {q: three}, assert: [{type: llm-rubric, value: Is short.}, {type: g-eval, value: [Is polite., Has no lists.]}]}',
    '  - {vars: {q: four}, assert: [{type: llm-rubric, value: file://rubric.txt}]}',
    '  - {vars: {q: five}, assert: [{type: not-llm-rubric, value: Is rude.}]}',
  ].join('\n')

  test('are refused by line, naming the way', async () => {
    const { problems } = await lookAt('promptfoo_yaml', config(content))
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 5, 6, 7])
    expect(problems[0]?.message).toBe(
      'The assertion "llm-rubric" needs a judge. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.',
    )
  })

  test('become what an evaluator compares with, and are counted by the preset that grades them', async () => {
    const { tasks, judged, leftOut, definition } = await lookAt('promptfoo_yaml', config(content), true)
    expect(tasks.map(({ targets, metadata }) => [targets, metadata['assertions']])).toEqual([
      [['Is kind.'], [{ type: 'contains', value: 'a' }]],
      [['Two is two.'], []],
      [['Is short.\n\nIs polite.\nHas no lists.'], []],
      [[], []],
      [['The answer must not meet this: Is rude.'], []],
    ])
    expect(leftOut).toMatchObject([{ line: 6, message: expect.stringContaining('was not sent') }])
    expect(judged).toEqual([
      { assertion: 'llm-rubric', preset: 'test_rubric', tasks: 2 },
      { assertion: 'factuality', preset: 'correctness', tasks: 1 },
      { assertion: 'g-eval', preset: 'test_rubric', tasks: 1 },
      { assertion: 'not-llm-rubric', preset: 'test_rubric', tasks: 1 },
    ])
    for (const { preset } of judged) expect(judgePresets.map(({ id }) => id)).toContain(preset)
    expect(definition?.profiles[0]?.metrics[0]?.title).toBe('Passed, by the assertions that are graded here')
  })

  test('are read from tables as well', async () => {
    const csv = 'question,__expected1,__expected2\nHi?,llm-rubric: greets back,contains: hello\nBye?,answer-relevance(0.8): x,\n'
    const { tasks, judged, warnings } = await lookAt('promptfoo_csv', [{ name: 'tests.csv', content: csv }], true)
    expect(tasks.map(({ targets }) => targets)).toEqual([['greets back'], ['x']])
    expect(warnings).toContain(
      'One assertion for a judge has a threshold or weight, which is not imported: set the passing score in the evaluator.',
    )
    expect(judged.map(({ assertion, preset }) => [assertion, preset])).toEqual([
      ['llm-rubric', 'test_rubric'],
      ['answer-relevance', 'relevance'],
    ])
  })
})

test('lines of a file of tests are named with their own line', async () => {
  const { problems } = await lookAt(
    'promptfoo_yaml',
    config('prompts: ["{{q}}"]\ntests: file://t.jsonl', {
      name: 't.jsonl',
      content: lines({ vars: { q: 'a' }, assert: [{ type: 'equals', value: 'b' }] }, { vars: { q: 'a' }, assert: [{ type: 'nope' }] }),
    }),
  )
  expect(problems).toMatchObject([
    {
      file: 't.jsonl',
      line: 2,
      message: 'The assertion "nope" cannot be imported: promptfoo has no assertion of that name. Correct the name, or leave it out.',
    },
  ])
})

test('a program that only adds an id to the variables of promptfoo is left out by name, and any other refused', async () => {
  const asked = (program: string, leaveOut: boolean) =>
    lookAt(
      'promptfoo_yaml',
      config(
        `prompts: ["{{q}}"]\ndefaultTest: {options: {transformVars: '${program}'}}\ntests:\n  - {vars: {q: why}, assert: [{type: contains, value: so}]}\n`,
      ),
      leaveOut,
    )
  const program = '{ ...vars, sessionId: context.uuid }'
  expect((await asked(program, false)).problems[0]?.message).toMatch(/"transformVars" is not imported.*"sessionId"/)
  expect((await asked(program, true)).tasks.map(({ fields }) => fields['prompt_1'])).toEqual(['why'])
  expect((await asked('{ ...vars, q: context.uuid + vars.q }', true)).problems[0]?.message).toContain(
    'Write the changed variables under "vars"',
  )
})

test('variables of promptfoo that are templates are filled in a text, and left as they are where they are not closed', async () => {
  const vars = `{name: anna, hello: 'Hi {{ name | upper }}{% if name %}!{% endif %}', code: 'a {{ b', note: 'Keep'}`
  const { tasks, problems } = await lookAt(
    'promptfoo_yaml',
    config(`prompts: ["{{hello}} {{code}} {{note}}"]\ntests:\n  - vars: ${vars}\n    assert: [{type: contains, value: so}]\n`),
  )
  expect(problems).toEqual([])
  expect(tasks[0]?.fields['prompt_1']).toBe('Hi ANNA! a {{ b Keep')
})

test.each([
  ['a text', '{{a}} {{ b }}', 'x $y z x $y z'],
  ['JSON', '["{{a}}", "{{ b }}"]', '[\n  "x $y z",\n  "x $y z"\n]'],
])('plain names in variables of promptfoo are followed before the prompt is rendered, in %s', (_, prompt, expected) => {
  const vars = { a: '{{b}}', b: '{{ c }}', c: 'x {{d}} z', d: '$y', own: '{{own}}{{own}}', other: '{% block x %}{% endblock %}' }
  expect(promptTemplate(prompt).render(vars)).toBe(expected)
})

test('numbers of promptfoo are those that js-yaml reads', async () => {
  const vars = '{a: .inf, b: 0b11, c: 685_230.15, d: -0b1_0, e: 0x_1F, f: 1_, g: 1_000}'
  const prompt = '{{a}} {{b}} {{c}} {{d}} {{e}} {{f}} {{g}}'
  const { tasks, problems } = await lookAt(
    'promptfoo_yaml',
    config(`prompts: ["${prompt}"]\ntests:\n  - vars: ${vars}\n    assert: [{type: equals, value: .inf}]\n`),
  )
  expect(problems).toEqual([])
  expect(tasks[0]?.fields['prompt_1']).toBe('Infinity 3 685230.15 -2 31 1_ 1000')
  expect(tasks[0]?.metadata['assertions']).toEqual([{ type: 'equals', value: 'Infinity' }])
})
