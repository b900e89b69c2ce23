import { expect, test } from 'vitest'
import { describeFirst } from '../../../src/contract/describe-issue.ts'
import { Conversation, mediaIn, Message, messageLimits, Part } from '../../../src/contract/messages/messages.schemas.ts'

const picture = `sha256:${'0a'.repeat(32)}`
const said = (
  schema: { safeParse(value: unknown): { error?: { issues: Parameters<typeof describeFirst>[0] } | undefined } },
  value: unknown,
) => {
  const { error } = schema.safeParse(value)
  return error ? describeFirst(error.issues, 'the value') : null
}

test('takes a plain string and every kind of part, unchanged', () => {
  const conversation = [
    { role: 'system', content: 'Be short.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', media: picture, detail: 'low', alt: 'A cat' },
        { type: 'audio', media: picture, transcript: 'Meow' },
        { type: 'document', media: picture, title: 'cats.pdf' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'A cat.', signature: 'abc' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_call', id: 'c1', name: 'look', arguments: '{"at":1}' },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'look', content: [{ type: 'tool_result', content: 'A cat', is_error: false }] },
  ]
  expect(Conversation.parse(conversation)).toEqual(conversation)
  expect(mediaIn(Conversation.parse(conversation))).toEqual([picture])
})

test.each([
  [{ type: 'video', media: picture }, '"type" is "video"; video is not supported: use single frames as images'],
  [{ type: 'video_url' }, '"type" is "video_url"; video is not supported: use single frames as images'],
  [{ type: 'smell' }, '"type" is "smell"; it must be one of text, image, audio, document, reasoning, tool_call, tool_result'],
  [{ text: 'a' }, '"type" must be one of text, image, audio, document, reasoning, tool_call, tool_result'],
  [{ type: 'image', media: 'cat.png' }, '"media" must be "sha256:" and 64 lower-case hexadecimal digits'],
  [{ type: 'image', media: picture, alt: 1 }, '"alt" must be text'],
])('refuses the part %j by name', (part, message) => {
  expect(said(Part, part)).toBe(message)
})

test.each([
  [{ role: 'tool', content: 'x' }, '"tool_call_id" is required in a tool message'],
  [{ role: 'user', content: 'x', tool_call_id: 'a' }, '"tool_call_id" has no place in a message of role "user"'],
  [
    { role: 'system', content: [{ type: 'image', media: picture }] },
    '"content[0]" of type "image" has no place in a message of role "system"',
  ],
  [{ role: 'user', content: [{ type: 'video' }] }, '"content[0].type" is "video"; video is not supported: use single frames as images'],
  [
    { role: 'user', content: Array.from({ length: messageLimits.parts + 1 }, () => ({ type: 'text', text: 'a' })) },
    `"content" must have at most ${messageLimits.parts} items`,
  ],
])('refuses a message where its role or size allows no such thing (%#)', (message, problem) => {
  expect(said(Message, message)).toBe(problem)
})

test.each([
  [
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    '"[1].role" is "assistant"; a conversation must end with a message of the user or a tool, which the model answers',
  ],
  [[{ role: 'tool', tool_call_id: 'c9', content: 'b' }], '"[0].tool_call_id" "c9" names no earlier tool call'],
  [
    Array.from({ length: messageLimits.messages + 1 }, () => ({ role: 'user', content: 'a' })),
    `the value must have at most ${messageLimits.messages} items`,
  ],
  [
    [{ role: 'user', content: Array.from({ length: messageLimits.media + 1 }, () => ({ type: 'image', media: picture })) }],
    `the value has ${messageLimits.media + 1} media parts; at most ${messageLimits.media} are allowed`,
  ],
])('refuses a conversation that cannot be answered or sent (%#)', (conversation, problem) => {
  expect(said(Conversation, conversation)).toBe(problem)
})
