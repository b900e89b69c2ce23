import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NewWorld, WorldDefinition } from '../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Heard, type Says, startToolModel, type ToolModel } from '../support/tool-model.ts'

let service: TestService
const models: ToolModel[] = []
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  await Promise.all(models.map(model => model.close()))
})

const lights = NewWorld.parse(worldsExamples.createEnvironment)
const lightsDefinition = WorldDefinition.parse(worldsExamples.checkEnvironment.definition)
const oracle = { kind: 'managed', route_id: 'assay/oracle-100' } as const

/** A connection to a model that plays by a script. */
async function connection(script: (messages: Heard) => Says) {
  const model = await startToolModel(script)
  models.push(model)
  const { id } = await service.client.call('createConnection', {
    body: { name: `scripted ${models.length}`, protocol: 'openai_chat', base_url: model.baseUrl, model: 'scripted', probes: ['tools'] },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return { kind: 'connection', connection_id: id } as const
}

async function play(model: typeof oracle | Awaited<ReturnType<typeof connection>>, profile: string, epochs = 1) {
  const { client, baseUrl } = service
  const { id } = await quote(client, { model, profiles: [profile], coverage: { mode: 'full' }, execution: { epochs } })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
  const samples = await Promise.all(items.map(item => client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })))
  return { run, samples, results: await client.call('getRunResults', { params: { run_id: run.id }, query: {} }) }
}

test('an environment of the workspace is listed, read, quoted and run like a bundled one', async () => {
  const { client } = service
  const made = await client.call('createEnvironment', { body: lights })
  expect(made).toMatchObject({ slug: 'light-switches', tool_count: 1, task_count: 1, previous_version_id: null })
  expect(made.profile_ids).toHaveLength(2)
  const { items } = await client.call('listEnvironments', { query: {} })
  expect(items.at(-1)).toMatchObject({
    family: 'light-switches',
    tool_names: ['switch_light'],
    max_turns: 4,
    profile_ids: made.profile_ids,
  })
  expect(items.at(-1)?.quote_availability.status).toBe('ready_for_quote')
  const page = await client.call('listEnvironments', { query: { cursor: items.at(-2)?.id ?? '' } })
  expect(page.items.map(({ family }) => family)).toEqual(['light-switches'])
  const read = await client.call('getEnvironment', { params: { family: 'light-switches' } })
  expect(read.tools[0]).toMatchObject({
    parameters: [
      { name: 'room', type: 'string' },
      { name: 'on', type: 'boolean' },
    ],
    schema: { type: 'object' },
  })
  const { run, samples } = await play(oracle, made.profile_ids[0] ?? '')
  expect(run).toMatchObject({ status: 'complete', progress: { scored: 1 } })
  expect(samples[0]).toMatchObject({ passed: true })
  expect(samples[0]?.episode).toMatchObject({
    ended: 'answered',
    state: { lights: { kitchen: true, hall: true } },
    steps: [{ turn: 1, changes: [{ path: '/lights/kitchen', before: false, after: true }] }, { turn: 2 }],
  })
})

test('a version keeps its content, and the next one is made from the latest', async () => {
  const { client } = service
  const first = await client.call('createEnvironment', { body: { ...lights, slug: 'versions' } })
  expect(await client.call('createEnvironment', { body: { ...lights, slug: 'versions' } })).toEqual(first)
  const edited = { ...lights, slug: 'versions', title: 'Edited' }
  const second = await client.call('createEnvironment', { body: { ...edited, previous_version_id: first.id } })
  expect(second).toMatchObject({ title: 'Edited', previous_version_id: first.id })
  expect(second.version).not.toBe(first.version)
  const late = await client.refusal('createEnvironment', { body: { ...edited, title: 'Late', previous_version_id: first.id } })
  expect(late).toMatchObject({ status: 409, code: 'conflict' })
  const listed = await client.call('listEnvironmentVersions', { query: { slug: 'versions' } })
  expect(listed.items).toEqual([second, first])
  const detail = await client.call('getEnvironmentVersion', { params: { environment_version_id: first.id } })
  expect(detail.definition).toEqual(lightsDefinition)
})

describe('a world that makes no sense is refused with what is wrong', () => {
  const task = lights.tasks[0]
  const tool = lights.tools[0]
  if (!task || !tool) throw new Error('The example has a tool and a task.')
  test.each<[string, Partial<NewWorld>, RegExp]>([
    ['two tools of one name', { tools: [tool, tool] }, /two tools/],
    ['an unknown tool', { tasks: [{ ...task, expected: { calls: { subset: [{ name: 'fly' }] } } }] }, /"fly"/],
    ['nothing expected', { tasks: [{ ...task, expected: {} }] }, /nothing to grade/],
    ['a schema of another type', { tools: [{ ...tool, parameters: { type: 'string' } }] }, /type "object"/],
    [
      'an unknown scorer',
      { tasks: [{ ...task, expected: { answer: { scorer: 'assay/nope', options: {}, targets: [] } } }] },
      /no scorer "assay\/nope"/,
    ],
    [
      'an unknown rule',
      { tasks: [{ ...task, expected: { calls: { subset: [{ name: tool.name, arguments: { room: { $is: 1 } } }] } } }] },
      /no rule "\$is"/,
    ],
    ['the slug of a bundled benchmark', { slug: 'customer-desk' }, /another benchmark/],
    ['a tool called __proto__', { tools: [{ ...tool, name: '__proto__' }] }, /begin with a letter/],
  ])('%s', async (_, change, reason) => {
    const refused = await service.client.refusal('createEnvironment', { body: { ...lights, slug: 'refused', ...change } })
    expect(refused.status).toBe(422)
    expect(refused.message).toMatch(reason)
  })
})

test('a person takes the place of the model, and references are checked without a call', async () => {
  const { client } = service
  const opened = await client.call('tryEnvironment', { body: { definition: lightsDefinition, task_id: 'kitchen-on' } })
  expect(opened).toMatchObject({ ended: false, episode: null, verdict: null })
  expect(opened.opening.map(({ role }) => role)).toEqual(['system', 'user'])
  const wrong = { calls: [{ name: 'switch_light', arguments: { room: 'hall', on: false } }] }
  const moved = await client.call('tryEnvironment', { body: { definition: lightsDefinition, task_id: 'kitchen-on', moves: [wrong] } })
  expect(moved).toMatchObject({ ended: false, episode: { state: { lights: { kitchen: false, hall: false } } } })
  const ended = await client.call('tryEnvironment', {
    body: { definition: lightsDefinition, task_id: 'kitchen-on', moves: [wrong, { answer: 'done' }] },
  })
  expect(ended.verdict?.value).toBe(0)
  expect(ended.verdict?.explanation).toContain('Turn 1: The state /lights/hall is false since turn 1; true was expected.')
  const checked = await client.call('checkEnvironment', { body: { definition: lightsDefinition } })
  expect(checked).toMatchObject({ passed: 1, tasks: [{ task_id: 'kitchen-on', status: 'passed' }] })
})

test('a model under test fails where its script does, with native calls and a scripted user', async () => {
  const { client } = service
  const [tool] = lights.tools
  const made = await client.call('createEnvironment', {
    body: {
      ...lights,
      slug: 'two-requests',
      tools: tool ? [tool] : [],
      tasks: [
        {
          id: 'both',
          messages: [],
          user: { kind: 'scripted', turns: ['Kitchen on, please.', 'And the hall off.'] },
          initial_state: { lights: { kitchen: false, hall: true } },
          expected: {
            state: { lights: { kitchen: true, hall: false } },
            calls: {
              exact: [
                { name: 'switch_light', arguments: { room: 'kitchen', on: true } },
                { name: 'switch_light', arguments: { room: { $text: 'HALL' }, on: false } },
              ],
            },
          },
        },
      ],
    },
  })
  const script = (forgets: boolean) => (messages: Heard) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { say: 'Done.' }
    if (last?.content?.includes('Kitchen')) return { use: [['switch_light', { room: 'kitchen', on: true }]] } as const
    return forgets ? { say: 'It is off already.' } : ({ use: [['switch_light', { room: 'hall', on: false }]] } as const)
  }
  const native = made.profile_ids[1] ?? ''
  const good = await play(await connection(script(false)), native, 3)
  expect(good.samples.map(({ passed }) => passed)).toEqual([true, true, true])
  expect(good.samples[0]?.episode?.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  const bad = await play(await connection(script(true)), native)
  expect(bad.samples[0]?.passed).toBe(false)
  expect(bad.samples[0]?.score_details[0]?.explanation).toContain(
    'The call switch_light {"room":{"$text":"HALL"},"on":false} was not made.',
  )
})

test('a model that asks a world for too much gets an error and a verdict', async () => {
  const sources: Readonly<Record<string, string>> = {
    echoes: '(state, { n }) => ({ state, result: "x".repeat(n ?? 0) })',
    repeats: '(state, { n }) => ({ state, result: "x".repeat(n * 1e6).length })',
    throws: '(state, { items }) => ({ state, result: items.map(item => item.repeat(70000)).join("") })',
    fills: '(state, { n = 0 }) => ({ state: { text: (state.text ?? "") + "x".repeat(n || 1) }, result: 1 })',
    recurs: '(state, { n }) => { const down = i => (i > 0 ? 1 + down(i - 1) : 0); return { state, result: down(n ?? 0) } }',
    // As QuickJS does where no memory is left for an error.
    nulls: '(state, { n }) => { if (n) throw null; return { state } }',
    loops: '(state, { n }) => { for (let i = 0; i < (n ?? 0) * 1e9; i++); return { state } }',
  }
  const reasons: Readonly<Record<string, string>> = {
    echoes: 'returned a result of 1000002 characters as JSON; at most 65536 are allowed.',
    repeats: 'threw RangeError: invalid repeat count.',
    throws: 'returned a result of 70002 characters as JSON; at most 65536 are allowed.',
    fills: 'returned a state of 262145 characters as JSON; at most 262144 are allowed.',
    recurs: 'threw RangeError: Maximum call stack size exceeded.',
    nulls: 'ran out of memory.',
    loops: 'took longer than 5 s and was stopped.',
  }
  // The state as JSON is {"text":"…"}.
  const asked = (name: string) => (name === 'throws' ? { items: ['x'] } : name === 'fills' ? { n: 262_144 - 11 } : { n: 1_000_000 })
  const made = await service.client.call('createEnvironment', {
    body: {
      slug: 'limited',
      title: 'Limited',
      tools: Object.entries(sources).map(([name, source]) => ({ name, behavior: { kind: 'function' as const, source } })),
      tasks: Object.keys(sources).map(id => ({
        id,
        messages: [{ role: 'user' as const, content: id }],
        expected: { state: { done: true } },
      })),
    },
  })
  const model = await connection(messages => {
    const last = messages.at(-1)
    if (last?.role !== 'user') return { say: 'done' }
    const name = last.content ?? ''
    // One more than fits, asked for without any arguments.
    return { use: [[name, asked(name)], ...(name === 'fills' ? ([[name, {}]] as const) : [])] }
  })
  const { samples } = await play(model, made.profile_ids[1] ?? '')
  expect(samples).toHaveLength(7)
  for (const { task_id: id, episode, score_details: scores } of samples) {
    expect(scores[0], id).toMatchObject({ value: 0, class: 'wrong' })
    if (id === 'loops') expect(episode?.ended).toBe('time_limit')
    expect(JSON.stringify(episode?.messages), id).toContain(`Error: ${id} ${reasons[id]} Call it with smaller arguments.`)
  }
})

test('errors of a world are unscored, and counted by name', async () => {
  const { client } = service
  const hostile: Readonly<Record<string, string>> = {
    throws: '() => { throw new Error("no stock") }',
    loops: '() => { for (;;); }',
    huge: '(state) => ({ state: { text: "x".repeat(300000) }, result: 1 })',
    deep: '(state) => { let v = {}; for (let i = 0; i < 500; i++) v = { v }; return { state: v } }',
    escapes: '() => ({ state: { found: typeof process + typeof require + typeof fetch }, result: "" })',
    async: 'async () => ({ state: {} })',
    proto: '(state) => ({ state: JSON.parse(\'{"__proto__":{"polluted":true},"constructor":1}\'), result: "ok" })',
  }
  const made = await client.call('createEnvironment', {
    body: {
      slug: 'hostile',
      title: 'Hostile',
      tools: [
        ...Object.entries(hostile).map(([name, source]) => ({ name, behavior: { kind: 'function' as const, source } })),
        { name: 'canned', behavior: { kind: 'canned' as const, results: [{ arguments: { a: 1 }, result: 'one' }] } },
      ],
      tasks: [...Object.keys(hostile), 'canned'].map(id => ({
        id,
        messages: [{ role: 'user' as const, content: id }],
        expected: { state: { found: 'undefinedundefinedundefined' } },
      })),
    },
  })
  const model = await connection(messages => {
    const last = messages.at(-1)
    return last?.role === 'user' ? { use: [[last.content ?? '', {}]] } : { say: 'done' }
  })
  const { samples, results } = await play(model, made.profile_ids[1] ?? '')
  const by = Object.fromEntries(samples.map(sample => [sample.task_id, sample]))
  for (const [id, reason] of Object.entries({
    throws: 'threw Error: no stock',
    loops: 'took longer',
    huge: 'characters as JSON',
    deep: 'nested deeper',
    async: 'must not be async',
    canned: 'has no result for the arguments {}',
  })) {
    expect(by[id]?.score_details[0], id).toMatchObject({ value: null, code: 'world_error' })
    expect(by[id]?.score_details[0]?.explanation, id).toContain(reason)
  }
  // Nothing of the machine is inside, and names of prototypes are plain keys.
  expect(by['escapes']?.passed).toBe(true)
  expect(by['proto']?.score_details[0]).toMatchObject({ value: 0 })
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(results.notices.find(({ code }) => code === 'world_error')?.message).toContain('6 of 8 answers')
})
