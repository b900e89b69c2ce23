import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { exitCodes } from '../../src/headless/exit-codes.ts'
import { assayHere } from '../support/assay-here.ts'
import { connectJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'
import { type Heard, type Says, startToolModel, type ToolModel } from '../support/tool-model.ts'

let service: TestService
let tools: ScriptedJudge
const models: ToolModel[] = []
const root = temporaryFolder()
beforeAll(async () => {
  service = await startTestService()
  tools = await startJudge(({ messages }) => {
    const call = messages.at(-1)?.content ?? ''
    if (call.includes('"city":"Atlantis"')) return '{"error": "no such city"}'
    // Fits what it said before.
    const before = messages.filter(({ role }) => role === 'assistant').length
    return `\`\`\`json\n{"result": {"degrees": ${20 + before}}}\n\`\`\``
  })
})
afterAll(async () => {
  await service.close()
  await Promise.all([tools, ...models].map(each => each.close()))
  root.remove()
})

const example = NewWorld.parse(worldsExamples.createEnvironment)
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const oracle = { kind: 'managed', route_id: 'assay/oracle-100' } as const

async function play(made: { readonly profile_ids: readonly string[] }, script?: (messages: Heard) => Says) {
  const { client, baseUrl } = service
  const connect = async (says: (messages: Heard) => Says) => {
    const model = await startToolModel(says)
    models.push(model)
    const { id } = await client.call('createConnection', {
      body: { name: `player ${models.length}`, protocol: 'openai_chat', base_url: model.baseUrl, model: 'player', probes: ['tools'] },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    return { kind: 'connection', connection_id: id } as const
  }
  const quoted = await quote(client, {
    model: script ? await connect(script) : oracle,
    profiles: script ? made.profile_ids.slice(1) : made.profile_ids.slice(0, 1),
    coverage: { mode: 'full' },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
  const samples = await Promise.all(items.map(item => client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })))
  return { quoted, samples }
}

test('a model plays a tool: quoted, marked as simulated, and it is told what it answered before', async () => {
  const connectionId = await connectJudge(service.client, tools, { priced: true, model: 'weather' })
  const body = {
    ...example,
    slug: 'weather',
    user_model: { model: { kind: 'connection' as const, connection_id: connectionId } },
    limits: { turns: 6, calls: 4 },
    tools: [
      {
        name: 'weather',
        description: 'The weather of a city.',
        parameters: city,
        behavior: { kind: 'model' as const, instructions: 'It is summer.' },
      },
    ],
    tasks: [
      {
        id: 'two-cities',
        messages: [{ role: 'user' as const, content: 'Is Rome warmer than Oslo?' }],
        expected: { calls: { any_order: [{ name: 'weather' }, { name: 'weather' }, { name: 'weather' }] } },
      },
    ],
  }
  const { client } = service
  expect((await client.refusal('createEnvironment', { body: { ...body, limits: { turns: 6 } } })).message).toContain('"weather"')
  const { user_model: _, ...unplayed } = body
  expect(await client.refusal('createEnvironment', { body: unplayed })).toMatchObject({ code: 'validation_error' })
  const { quoted, samples } = await play(await client.call('createEnvironment', { body }), messages => {
    const asked = messages.filter(({ role }) => role === 'tool').length
    const next = ['Rome', 'Oslo', 'Atlantis'][asked]
    return next ? { use: [['weather', { city: next }]] } : { say: 'Rome.' }
  })
  expect(quoted.cost.components.find(({ kind }) => kind === 'user_calls')?.quantity).toBe(10)
  const [sample] = samples
  expect(sample).toMatchObject({ passed: true })
  expect(sample?.episode?.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))).toEqual([
    '{"degrees":20}',
    '{"degrees":21}',
    'Error: no such city',
  ])
  expect(sample?.episode?.steps?.flatMap(({ calls }) => calls)).toEqual(
    ['Rome', 'Oslo', 'Atlantis'].map(name => ({
      name: 'weather',
      arguments: { city: name },
      error: name === 'Atlantis',
      simulated: true,
    })),
  )
  expect(JSON.stringify(tools.asked[1])).toContain('It is summer.')
  // By hand no model is called.
  const calls = tools.asked.length
  const definition = { ...body, slug: undefined }
  const tried = await client.call('tryEnvironment', {
    body: {
      definition: JSON.parse(JSON.stringify(definition)),
      task_id: 'two-cities',
      moves: [{ calls: [{ name: 'weather', arguments: { city: 'Rome' } }] }],
    },
  })
  expect(tried.episode?.steps?.[0]?.calls).toMatchObject([{ simulated: true }])
  expect(tools.asked.length).toBe(calls)
})

test('the tools that a server lists are added to a world, and those that it cannot have are named', async () => {
  const folder = join(root.path, 'listed')
  const server = [process.execPath, fileURLToPath(new URL('../support/mcp-server-process.ts', import.meta.url))].join(' ')
  const here = (...args: string[]) => assayHere(['world', ...args, '--data-dir', service.dataDir])
  await here('init', folder)
  const file = join(folder, 'world.yaml')
  writeFileSync(file, `# Ours.\n${readFileSync(file, 'utf8')}`)
  expect(await here('tools', folder, '--server', server)).toMatchObject({ code: 0, out: 'Added stock_of\n' })
  expect(readFileSync(file, 'utf8')).toMatch(/^# Ours/)
  const { tools } = parse(readFileSync(file, 'utf8'))
  expect(tools).toMatchObject([
    { name: 'switch_light' },
    {
      name: 'stock_of',
      parameters: { type: 'object', required: ['item'] },
      behavior: { kind: 'mcp', server: { command: server.split(' ') } },
    },
  ])
  // Nothing of the world calls it yet, so the world stays as sound as it was.
  expect(await here('check', folder)).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 references pass') })
  expect(await here('tools', folder, '--server', server)).toMatchObject({
    code: 0,
    out: 'Left out: stock_of: the environment has a tool of this name\n',
  })
  expect(await here('tools', folder, '--server', 'http://127.0.0.1:9/mcp')).toMatchObject({
    code: 2,
    err: expect.stringContaining('The MCP server http://127.0.0.1:9/mcp did not answer'),
  })
})

test('a server’s tool is recorded once a person approves it, and replays offline byte for byte', async () => {
  const folder = join(root.path, 'stock')
  const server = [process.execPath, fileURLToPath(new URL('../support/mcp-server-process.ts', import.meta.url))]
  const here = (...args: string[]) => assayHere(['world', ...args, '--data-dir', service.dataDir])
  expect(await here('init', folder)).toMatchObject({ code: 0 })
  const world = {
    slug: 'stock',
    title: 'Stock',
    tools: [{ name: 'stock_of', parameters: { type: 'object' }, behavior: { kind: 'mcp', server: { command: server } } }],
  }
  writeFileSync(join(folder, 'world.yaml'), stringify(world))
  const call = (item: string) => ({ name: 'stock_of', arguments: { item } })
  const task = (id: string, calls: readonly object[]) => ({
    id,
    messages: [{ role: 'user', content: 'How many are left?' }],
    expected: { calls: { exact: calls } },
    reference: { calls, answer: 'Some.' },
  })
  const tasks = [task('twice', [call('lamp'), call('lamp')]), task('unknown', [call('none')])]
  writeFileSync(join(folder, 'tasks.jsonl'), tasks.map(each => JSON.stringify(each)).join('\n'))

  expect(await here('check', folder)).toMatchObject({ code: exitCodes.gateFailed, out: expect.stringContaining('assay world record') })
  const refused = await here('record', folder)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`--approve "${server.join(' ')}"`) })
  const recorded = await here('record', folder, '--approve', server.join(' '))
  expect(recorded).toMatchObject({ code: 0, out: expect.stringContaining('3 calls'), err: expect.stringContaining('1 contact detail') })
  const cassette = readFileSync(join(folder, 'cassettes', 'stock_of.jsonl'), 'utf8')
  expect(cassette).toContain('lamp: 1 left, counted by person1@example.com')
  expect(cassette).toContain('lamp: 2 left')
  expect(cassette).toContain('"error":"no such item"')
  // A second time there is nothing to record, and no server to approve.
  expect(await here('record', folder)).toMatchObject({ code: 0, out: expect.stringContaining('No tools to record') })
  expect(await here('check', folder)).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 references pass') })

  // The server is gone.
  writeFileSync(
    join(folder, 'world.yaml'),
    stringify({ ...world, tools: [{ ...world.tools[0], behavior: { kind: 'mcp', server: { url: 'http://127.0.0.1:9/mcp' } } }] }),
  )
  expect(await here('create', folder)).toMatchObject({ code: 0 })
  const { items } = await service.client.call('listEnvironmentVersions', { query: { slug: 'stock', limit: 1 } })
  const made = items[0] ?? { profile_ids: [] }
  const observed = async () =>
    (await play(made)).samples.map(({ episode }) => episode?.messages.flatMap(({ content }) => /lamp: .*|Error: .*/.exec(content) ?? []))
  const first = await observed()
  expect(first).toEqual([
    ['lamp: 1 left, counted by person1@example.com', 'lamp: 2 left, counted by person1@example.com'],
    ['Error: no such item'],
  ])
  expect(await observed()).toEqual(first)
  const { samples } = await play(made, messages =>
    messages.some(({ role }) => role === 'tool') ? { say: '1' } : { use: [['stock_of', { item: 'lamp', shelf: 3 }]] },
  )
  expect(samples[0]?.episode).toMatchObject({
    ended: 'world_error',
    world_error: expect.stringContaining('The cassette of stock_of has no call'),
  })
  expect(samples[0]?.score_details.find(({ metric }) => metric === 'goal')).toMatchObject({ value: null, code: 'world_error' })
})

test('create names the tools without a recording, and records those of approved servers first', async () => {
  const folder = join(root.path, 'created')
  const server = [process.execPath, fileURLToPath(new URL('../support/mcp-server-process.ts', import.meta.url))]
  const here = (...args: string[]) => assayHere(['world', ...args, '--data-dir', service.dataDir])
  await here('init', folder)
  const behavior = { kind: 'mcp', server: { command: server } }
  const world = { slug: 'created', title: 'Created', tools: [{ name: 'stock_of', parameters: { type: 'object' }, behavior }] }
  writeFileSync(join(folder, 'world.yaml'), stringify(world))
  const calls = [{ name: 'stock_of', arguments: { item: 'lamp' } }]
  const task = {
    id: 'one',
    messages: [{ role: 'user', content: 'How many?' }],
    expected: { calls: { exact: calls } },
    reference: { calls },
  }
  writeFileSync(join(folder, 'tasks.jsonl'), JSON.stringify(task))
  expect(await here('create', folder)).toMatchObject({ code: 0, err: expect.stringContaining('Nothing is recorded for stock_of') })
  const made = await here('create', folder, '--approve', server.join(' '))
  expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: expect.not.stringContaining('Nothing is recorded') })
  expect(await here('check', folder)).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 references pass') })
})
