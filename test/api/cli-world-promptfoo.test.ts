import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exitCodes } from '../../src/headless/exit-codes.ts'
import { assayHere } from '../support/assay-here.ts'
import { connectJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
let player: ScriptedJudge
let model: string
const root = temporaryFolder()
const here = (...args: string[]) => assayHere([...args, '--data-dir', service.dataDir])
beforeAll(async () => {
  service = await startTestService()
  player = await startJudge(() => 'VERDICT: met')
  model = await connectJudge(service.client, player, { model: 'player' })
})
afterAll(async () => {
  await service.close()
  await player.close()
  root.remove()
})

function config(name: string, text: string): string {
  const path = join(root.path, name)
  writeFileSync(path, text)
  return path
}

function made(folder: string) {
  const lines = readFileSync(join(folder, 'tasks.jsonl'), 'utf8').trim().split('\n')
  return { world: parse(readFileSync(join(folder, 'world.yaml'), 'utf8')), tasks: lines.map(line => JSON.parse(line)) }
}

async function play(folder: string, task: string, moves: object[]) {
  const path = join(root.path, 'moves.json')
  writeFileSync(path, JSON.stringify(moves))
  return here('world', 'try', folder, '--task', task, '--moves', path)
}

const simulated = `
prompts: ["You work at a desk for {{city}}."]
providers: [openai:gpt-5-mini]
defaultTest:
  provider: {id: "promptfoo:simulated-user", config: {maxTurns: 7}}
  assert: [{type: llm-rubric, value: "The customer of {{city}} gets a refund."}]
tests:
  - description: late parcel
    vars: {city: Rome, instructions: "You are Ada of {{city}}. Say ###STOP### when done."}
    assert: [{type: icontains, value: refund}, {type: latency, threshold: 5000}]
  - vars:
      city: Oslo
      instructions: You want your money back.
      initialMessages: [{role: user, content: "My parcel for {{city}} is late."}]
`

test('a simulated user becomes the user of a task, its rubric a criterion, and the prompt the system message', async () => {
  const file = config('desk.yaml', simulated)
  expect(await here('world', 'import', file)).toMatchObject({ code: exitCodes.usage, err: expect.stringContaining('with --user-model') })
  const out = join(root.path, 'desk')
  const { code, out: said } = await here('world', 'import', file, '--out', out, '--user-model', model, '--judge', model)
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('Left out: test 1, late parcel: "latency"') })
  const { world, tasks } = made(out)
  expect(world).toMatchObject({ limits: { turns: 7 }, user_model: { max_charge_microusd: null } })
  expect(tasks).toMatchObject([
    {
      id: 'test 1, late parcel',
      messages: [
        { role: 'system', content: 'You work at a desk for Rome.' },
        { role: 'user', content: 'Hello.' },
      ],
      user: { kind: 'model', goal: 'You are Ada of Rome. Say [END] when done.' },
      expected: {
        criteria: ['The customer of Rome gets a refund.'],
        answer: { scorer: 'promptfoo/test', options: { test: { assertions: [{ type: 'icontains', value: 'refund' }] } } },
      },
    },
    { id: 'test 2', messages: [{ role: 'system' }, { role: 'user', content: 'My parcel for Oslo is late.' }] },
  ])
  expect(await here('world', 'create', out)).toMatchObject({ code: 0, out: expect.stringContaining('2 tasks') })
})

test('tools with callbacks are functions, trajectories are expected calls, and the answer is graded by its assertions', async () => {
  config(
    'weather.json',
    JSON.stringify({
      type: 'function',
      function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    }),
  )
  const file = config(
    'sums.yaml',
    `
prompts: ["What is {{a}} + {{b}}?"]
providers:
  - id: openai:gpt-5-mini
    config:
      tools:
        - {type: function, function: {name: add, parameters: {type: object, properties: {a: {type: number}, b: {type: number}}}}}
        - file://weather.json
      functionToolCallbacks:
        add: "async (text) => { const { a, b } = JSON.parse(text); return String(a + b) }"
tests:
  - vars: {a: 2, b: 3}
    assert:
      - {type: "trajectory:tool-args-match", value: {name: add, args: {a: 2}}}
      - {type: "not-trajectory:tool-used", value: weather}
      - {type: contains, value: "5"}
      - {type: not-contains, value: sorry}
      - {type: javascript, value: "output.length < 10"}
`,
  )
  const out = join(root.path, 'sums')
  const imported = await here('world', 'import', file, '--out', out)
  expect(imported).toMatchObject({
    code: 0,
    out: expect.stringContaining('the result of the tool "weather": it answers "ok" to every call'),
  })
  expect(imported.out).toContain('"javascript": worlds run no scripts')
  const add = { calls: [{ name: 'add', arguments: { a: 2, b: 3 } }] }
  expect(await play(out, 'test 1', [add, { answer: 'It is 5.' }])).toMatchObject({ code: 0, out: expect.stringContaining('passed') })
  expect((await play(out, 'test 1', [{ answer: 'It is 5.' }])).code).toBe(exitCodes.gateFailed)
  expect((await play(out, 'test 1', [add, { answer: 'It is 5, sorry.' }])).code).toBe(exitCodes.gateFailed)
  const asked = { calls: [{ name: 'weather', arguments: { city: 'Rome' } }] }
  expect((await play(out, 'test 1', [add, asked, { answer: 'It is 5.' }])).out).toContain('forbidden call weather')
})

test('tests that share a conversation are the turns of one task, each graded by its assertions', async () => {
  const file = config(
    'talk.yaml',
    `
prompts:
  - |
    [{% for turn in _conversation %}{"role": "user", "content": "{{ turn.input }}"}, {"role": "assistant", "content": "{{ turn.output }}"}, {% endfor %}
    {"role": "user", "content": "{{ question }}"}]
tests:
  - {vars: {question: "Who wrote Faust?"}, metadata: {conversationId: books}, assert: [{type: contains, value: Goethe}]}
  - {vars: {question: "When was he born?"}, metadata: {conversationId: books}, assert: [{type: contains, value: "1749"}]}
  - {vars: {question: "What is 2 + 2?"}, metadata: {conversationId: sums}}
`,
  )
  const out = join(root.path, 'talk')
  const imported = await here('world', 'import', file, '--out', out)
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('test 3: nothing of it is graded here') })
  expect(made(out).tasks).toMatchObject([
    { id: 'test 2', messages: [{ role: 'user', content: 'Who wrote Faust?' }], user: { kind: 'scripted', turns: ['When was he born?'] } },
  ])
  expect((await play(out, 'test 2', [{ answer: 'Goethe.' }, { answer: 'In 1749.' }])).code).toBe(0)
  const unnamed = await play(out, 'test 2', [{ answer: 'A poet.' }, { answer: 'In 1749.' }])
  expect(unnamed).toMatchObject({ code: exitCodes.gateFailed, out: expect.stringContaining('Turn 1: The answer') })
  expect((await play(out, 'test 2', [{ answer: 'Goethe, 1749' }, { answer: 'I do not know.' }])).code).toBe(exitCodes.gateFailed)
})

test('what cannot be read is refused with the file, and nothing outside its folder is read', async () => {
  const inner = join(root.path, 'inner')
  mkdirSync(inner)
  writeFileSync(join(root.path, 'outside.json'), '[{"vars": {}, "assert": [{"type": "contains", "value": "a"}]}]')
  const refused = (text: string) => here('world', 'import', config(join('inner', 'bad.yaml'), text), '--out', join(root.path, 'bad'))
  expect(await refused('prompts: [a]\ntests: file://../outside.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('was not sent'),
  })
  expect(await refused('prompts: [a]\n  tests: [')).toMatchObject({ code: 2, err: expect.stringContaining('The YAML breaks off there.') })
  expect(await refused('prompts: [a]')).toMatchObject({ code: 2, err: expect.stringContaining('must have "tests"') })
  expect(await refused('prompts: [a]\ntests: [{vars: {}}]')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nothing of it is graded'),
  })
})
