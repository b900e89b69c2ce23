import { describe, expect, test } from 'vitest'
import { recordedConversations } from '../../../../../src/engine/importing/traces/recorded-conversations.ts'
import { traceOfConversation } from '../../../../../src/engine/importing/traces/trace-of-conversation.ts'
import { worldOfTraces } from '../../../../../src/engine/importing/traces/world-of-traces.ts'
import { worldOfConversations } from '../../../../../src/engine/importing/worlds/conversation-world.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'

const asked = 'Is order A1 open?'
const openAiCall = { id: 'c1', type: 'function', function: { name: 'read_order', arguments: '{"id":"A1"}' } }
const tools = [
  { type: 'function', function: { name: 'read_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } } },
]

/** The same conversation as each tool writes it. */
const forms: Readonly<Record<string, unknown>> = {
  'OpenAI for fine-tuning': {
    messages: [
      { role: 'user', content: asked },
      { role: 'assistant', content: null, tool_calls: [openAiCall] },
      { role: 'tool', tool_call_id: 'c1', content: 'open' },
      { role: 'assistant', content: 'Yes.' },
    ],
  },
  Anthropic: {
    messages: [
      { role: 'user', content: asked },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read_order', input: { id: 'A1' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'open' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
    ],
  },
  ShareGPT: {
    conversations: [
      { from: 'human', value: asked },
      { from: 'function_call', value: '{"name": "read_order", "arguments": {"id": "A1"}}' },
      { from: 'observation', value: 'open' },
      { from: 'gpt', value: 'Yes.' },
    ],
  },
  'an Inspect dataset': {
    id: 'one',
    input: [
      { role: 'user', content: asked },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: 'read_order', arguments: { id: 'A1' }, type: 'function' }] },
      { role: 'tool', content: 'open', tool_call_id: 'c1', function: 'read_order' },
    ],
    target: 'Yes.',
  },
  'an Inspect log': {
    version: 2,
    eval: { task: 'orders' },
    samples: [
      {
        id: 1,
        input: asked,
        messages: [
          { role: 'user', content: asked },
          { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: 'read_order', arguments: { id: 'A1' } }] },
          { role: 'tool', content: 'open', tool_call_id: 'c1' },
          { role: 'assistant', content: 'Yes.' },
        ],
      },
    ],
  },
  'results of promptfoo': {
    results: {
      results: [
        {
          prompt: {
            raw: JSON.stringify([
              { role: 'user', content: asked },
              { role: 'assistant', content: null, tool_calls: [openAiCall] },
              { role: 'tool', tool_call_id: 'c1', content: 'open' },
            ]),
          },
          response: { output: 'Yes.' },
        },
      ],
    },
    config: { providers: [{ id: 'openai:chat:gpt-6', config: { tools } }] },
  },
}

function worldOf(value: unknown) {
  const conversations = recordedConversations(value, 'conversation 1')
  return worldOfTraces('Orders', conversations.map(traceOfConversation)).definition
}

describe('a recorded conversation', () => {
  test.each(Object.entries(forms))('of %s becomes the same world', (_, value) => {
    const { tools: made, tasks } = worldOf(value)
    expect(made).toMatchObject([
      { name: 'read_order', behavior: { kind: 'canned', results: [{ arguments: { id: 'A1' }, result: 'open' }] } },
    ])
    expect(tasks).toMatchObject([
      {
        messages: [{ role: 'user', content: asked }],
        expected: { calls: { subset: [{ name: 'read_order', arguments: { id: 'A1' } }] }, answer: { targets: ['Yes.'] } },
        reference: { calls: [{ name: 'read_order', arguments: { id: 'A1' } }], answer: 'Yes.' },
      },
    ])
  })

  test('of promptfoo keeps the tools that were offered, and a call as the answer', () => {
    const raw = JSON.stringify([{ role: 'user', content: asked }])
    const value = {
      results: { results: [{ prompt: { raw }, response: { output: JSON.stringify([openAiCall]) } }] },
      config: { providers: ['echo', { config: { tools } }] },
    }
    const { tools: made, tasks } = worldOf(value)
    expect(made).toMatchObject([{ name: 'read_order', parameters: { properties: { id: { type: 'string' } } } }])
    expect(tasks[0]?.reference?.calls).toEqual([{ name: 'read_order', arguments: { id: 'A1' } }])
  })

  test.each([
    [{ rows: [] }, 'no list of messages'],
    ['text', 'no conversation'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'unknown role "robot"'],
    [{ results: { results: [{ prompt: { raw: 'Say hello' }, response: null }] } }, 'no JSON list of messages'],
  ])('that is none is refused with what it lacks: %j', (value, message) => {
    expect(() => recordedConversations(value, 'conversation 1')).toThrow(message)
  })

  test('of promptfoo takes an empty list for the answer that it is', () => {
    const raw = JSON.stringify([{ role: 'user', content: asked }])
    const [read] = recordedConversations({ results: { results: [{ prompt: { raw }, response: { output: '[]' } }] } }, 'one')
    expect(read?.messages.at(-1)).toEqual({ role: 'assistant', content: '[]' })
  })

  test('with as many calls as a body holds is put in order in time that grows with it', async () => {
    const calls = Array.from({ length: 95_000 }, (_, i) => ({ id: `c${i}`, function: { name: 'read_order', arguments: '{}' } }))
    const results = [2, 1, 0].map(i => ({ role: 'tool' as const, content: String(i), tool_call_id: `c${i}` }))
    const strangers = Array.from({ length: 1_900 }, () => ({ role: 'tool' as const, content: '', tool_call_id: 'x' }))
    const messages = [
      { role: 'user' as const, content: asked },
      { role: 'assistant' as const, tool_calls: calls },
      ...results,
      ...strangers,
    ]
    let said: readonly (string | null | undefined)[] = []
    const took = await cpuMsOf(() => {
      said = (traceOfConversation({ messages }, 0).spans[0]?.input_messages ?? []).slice(-3).map(({ content }) => content)
    })
    expect(said).toEqual(['0', '1', '2'])
    expect(took).toBeLessThan(1_000 * slowness())
  })
})

test('parts of messages that only their provider can read are named by file and line', () => {
  const conversation = {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: asked },
          { type: 'data', data: {} },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [openAiCall] },
      { role: 'tool', tool_call_id: 'c1', content: 'open' },
      { role: 'assistant', content: 'Yes.' },
    ],
    tools,
  }
  const read = () => Buffer.from(JSON.stringify(conversation))
  const { leftOut } = worldOfConversations('Desk', { names: ['a.jsonl'], read })
  expect(leftOut).toEqual([
    { id: null, name: 'a.jsonl:1', reason: 'one part of the type "data", which only their provider can read, was left out.' },
  ])
})
