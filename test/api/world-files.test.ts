import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { bfclData, jsonLines } from '../support/bfcl-data.ts'
import { zipOf } from '../support/make-zip.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Heard, type Says, startToolModel } from '../support/tool-model.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function drafted(sent: Readonly<Record<string, string | Buffer>>) {
  const { client } = service
  const files = Object.entries(sent).map(([name, content]) => ({ name, content: Buffer.from(content).toString('base64') }))
  const { id, job_id } = await client.call('startEnvironmentDraft', { body: { files, title: 'Desk' } })
  await vi.waitFor(async () => expect((await client.call('getJob', { params: { job_id } })).state).toMatch(/succeeded|failed/), 60_000)
  const job = await client.call('getJob', { params: { job_id } })
  const { worlds } = await client.call('getEnvironmentDraft', { params: { environment_draft_id: id } })
  return { job, worlds, left: (worlds ?? []).flatMap(({ left_out: left }) => left.map(({ name, reason }) => `${name} ${reason}`.trim())) }
}

const config = `
prompts: ["Answer {{q}}."]
providers: [openai:gpt-5-mini]
tests:
  - vars: {q: "the first"}
    metadata: {conversationId: one}
    assert: [{type: icontains, value: first}, {type: latency, threshold: 5000}]
  - vars: {q: "the second"}
    metadata: {conversationId: one}
`

test('a promptfoo configuration becomes a world, and what is not imported is named', async () => {
  const { job, worlds, left } = await drafted({ 'desk/promptfooconfig.yaml': config, 'desk/notes.yaml': 'a: 1' })
  expect(job).toMatchObject({ state: 'succeeded' })
  expect(worlds).toMatchObject([{ slug: 'desk', definition: { title: 'Desk', tasks: [{}] } }])
  expect(left.join('\n')).toContain('latency')
  expect(left).toContain('notes.yaml was not read: the configuration does not name it.')
})

test.each([
  ['data.zip', 'no archive', 'data.zip is no zip archive'],
  ['notes.txt', 'a note', 'None of the files can be imported'],
  ['chats.jsonl', '{"question": "?"}', 'chats.jsonl:1: no list of messages'],
  ['BFCL_v4_simple_python.json', '{"id": "simple_0"}', 'a category of BFCL with single turns'],
  ['desk/world.yaml', 'tools: 7', 'desk/world.yaml must be a mapping'],
  ['world.yaml', 'slug: desk', 'tasks.jsonl was not sent'],
])('%s that cannot be imported fails with what is wrong', async (name, content, message) => {
  const { job, worlds } = await drafted({ [name]: content })
  expect(job).toMatchObject({ state: 'failed', error: { message: expect.stringContaining(message) } })
  expect(worlds).toBeNull()
})

const tasksOf = (count: number, task: object) =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ id: `t${i}`, expected: { state: {} }, ...task })).join('\n')
const asked = (content: string) => ({ messages: [{ role: 'user', content }] })
/** Longer than what deflate looks back to, so that the archive is no bomb. */
const numbers = Array.from({ length: 8_000 }, (_, i) => (i * 7_919) % 10_007).join(' ')

test.each([
  ['a small archive of long tasks', 240, asked(numbers), 'Desk would have more than the 8 MB that an environment can have'],
  [
    'a state that is nested too deep',
    1,
    { initial_state: JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`) },
    'deeper than 64 levels',
  ],
])('%s is refused by name', async (_name, count, task, message) => {
  const { client } = service
  const archive = zipOf({ 'world.yaml': 'slug: desk\ntitle: Desk\ntools: []\n', 'tasks.jsonl': tasksOf(count, task) })
  const { job } = await drafted({ 'desk.zip': archive })
  expect(job).toMatchObject({ state: 'failed', error: { code: 'validation_error', message: expect.stringContaining(message) } })
  expect((await client.call('listEnvironmentVersions', { query: { slug: 'desk' } })).items).toEqual([])
})

test('rules that each task would keep are refused before the disk is filled with them', async () => {
  const { client } = service
  const example = NewWorld.parse(worldsExamples.createEnvironment)
  const call = { name: example.tools[0]?.name ?? '', arguments: { room: 'x'.repeat(100_000) } }
  const policies = [{ name: 'no-long-rooms', text: 'Rooms have short names.', broken_by: { call } }]
  const tasks = example.tasks.flatMap(task => Array.from({ length: 200 }, (_, i) => ({ ...task, id: `t${i}` })))
  const refused = await client.refusal('createEnvironment', { body: { ...example, policies, tasks } })
  expect(refused).toMatchObject({ status: 422, message: expect.stringContaining('are kept with each of 200 tasks, which makes 20 MB') })
})

test('of very many tests that are left out the first are named, and the others counted', async () => {
  const variants = Array.from({ length: 100 }, (_, i) => `v${i}`)
  const many = {
    prompts: ['{{a}}'],
    providers: ['openai:gpt-5-mini'],
    defaultTest: { vars: { a: variants } },
    tests: [{ vars: { a: 'x' }, assert: [{ type: 'icontains', value: 'x' }] }, ...Array.from({ length: 20 }, () => ({ description: 'd' }))],
  }
  const { job, worlds } = await drafted({ 'promptfooconfig.yaml': JSON.stringify(many) })
  expect(job).toMatchObject({ state: 'succeeded' })
  expect(worlds?.[0]?.left_out).toHaveLength(1_001)
  expect(worlds?.[0]?.left_out.at(-1)?.name).toBe('and 1,000 more of this kind')
})

const { createEnvironment } = worldsExamples
const [switchLight] = createEnvironment.tools
const source = switchLight?.behavior.kind === 'function' ? switchLight.behavior.source : ''
const folder = {
  'lights/world.yaml': stringify({
    ...createEnvironment,
    tasks: undefined,
    tools: [{ ...switchLight, behavior: { kind: 'function', file: 'tools/switch_light.js' } }],
  }),
  'lights/tasks.jsonl': jsonLines(...createEnvironment.tasks),
  'lights/tools/switch_light.js': `${source};\n`,
  'lights/notes.md': 'Not a part of it.',
}

test.each([
  ['as it is', folder],
  ['in an archive', { 'lights.zip': zipOf(folder) }],
])('the folder of a world %s becomes a draft whose references pass', async (_, sent) => {
  const { job, worlds, left } = await drafted(sent)
  expect(job).toMatchObject({ state: 'succeeded' })
  expect(worlds).toMatchObject([
    { slug: 'light-switches', definition: { tools: [switchLight] }, tasks: [{ task_id: 'kitchen-on', status: 'passed' }] },
  ])
  expect(left).toEqual(['lights/notes.md was not read: no environment needs it.'])
})

test('conversations with tool calls become tasks, and a line that is none is named', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read_order', arguments: '{"id":"A1"}' } }
  const messages = [
    { role: 'user', content: 'Where is order A1?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'on its way, write to ann.lee@acme-shop.com' },
    { role: 'assistant', content: 'It is on its way.' },
  ]
  const { worlds, left } = await drafted({ 'train.jsonl': `${jsonLines({ messages }, { messages })}\nnot JSON\n{"a": 1}` })
  expect(worlds).toMatchObject([
    {
      definition: { tools: [{ name: 'read_order', behavior: { kind: 'canned' } }] },
      tasks: [
        { task_id: 'conversation-1', status: 'passed' },
        { task_id: 'conversation-2', status: 'passed' },
      ],
      replaced: { personal: 1 },
    },
  ])
  expect(left[0]).toMatch(/^train\.jsonl:3 .*The JSON breaks off there/)
  expect(left[1]).toMatch(/^train\.jsonl:4 no list of messages/)
})

/** Plays BFCL's two tasks with a file system, and forgets to read in the second turn of the first. */
function script(messages: Heard): Says {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const last = messages.at(-1)
  if (last?.role === 'tool') return { say: 'Done.' }
  if (asked.includes('Make a folder b'))
    return {
      use: [
        ['mkdir', { dir_name: 'b' }],
        ['mv', { source: 'a.txt', destination: 'b' }],
      ],
    }
  if (asked === 'Call it b.') return { use: [['mkdir', { dir_name: 'b' }]] }
  return asked === 'Make a folder.' ? { say: 'Which name?' } : { use: [['cd', { folder: 'b' }]] }
}

test('BFCL’s archive becomes worlds, and a model that is run on one fails where it did not read', async () => {
  const { client, baseUrl } = service
  const simple = { 'data/BFCL_v4_simple_python.json': '{"id": "simple_0"}' }
  const { job, worlds, left } = await drafted({ 'bfcl.zip': zipOf({ ...bfclData, ...simple }) })
  expect(job).toMatchObject({ state: 'succeeded' })
  expect(worlds?.map(({ slug, tasks }) => [slug, tasks.map(({ status }) => status)])).toEqual([
    ['bfcl-gorillafilesystem', ['passed', 'passed']],
    ['bfcl-gorillafilesystem-without-rm', ['passed']],
  ])
  expect(left).toContain('1 × tasks with VehicleControlAPI, which Assay does not play')
  expect(left.find(each => each.startsWith('data/BFCL_v4_simple_python.json'))).toContain('single turns')

  const [world] = worlds ?? []
  if (!world) throw new Error('There is no world.')
  const made = await client.call('createEnvironment', { body: { slug: world.slug, ...world.definition } })
  const model = await startToolModel(script)
  try {
    const { id: connection_id } = await client.call('createConnection', {
      body: { name: 'scripted', protocol: 'openai_chat', base_url: model.baseUrl, model: 'scripted', probes: ['tools'] },
    })
    await client.call('checkConnection', { params: { connection_id } })
    const { id } = await quote(client, { model: { kind: 'connection', connection_id }, profiles: made.profile_ids.slice(1) })
    const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
    expect(run).toMatchObject({ status: 'complete', progress: { completed: 2, failed: 0 } })
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 10 } })
    const samples = await Promise.all(items.map(item => client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })))
    const scores = Object.fromEntries(
      samples.map(({ task_id, scores: [score], score_details: [detail] }) => [task_id, [score?.value, detail?.explanation]]),
    )
    expect(scores['multi_turn_miss_param_0']?.[0]).toBe(1)
    expect(scores['multi_turn_base_0']?.[0]).toBe(0)
    expect(scores['multi_turn_base_0']?.[1]).toContain('tail')
  } finally {
    await model.close()
  }
})
