import { expect, test } from 'vitest'
import { ollama } from '../../../src/engine/clients/wire/ollama.ts'
import { shapeFault } from '../../../src/engine/clients/wire/sent-parts.ts'
import { turnsOf } from '../../../src/engine/execution/samples/turns-of.ts'
import { readConversation } from '../../../src/engine/importing/messages/read-conversation.ts'
import { shapeOf } from '../../../src/engine/tasks/task-shape.ts'

const call = (id: string, name: string, given: string) => ({ id, type: 'function', function: { name, arguments: given } })
const history = (...calls: ReturnType<typeof call>[]) => [
  { role: 'user', content: 'Rome and Oslo?' },
  { role: 'assistant', content: null, tool_calls: calls },
  ...calls.toReversed().map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` })),
  { role: 'user', content: 'So?' },
]

test('results that Ollama knows by their place alone follow in the order of their calls, with the names of their tools', () => {
  const { messages } = readConversation(history(call('a', 'weather', '{"city":"Rome"}'), call('b', 'news', '')), 'messages')
  const request = { messages: turnsOf(messages), temperature: 0, maxOutputTokens: 10, stop: [] }
  const { body } = ollama().request(request, 'm', () => {
    throw new Error('There are no files.')
  })
  expect(body['messages']).toEqual([
    { role: 'user', content: 'Rome and Oslo?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'weather', arguments: { city: 'Rome' } } }, { function: { name: 'news', arguments: {} } }],
    },
    { role: 'tool', content: 'result of a', tool_name: 'weather' },
    { role: 'tool', content: 'result of b', tool_name: 'news' },
    { role: 'user', content: 'So?' },
  ])
})

test('arguments that are no JSON object are refused in a quote where they would be left out', () => {
  const shape = (given: string) =>
    shapeOf({ conversations: { input: [...readConversation(history(call('a', 'weather', given)), 'messages').messages] } })?.parts ?? []
  const faults = (given: string) =>
    (['openai_chat', 'openai_responses', 'anthropic_messages', 'gemini', 'ollama', 'llama_cpp', 'vllm', 'openai_completions'] as const).map(
      protocol => shape(given).flatMap(part => shapeFault(protocol, part) ?? [])[0] ?? null,
    )
  const none = 'no tool calls in a conversation'
  const unparsed = 'no tool call whose arguments are not a JSON object'
  expect(faults('{"city":"Rome"}')).toEqual([null, null, null, null, null, null, null, none])
  expect(faults('')).toEqual([null, null, null, null, null, null, null, none])
  for (const given of ['Rome', '["Rome"]', '{"city":'])
    expect(faults(given)).toEqual([null, null, unparsed, unparsed, unparsed, null, null, none])
})
