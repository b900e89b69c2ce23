import { expect, test } from 'vitest'
import { WorldDefinition, worldLimits } from '../../../../../src/contract/worlds/worlds.schemas.ts'
import { traceOfConversation } from '../../../../../src/engine/importing/traces/trace-of-conversation.ts'
import { worldOfTraces } from '../../../../../src/engine/importing/traces/world-of-traces.ts'

const trace = (n: number, tool: string, result = `shelf ${n}`, asked = `Where is ${n}?`) =>
  traceOfConversation(
    {
      id: `task-${n}`,
      messages: [
        ...(asked === '' ? [] : [{ role: 'user' as const, content: asked }]),
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', function: { name: tool, arguments: JSON.stringify({ order: n }) } }],
        },
        { role: 'tool', tool_call_id: 'a', content: result },
        { role: 'assistant', content: 'Here.' },
      ],
    },
    n,
  )

test('two thousand traces become one world within its limits', () => {
  const traces = Array.from({ length: worldLimits.tasks }, (_, n) => trace(n, `tool_${n % 8}`))
  const { definition, leftOut } = worldOfTraces('Many', traces)
  expect(leftOut).toEqual([])
  expect(WorldDefinition.parse(definition).tasks).toHaveLength(worldLimits.tasks)
  expect(definition.tools).toHaveLength(8)
})

test('traces beyond the tools, the results and the size of a world are left out by name, and the others replay', () => {
  const tools = Array.from({ length: worldLimits.tools + 2 }, (_, n) => trace(n, `tool_${n}`))
  expect(worldOfTraces('Tools', tools).leftOut.map(({ id }) => id)).toEqual(['task-64', 'task-65'])
  const results = Array.from({ length: worldLimits.results + 3 }, (_, n) => trace(n, 'locate'))
  const { definition, leftOut } = worldOfTraces('Results', results)
  expect(definition.tasks).toHaveLength(worldLimits.results)
  expect(leftOut[0]).toMatchObject({ id: 'task-500', reason: expect.stringContaining('further results of locate') })
  expect(definition.tools[0]?.behavior).toMatchObject({ results: { length: worldLimits.results } })
  const large = Array.from({ length: 12 }, (_, n) => trace(n, 'read', 'x'.repeat(1024 * 1024)))
  expect(worldOfTraces('Large', large).leftOut[0]).toMatchObject({ reason: expect.stringContaining('too large beside the others') })
  // 6 million characters, and three times as many bytes.
  const kanji = Array.from({ length: 60 }, (_, n) => trace(n, 'read', 'x', '\u8a9e'.repeat(worldLimits.message)))
  expect(worldOfTraces('Kanji', kanji).leftOut.length).toBeGreaterThan(0)
  const silent = worldOfTraces('Silent', [trace(1, 'locate'), trace(2, 'locate', 'x', '')])
  expect(silent.leftOut).toEqual([{ id: 'task-2', name: expect.any(String), reason: expect.stringContaining('no message of a user') }])
  expect(() => worldOfTraces('Nothing', [trace(2, 'locate', 'x', '')])).toThrow('no message of a user')
})

test('the same results in every trace are counted once, and differing ones once a task', () => {
  const same = (n: number) => trace(7, 'policy', n < 400 ? 'Be kind.' : 'Be quick.')
  const traces = Array.from({ length: 600 }, (_, n) => ({ ...same(n), id: `task-${n}` }))
  const { definition, leftOut } = worldOfTraces('Same', traces)
  // 400 tasks share an entry; the next one that differs gives each its own, which 500 tasks have at most.
  expect(definition.tasks).toHaveLength(worldLimits.results)
  expect(leftOut).toHaveLength(100)
})
