import { afterAll, beforeAll, expect, test } from 'vitest'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { userEnd } from '../../src/contract/worlds/worlds.schemas.ts'
import { connectJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'
import { type Heard, type Says, startToolModel, type ToolModel } from '../support/tool-model.ts'

let service: TestService
let judge: ScriptedJudge
let user: ScriptedJudge
const models: ToolModel[] = []
beforeAll(async () => {
  service = await startTestService()
  judge = await startJudge(({ messages }) => {
    const asked = messages.at(-1)?.content ?? ''
    if (asked.includes('Judge the user')) return asked.includes('attic') ? 'VERDICT: invented' : 'VERDICT: kept'
    return asked.includes('Which room?') ? 'It asked first.\nVERDICT: met' : 'It did not ask.\nVERDICT: not met'
  })
  user = await startJudge(({ messages }) => {
    const said = messages.at(-1)?.content ?? ''
    const invents = messages[0]?.content.includes('Tenant 7.') ?? false
    return said.includes('Which room') ? `The ${invents ? 'attic' : 'kitchen'}, please.` : `Thank you. ${userEnd}`
  })
})
afterAll(async () => {
  await service.close()
  await Promise.all([judge, user, ...models].map(each => each.close()))
})

const example = NewWorld.parse(worldsExamples.createEnvironment)

async function world(slug: string, more: { readonly maxCharge?: string; readonly priced?: boolean } = {}): Promise<NewWorld> {
  const connect = async (server: ScriptedJudge) => ({
    model: {
      kind: 'connection' as const,
      connection_id: await connectJudge(service.client, server, { priced: more.priced ?? false, model: slug }),
    },
  })
  return NewWorld.parse({
    ...example,
    slug,
    judge: await connect(judge),
    user_model: { ...(await connect(user)), max_charge_microusd: more.maxCharge ?? null },
    tasks: [
      {
        id: 'kitchen-on',
        user: {
          kind: 'model',
          persona: 'A tenant who writes little.',
          goal: 'Have the light of your room on.',
          facts: ['The room is the kitchen.'],
          opening: 'Turn the light on, please.',
        },
        initial_state: { lights: { kitchen: false, hall: true } },
        expected: {
          state: { lights: { kitchen: true, hall: true } },
          criteria: ['The assistant asks which room is meant before it switches a light.'],
        },
      },
      { ...example.tasks[0], id: 'without-criteria' },
    ],
  })
}

function player(asksFirst: boolean) {
  return (messages: Heard): Says => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { say: 'The light is on.' }
    const isKnown = messages.some(({ content }) => content?.toLowerCase().includes('kitchen'))
    return asksFirst && !isKnown ? { say: 'Which room?' } : { use: [['switch_light', { room: 'kitchen', on: true }]] }
  }
}

async function play(made: { readonly profile_ids: readonly string[] }, script: (messages: Heard) => Says) {
  const { client, baseUrl } = service
  const model = await startToolModel(script)
  models.push(model)
  const { id: connectionId } = await client.call('createConnection', {
    body: { name: `player ${models.length}`, protocol: 'openai_chat', base_url: model.baseUrl, model: 'player', probes: ['tools'] },
  })
  await client.call('checkConnection', { params: { connection_id: connectionId } })
  const quoted = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: made.profile_ids.slice(1),
    coverage: { mode: 'full' },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
  const samples = await Promise.all(items.map(item => client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })))
  return { quoted, samples: Object.fromEntries(samples.map(sample => [sample.task_id, sample])) }
}

const valuesOf = (sample: Awaited<ReturnType<typeof play>>['samples'][string] | undefined) =>
  Object.fromEntries(sample?.score_details.map(({ metric, value }) => [metric, value]) ?? [])

test('a simulated user reveals what it knows, and a judge decides criteria and whether it kept to its facts', async () => {
  const body = await world('judged')
  const made = await service.client.call('createEnvironment', { body })
  expect(await service.client.call('createEnvironment', { body })).toEqual(made)
  const { quoted, samples } = await play(made, player(true))
  expect(quoted.cost.components.find(({ kind }) => kind === 'user_calls')).toMatchObject({ quantity: 2 * example.limits.turns })
  expect(quoted.counts.judge_calls).toBe(4)
  const played = samples['kitchen-on']
  expect(valuesOf(played)).toEqual({ expectations: 1, goal: 1, user: 1 })
  expect(played?.episode?.ended).toBe('user_stopped')
  expect(played?.episode?.messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []))).toEqual([
    'Turn the light on, please.',
    'The kitchen, please.',
    'Thank you.',
  ])
  // The user is told what it knows and what was said, and nothing of tools.
  expect(JSON.stringify(user.asked[0])).toContain('The room is the kitchen.')
  expect(JSON.stringify(user.asked)).not.toContain('switch_light')
  expect(valuesOf(samples['without-criteria'])).toMatchObject({ expectations: 1, goal: 1 })
})

test('simulated users keep to their facts, and the check finds the one of forty that does not', async () => {
  const { tasks, ...body } = await world('tenants')
  const [task] = tasks
  if (task?.user.kind !== 'model') throw new Error('The first task has a user that a model plays.')
  const { user } = task
  const made = await service.client.call('createEnvironment', {
    body: {
      ...body,
      tasks: Array.from({ length: 40 }, (_, i) => ({ ...task, id: `tenant-${i}`, user: { ...user, persona: `Tenant ${i}.` } })),
    },
  })
  const { samples } = await play(made, player(true))
  const kept = Object.values(samples).map(sample => ({ id: sample.task_id, kept: valuesOf(sample)['user'] }))
  expect(kept.filter(one => one.kept !== 1)).toEqual([{ id: 'tenant-7', kept: 0 }])
  expect(kept.filter(one => one.kept === 1).length / kept.length).toBeGreaterThanOrEqual(0.95)
  // That its user erred is not the model's merit or fault: the state decides as ever.
  expect(valuesOf(samples['tenant-7'])).toMatchObject({ goal: 0 })
})

test('a criterion that is not met fails the task, whatever the state', async () => {
  const made = await service.client.call('createEnvironment', { body: await world('hasty') })
  const { samples } = await play(made, player(false))
  expect(valuesOf(samples['kitchen-on'])).toMatchObject({ expectations: 0, goal: 1 })
  expect(samples['kitchen-on']?.score_details.find(({ metric }) => metric === 'expectations')?.explanation).toContain('It did not ask.')
})

test('a simulated user without money left is an error of the world, never the model’s', async () => {
  const made = await service.client.call('createEnvironment', { body: await world('capped', { maxCharge: '1', priced: true }) })
  const { quoted, samples } = await play(made, player(true))
  expect(BigInt(quoted.cost.components.find(({ kind }) => kind === 'user_calls')?.estimated_microusd ?? '')).toBe(1n)
  const goal = samples['kitchen-on']?.score_details.find(({ metric }) => metric === 'goal')
  expect(goal).toMatchObject({ value: null, code: 'world_error' })
  expect(goal?.explanation).toContain('Spending limit reached')
  expect(valuesOf(samples['without-criteria'])).toMatchObject({ goal: 1 })
})

test('a key that may not create evaluators makes no world with a judge', async () => {
  const { client, baseUrl, file } = service
  const body = await world('of-a-key')
  const evaluators = async () => (await client.call('listEvaluators', { query: { limit: 100 } })).items.length
  const before = await evaluators()
  const keyWith = async (scopes: ('catalog:read' | 'catalog:write' | 'evaluators:write')[]) =>
    clientFor(baseUrl, (await client.call('createApiKey', { body: { name: 'narrow', scopes } })).key, file.workspace_id)
  const narrow = await keyWith(['catalog:read', 'catalog:write'])
  expect(await narrow.refusal('createEnvironment', { body })).toMatchObject({ status: 403, code: 'missing_scope' })
  expect(await evaluators()).toBe(before)
  const { id } = await (await keyWith(['catalog:write', 'evaluators:write'])).call('createEnvironment', { body })
  const attack = { params: { environment_version_id: id }, body: { attacks: ['document' as const] } }
  expect(await narrow.refusal('attackEnvironment', attack)).toMatchObject({ code: 'missing_scope' })
})

test('criteria without a judge and a simulated user without a model are refused', async () => {
  const { judge: _, user_model: __, ...bare } = await world('bare')
  const [task] = bare.tasks
  if (!task) throw new Error('The world has a task.')
  const withoutUser = {
    ...bare,
    tasks: [{ ...task, user: { kind: 'none' as const }, messages: [{ role: 'user' as const, content: 'Hi' }] }],
  }
  expect((await service.client.refusal('createEnvironment', { body: withoutUser })).message).toMatch(/need a judge/)
  expect((await service.client.refusal('createEnvironment', { body: bare })).message).toMatch(/choose it as `user_model`/)
})
