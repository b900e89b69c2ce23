import { afterAll, expect, test } from 'vitest'
import { RecordedConversation } from '../../../src/contract/worlds/play.schemas.ts'
import { WorldDefinition } from '../../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../../src/contract/worlds/worlds.examples.ts'
import { callRules } from '../../../src/engine/execution/environments/worlds/match-call.ts'
import { traceOfConversation } from '../../../src/engine/importing/traces/trace-of-conversation.ts'
import { createWorldPool } from '../../../src/workers/world-pool.ts'
import { workerFile } from '../../../src/workers/worker-file.ts'
import { longestTurnCpuMs } from '../../support/longest-turn.ts'
import { slowness } from '../../support/machine-speed.ts'

const noFunction = () => Promise.reject(new Error('no function was expected'))
const pool = createWorldPool(workerFile('worlds.worker'), noFunction)
afterAll(() => pool.close())

const { tasks, ...lights } = WorldDefinition.parse(worldsExamples.checkEnvironment.definition)
const { signal } = new AbortController()

/** Canned results that each look for a pattern. */
const patterns = (count: number) =>
  callRules({
    name: 'find',
    description: '',
    parameters: { type: 'object', properties: { text: { type: 'string', pattern: '(a|b)*' } } },
    behavior: {
      kind: 'canned',
      results: Array.from({ length: count }, (_, i) => ({ arguments: { text: { $pattern: `(a|b|ab)*c${i}$` } }, result: i })),
    },
  })

test('matches arguments by schema and rules, wherever it does so', async () => {
  const rules = patterns(3)
  expect(await pool.match(rules, { text: 'abc1' }, [0, 1, 2])).toEqual({ problems: [], entry: 1 })
  expect(await pool.match(rules, { text: 'abc1' }, [0, 2])).toEqual({ problems: [], entry: null })
  expect(await pool.match(rules, { text: 1 }, [0, 1, 2])).toEqual({ problems: ['/text must be string'], entry: null })
  const plain = { parameters: { type: 'object' }, entries: [{ n: 1 }, null], unnamed: 'any' } as const
  expect(await pool.match(plain, { n: 1 }, [0, 1])).toEqual({ problems: [], entry: 0 })
  expect(await pool.match(plain, { n: 2 }, [0, 1])).toEqual({ problems: [], entry: 1 })
})

test('stops a match that takes too long, without holding the service’s loop', async () => {
  const hasty = createWorldPool(workerFile('worlds.worker'), noFunction, { shownMs: 60_000, matchMs: 50, heapMb: 256 })
  const rules = patterns(500)
  await pool.match(patterns(1), { text: 'a' }, [0])
  let matched: unknown
  const longest = await longestTurnCpuMs(async () => {
    matched = await hasty.match(rules, { text: 'ab'.repeat(500_000) }, [...rules.entries.keys()])
  })
  await hasty.close()
  expect(matched).toMatchObject({ tooMuch: expect.stringMatching(/too long|longer than/) })
  expect(longest).toBeLessThan(100 * slowness())
})

test('replays references in its thread, however much they are to grade', async () => {
  const many = tasks.flatMap(task =>
    Array.from({ length: 20 }, (_, i) => ({
      ...task,
      id: `${task.id} ${i}`,
      initial_state: { list: Array.from({ length: 500 }, (__, n) => n) },
      expected: { calls: { any_order: Array.from({ length: 100 }, () => ({ name: 'switch_light' })) } },
      reference: { calls: Array.from({ length: 100 }, () => ({ name: 'switch_light', arguments: {} })), answer: '' },
    })),
  )
  const world = {
    ...lights,
    limits: { ...lights.limits, turns: 100 },
    tools: lights.tools.map(tool => ({
      ...tool,
      parameters: { type: 'object' },
      behavior: { kind: 'canned' as const, results: [{ result: 'ok' }] },
    })),
  }
  await pool.replay(world, many.slice(0, 1), signal)
  let checked: Awaited<ReturnType<typeof pool.replay>> = []
  const longest = await longestTurnCpuMs(async () => {
    checked = await pool.replay(world, many, signal)
  })
  expect(new Set(checked.map(({ status }) => status))).toEqual(new Set(['passed']))
  expect(longest).toBeLessThan(50 * slowness())
})

test('names what of a definition cannot be used, and where', async () => {
  const [tool] = lights.tools
  if (!tool) throw new Error('The example has a tool.')
  const problem = (parameters: Record<string, unknown>) => pool.problemOf({ tools: [{ ...tool, parameters }], tasks }, signal)
  expect(await problem({ type: 'object' })).toBeNull()
  expect(await problem({ type: 'array' })).toMatchObject({ path: ['tools', 0, 'parameters'] })
  expect((await problem({ type: 'object', properties: { a: { type: 'nothing' } } }))?.message).toContain('cannot be used')
})

test('checks a world while files of others, which take long, are read', async () => {
  const prompts = [`${'y'.repeat(90_000)} {{q}}`]
  const cases = Array.from({ length: 2_000 }, (_, q) => ({ vars: { q }, assert: [{ type: 'contains', value: 'x' }] }))
  const providers = [{ id: 'openai:x', config: { tools: [{ type: 'function', function: { name: 'f' } }] } }]
  const bytes = Buffer.from(JSON.stringify({ prompts, providers, tests: cases }))
  const ending = new AbortController()
  let isRead = false
  const reading = pool.importFiles({ title: 'Slow', files: [{ name: 'promptfooconfig.yaml', bytes }] }, ending.signal).finally(() => {
    isRead = true
  })
  expect(await pool.problemOf({ tools: lights.tools, tasks }, signal)).toBeNull()
  expect(isRead).toBe(false)
  ending.abort()
  await expect(reading).rejects.toThrow('aborted')
})

test('JSON in a recording that exhausts the stack is said to be nested too deep', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const [trace] = [
    {
      messages: [
        { role: 'user', content: 'Which?' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'look', arguments: `{"a":${deep}}` } }] },
        { role: 'tool', tool_call_id: 'c', content: deep },
        { role: 'assistant', content: 'This.' },
      ],
    },
  ].map(each => traceOfConversation(RecordedConversation.parse(each), 0))
  expect(await pool.draft({ title: 'Deep', traces: [JSON.stringify(trace)] }, signal)).toContain('nested too deep')
})
