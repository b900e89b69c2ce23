import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inspectMessages } from '../../../../../src/engine/reporting/exports/inspect-messages.ts'
import { readConversation, taskInput } from '../../../../../src/engine/importing/messages/read-conversation.ts'

const weather = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Weather in Rome?' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Ask the tool.', signature: 'sig' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool_call', id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
  { role: 'user', content: 'And tomorrow?' },
]

describe('reads the same conversation', () => {
  test.each([
    [
      'OpenAI',
      [
        { role: 'developer', content: [{ type: 'text', text: 'Be short.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'Weather in Rome?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Ask the tool.', signature: 'sig' },
            { type: 'text', text: 'One moment.' },
          ],
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
        { role: 'user', content: 'And tomorrow?' },
        { role: 'assistant', content: 'Rain' },
      ],
    ],
    [
      'Anthropic',
      [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Weather in Rome?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Ask the tool.', signature: 'sig' },
            { type: 'text', text: 'One moment.' },
            { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'Sunny' }] },
            { type: 'text', text: 'And tomorrow?' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Rain' }] },
      ],
    ],
    [
      'Inspect',
      [
        { id: 'x', role: 'system', content: 'Be short.' },
        { id: 'y', role: 'user', content: 'Weather in Rome?', source: 'input' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'Ask the tool.', signature: 'sig', redacted: false },
            { type: 'text', text: 'One moment.' },
          ],
          tool_calls: [{ id: 'c1', function: 'weather', arguments: { city: 'Rome' } }],
        },
        { role: 'tool', tool_call_id: 'c1', function: 'weather', content: 'Sunny', error: null },
        { role: 'user', content: 'And tomorrow?' },
        { role: 'assistant', content: 'Rain' },
      ],
    ],
  ])('in the form of %s', (_, value) => {
    const { messages, answer } = readConversation(value, 'messages')
    expect(messages.map(({ name: __, ...message }) => message)).toEqual(weather)
    expect(answer).toBe('Rain')
  })

  test('in the form of ShareGPT, with ids of its own', () => {
    const value = [
      { from: 'human', value: 'Weather in Rome?' },
      { from: 'function_call', value: '{"name": "weather", "arguments": {"city": "Rome"}}' },
      { from: 'observation', value: 'Sunny' },
    ]
    expect(readConversation(value, 'conversations')).toEqual({
      answer: null,
      left: 0,
      messages: [
        { role: 'user', content: 'Weather in Rome?' },
        { role: 'assistant', content: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
      ],
    })
  })
})

test('hands media to whoever keeps them', () => {
  const found: unknown[] = []
  const digest = `sha256:${'1'.repeat(64)}`
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
    { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'DDDD' } },
  ]
  const { messages } = readConversation([{ role: 'user', content }], 'messages', media => {
    found.push(media)
    return digest
  })
  expect(messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', media: digest, detail: 'low' },
        { type: 'audio', media: digest },
        { type: 'document', media: digest, title: 'a.pdf' },
        { type: 'image', media: digest },
      ],
    },
  ])
  expect(found).toEqual([
    { kind: 'image', reference: 'data:image/png;base64,AAAA', mediaType: undefined },
    { kind: 'audio', reference: 'BBBB', mediaType: 'audio/wav' },
    { kind: 'document', reference: 'data:application/pdf;base64,CCCC', mediaType: undefined },
    { kind: 'image', reference: 'DDDD', mediaType: 'image/jpeg' },
  ])
})

test('keeps what is said beside a file, and takes parts as Assay writes them', () => {
  const media = `sha256:${'a'.repeat(64)}`
  const content = [
    { type: 'image_url', image_url: { url: media }, alt: 'A red square' },
    { type: 'input_audio', input_audio: { data: media, format: 'wav' }, transcript: 'Hello' },
    { type: 'image', media, detail: 'low', alt: 'The same' },
    { type: 'audio', media, transcript: 'Again' },
    { type: 'document', media, title: 'paper.pdf' },
  ]
  const { messages } = readConversation([{ role: 'user', content }], 'input', ({ reference }) => String(reference))
  expect(messages[0]?.content).toEqual([
    { type: 'image', media, alt: 'A red square' },
    { type: 'audio', media, transcript: 'Hello' },
    { type: 'image', media, detail: 'low', alt: 'The same' },
    { type: 'audio', media, transcript: 'Again' },
    { type: 'document', media, title: 'paper.pdf' },
  ])
})

test('reads a document without a title back as one, from the logs of Inspect and the forms of OpenAI', async () => {
  const bytes = Buffer.from('%PDF-1.4')
  const media = `sha256:${createHash('sha256').update(bytes).digest('hex')}` as const
  const given = [
    {
      role: 'user' as const,
      content: [
        { type: 'document' as const, media },
        { type: 'document' as const, media, title: 'a.pdf' },
      ],
    },
  ]
  const { messages: written } = await inspectMessages(given, async () => ({ bytes, mediaType: 'application/pdf' }))
  expect(readConversation(written, 'input', () => media).messages).toEqual(given)
  const file = { filename: 'document.pdf', file_data: 'data:application/pdf;base64,CCCC' }
  expect(readConversation([{ role: 'user', content: [{ type: 'file', file }] }], 'input', () => media).messages[0]?.content).toEqual([
    { type: 'document', media },
  ])
})

test('leaves a single question of plain text an ordinary one', () => {
  expect(taskInput([{ role: 'user', content: 'Why?' }])).toEqual({ fields: { input: 'Why?' } })
  const asked = [
    { role: 'system' as const, content: 'Be short.' },
    { role: 'user' as const, content: 'Why?' },
  ]
  expect(taskInput(asked)).toEqual({ fields: { input: 'Why?' }, conversations: { input: asked } })
})

test.each([
  [
    [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'x' } }] }],
    'contains a video, which is not supported. Use single frames',
  ],
  [[{ role: 'user', content: [{ type: 'hologram' }] }], 'unknown type "hologram"'],
  [[{ role: 'narrator', content: 'Once' }], 'Message 1 of "messages" has the unknown role "narrator".'],
  [[{ role: 'assistant', content: 'Hello' }], 'has an answer and no question'],
  [
    [
      { role: 'user', content: 'a' },
      { role: 'tool', content: 'b' },
    ],
    'answers no tool call',
  ],
  [[{ role: 'user', content: ' ' }], 'The last message of "messages" is empty.'],
  [[{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }], 'contains an image, which this import cannot keep'],
  ['Hello', 'must contain messages'],
])('refuses %j and says why', (value, message) => {
  expect(() => readConversation(value, 'messages')).toThrow(message)
})
