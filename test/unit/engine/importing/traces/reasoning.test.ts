import { expect, test } from 'vitest'
import { messagesIn } from '../../../../../src/engine/importing/traces/messages.ts'

test.each([
  [
    'of the OpenTelemetry conventions',
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'hm' },
        { type: 'text', content: 'Yo' },
      ],
    },
  ],
  [
    'of Anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'Yo' },
      ],
    },
  ],
  ['of Gemini', { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'Yo' }] }],
  ['in a field', { role: 'assistant', content: 'Yo', reasoning_content: 'hm' }],
  ['in the text', { role: 'assistant', content: '<think>hm</think>\n\nYo' }],
])('reasoning %s is apart from what the model said', (_, message) => {
  expect(messagesIn([message], 'output')).toEqual([{ role: message.role, content: 'Yo', reasoning: 'hm' }])
})

test('the text of a person stays as it is', () => {
  expect(messagesIn([{ role: 'user', content: '<think>hm</think>Yo' }], 'input')).toEqual([
    { role: 'user', content: '<think>hm</think>Yo' },
  ])
})

test('an output that is text alone is told apart too', () => {
  expect(messagesIn('<think>hm</think>Yo', 'output')).toEqual([{ role: 'output', content: 'Yo', reasoning: 'hm' }])
})
