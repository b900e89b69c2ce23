import { expect, test } from 'vitest'
import { WorldDefinition } from '../../../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../../../src/contract/worlds/worlds.examples.ts'
import { playMoves } from '../../../../src/engine/execution/environments/worlds/play-moves.ts'
import type { WorldFunctionCall, WorldFunctionReply } from '../../../../src/engine/grading/sandbox/world-functions.ts'
import { worldTasks } from '../../../../src/engine/tasks/world-task.ts'

const definition = WorldDefinition.parse(worldsExamples.checkEnvironment.definition)
const [task] = worldTasks(definition)

/** Moves of one call each, over a function that replies in place of the sandbox's. */
async function played(moves: number, reply: (call: WorldFunctionCall, count: number) => WorldFunctionReply) {
  if (!task) throw new Error('There is no task.')
  const asked: WorldFunctionCall[] = []
  const one = { calls: [{ name: 'switch_light', arguments: { room: 'kitchen', on: true } }] }
  const { episode } = await playMoves({
    definition: { ...definition, limits: { ...definition.limits, turns: 100 } },
    task,
    epoch: 1,
    moves: Array.from({ length: moves }, () => one),
    callFunction: call => Promise.resolve(reply(call, asked.push(call))),
    matchCall: () => Promise.resolve({ problems: [], entry: null }),
  })
  return { episode, asked }
}

const isEmpty = ({ args }: WorldFunctionCall) => Object.keys(args).length === 0
const value: WorldFunctionReply = { kind: 'value', value: ['{"lights":{}}', '"on"', null] }

test('a call that was late once is made again before it counts', async () => {
  const { episode, asked } = await played(1, (_call, count) => (count === 1 ? { kind: 'timeout' } : value))
  expect(asked).toHaveLength(2)
  expect(asked[1]).toEqual(asked[0])
  expect(episode).toMatchObject({ ended: 'turn_limit', world_error: null, state: { lights: {} } })
})

test('a call that was late twice ends the episode as the model’s doing; where one without arguments is late too, as the world’s', async () => {
  const model = await played(1, call => (isEmpty(call) ? value : { kind: 'timeout' }))
  expect(model.episode).toMatchObject({ ended: 'time_limit', world_error: null })
  expect(model.asked.at(-1)?.state).toEqual(definition.tasks[0]?.initial_state)
  expect((await played(1, () => ({ kind: 'timeout' }))).episode?.ended).toBe('world_error')
})

test('a few calls that are too much end the episode', async () => {
  const raised = { kind: 'raised', type: 'InternalError', message: 'out of memory' } as const
  const { episode, asked } = await played(9, call => (isEmpty(call) ? value : raised))
  expect(episode?.ended).toBe('tool_errors')
  expect(asked).toHaveLength(6)
})

test.each([
  ['RangeError', 'Maximum call stack size exceeded', 'turn_limit'],
  ['RangeError', 'the call stack of my plates', 'world_error'],
  ['Error', 'invalid array length', 'world_error'],
])('%s: %s ends as %s', async (type, message, ended) => {
  const { episode } = await played(1, call =>
    isEmpty(call) ? { kind: 'raised', type: 'TypeError', message: 'no room' } : { kind: 'raised', type, message },
  )
  expect(episode?.ended).toBe(ended)
})
