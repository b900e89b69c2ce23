import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/contract/messages/messages.schemas.ts'
import { promptTokensAtMost } from '../../../../src/engine/clients/pricing/pricing.ts'
import { renderPrompt } from '../../../../src/engine/execution/samples/render-prompt.ts'
import { requestFor } from '../../../../src/engine/execution/samples/sample-request.ts'
import { sampleUpperBound } from '../../../../src/engine/execution/samples/sample-bound.ts'
import { withTurns } from '../../../../src/engine/execution/samples/with-turns.ts'
import { turnsOf } from '../../../../src/engine/execution/samples/turns-of.ts'
import { cacheKey } from '../../../../src/engine/execution/scheduler/cache-key.ts'
import { shapeOf } from '../../../../src/engine/tasks/task-shape.ts'
import { packTranscript, unpackTranscript } from '../../../../src/storage/transcript.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'

const picture = `sha256:${'0a'.repeat(32)}`
const recipe = { systemPrompt: null, promptTemplate: '{input}', shotTemplate: null, shots: [] }
const conversation: Message[] = [
  { role: 'user', content: 'One?' },
  { role: 'assistant', content: '1' },
  { role: 'user', content: 'Two?' },
]
const taskOf = (messages: readonly Message[], more: Partial<Task> = {}): Task => ({
  id: 't1',
  split: 'test',
  fields: { input: 'Two?' },
  conversations: { input: messages },
  targets: ['2'],
  choices: null,
  metadata: {},
  capabilities: [],
  dependsOn: [],
  ...more,
})

describe('a prompt of a conversation', () => {
  test('is the conversation unchanged', () => {
    expect(renderPrompt(recipe, taskOf(conversation))).toEqual(conversation)
  })

  test('has the template around the last message of the user, and choices in it', () => {
    const asked = { ...recipe, promptTemplate: 'Q: {input}\n\n{choices}' }
    expect(renderPrompt(asked, taskOf(conversation, { choices: ['1', '2'] })).at(-1)).toEqual({
      role: 'user',
      content: 'Q: Two?\n\nA) 1\nB) 2',
    })
    const image = { type: 'image' as const, media: picture }
    const choices: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'A.' }, image, { type: 'text', text: 'B. none' }] }]
    const withFiles = { choices: ['Choice A', 'none'], conversations: { input: conversation, choices } }
    const lettered = [{ type: 'text', text: 'Q: Two?\n\nA.' }, image, { type: 'text', text: 'B. none!' }]
    const exclaimed = { ...asked, promptTemplate: `${asked.promptTemplate}!` }
    expect(renderPrompt(exclaimed, taskOf(conversation, withFiles)).at(-1)).toEqual({ role: 'user', content: lettered })
    // A question of plain text.
    const plain = taskOf(conversation, { ...withFiles, conversations: { choices } })
    expect(renderPrompt(exclaimed, plain)).toEqual([{ role: 'user', content: lettered }])
    const shown = taskOf([
      {
        role: 'user',
        content: [
          { type: 'image', media: picture },
          { type: 'text', text: 'What?' },
        ],
      },
    ])
    expect(renderPrompt({ ...recipe, promptTemplate: 'Look. {input} Be brief.' }, shown)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look. ' },
          { type: 'image', media: picture },
          { type: 'text', text: 'What? Be brief.' },
        ],
      },
    ])
  })

  test('has one system prompt: the profile’s before the task’s own', () => {
    const own = taskOf([{ role: 'system', content: 'Be short.' }, ...conversation])
    expect(renderPrompt({ ...recipe, systemPrompt: 'Be kind.' }, own)[0]).toEqual({ role: 'system', content: 'Be kind.\n\nBe short.' })
    expect(renderPrompt({ ...recipe, systemPrompt: 'Be kind.' }, taskOf(conversation))[0]).toEqual({ role: 'system', content: 'Be kind.' })
  })

  test('is what its text says where the template does not show it', () => {
    expect(renderPrompt({ ...recipe, promptTemplate: 'Answer.' }, taskOf(conversation))).toEqual([{ role: 'user', content: 'Answer.' }])
  })
})

test('tool calls and results reach the client beside the text', () => {
  const messages: Message[] = [
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'One moment.' },
        { type: 'tool_call', id: 'c1', name: 'weather', arguments: '{}' },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'weather', content: [{ type: 'tool_result', content: 'No network', is_error: true }] },
  ]
  expect(turnsOf(messages)).toEqual([
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: 'One moment.', toolCalls: [{ id: 'c1', name: 'weather', arguments: '{}' }] },
    { role: 'tool', content: 'No network', toolCallId: 'c1', name: 'weather', isError: true },
  ])
})

test('a given answer is bounded by its length, not by the output limit', () => {
  const long: Message[] = [
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'x'.repeat(5000) },
    { role: 'user', content: 'Two?' },
  ]
  const settings = {
    promptRecipe: recipe,
    generation: { temperature: 0, max_output_tokens: 10, stop: [] },
    environment: null,
    byLoglikelihood: null,
  }
  expect(promptTokensAtMost(requestFor(settings, taskOf(long), null))).toBeGreaterThan(5000)
})

test('media are bounded by the most that a provider states for one', () => {
  const request = {
    messages: [
      {
        role: 'user' as const,
        content: [
          { type: 'image' as const, media: picture },
          { type: 'text' as const, text: 'What?' },
        ],
      },
    ],
  }
  expect(promptTokensAtMost({ ...request, maxOutputTokens: 1 })).toBe(48_169 + 5 + 16)
})

describe('a cache key', () => {
  const key = (messages: readonly Message[]) =>
    Buffer.from(
      cacheKey({ endpoint: 'e', model: 'm', read: true }, { messages: turnsOf(messages), temperature: 0, maxOutputTokens: 1, stop: [] }, 1),
    ).toString('hex')

  test('of plain text is what it was before there were parts', () => {
    expect(key([{ role: 'user', content: 'Why?' }])).toBe('ac1321f2264658a65a1e8eacc7daad2f07a6d2d12c5462d53c839cc6d1e697ed')
  })

  test('tells media, tool calls and their results apart', () => {
    const keys = [
      [{ role: 'user', content: [{ type: 'image', media: picture }] }],
      [{ role: 'user', content: [{ type: 'image', media: `sha256:${'0b'.repeat(32)}` }] }],
      [{ role: 'assistant', content: [{ type: 'tool_call', id: 'a', name: 'f', arguments: '{}' }] }],
      [{ role: 'assistant', content: [{ type: 'tool_call', id: 'a', name: 'g', arguments: '{}' }] }],
      [{ role: 'tool', tool_call_id: 'a', content: 'x' }],
      [{ role: 'tool', tool_call_id: 'b', content: 'x' }],
    ] satisfies Message[][]
    expect(new Set(keys.map(key)).size).toBe(keys.length)
  })
})

describe('worked examples as turns', () => {
  const shots = [{ fields: { input: 'One?', target: '1' } }, { fields: { input: 'Two?', target: '2' } }]
  const asTurns = {
    ...recipe,
    systemPrompt: 'Be short.',
    introTemplate: 'Count. ',
    promptTemplate: 'Q: {input}',
    shotTemplate: '{target}',
    shots,
    shotsAs: 'turns' as const,
  }

  test('are questions and answers before the task', () => {
    expect(renderPrompt(asTurns, { fields: { input: 'Three?' }, choices: null, metadata: {} })).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Count. Q: One?' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'Q: Two?' },
      { role: 'assistant', content: '2' },
      { role: 'user', content: 'Q: Three?' },
    ])
  })

  test('stand before a conversation, too', () => {
    expect(renderPrompt(asTurns, taskOf(conversation)).map(({ content }) => content)).toEqual([
      'Be short.',
      'Count. Q: One?',
      '1',
      'Q: Two?',
      '2',
      'One?',
      '1',
      'Q: Two?',
    ])
  })
})

describe('scripted turns', () => {
  const turns = ['Are you sure?', 'Really?']
  const settings = {
    promptRecipe: recipe,
    generation: { temperature: 0, max_output_tokens: 10, stop: [] },
    environment: null,
    byLoglikelihood: null,
  }
  const rates = { inputMicroUsdPerMillion: 1_000_000n, outputMicroUsdPerMillion: 0n }
  const bound = (task: Task, maxAttempts = 1) => sampleUpperBound(settings, task, { effort: null, maxAttempts }, rates)
  const plain = { ...taskOf([]), conversations: undefined }

  test('are bounded with the answers that their prompts will hold', () => {
    const opening = BigInt('Two?'.length + 16)
    const second = opening + 20n + BigInt(turns[0]?.length ?? 0) + 32n
    const third = second + 20n + BigInt(turns[1]?.length ?? 0) + 32n
    expect(bound({ ...plain, turns })).toBe(opening + second + third)
    expect(bound({ ...plain, turns }, 2)).toBe(2n * (opening + second + third) - third)
    expect(bound(plain)).toBe(opening)
    // A picture of a turn is in its prompt and in those after it.
    const shown = [
      [
        { type: 'image' as const, media: picture },
        { type: 'text' as const, text: 'Are you sure?' },
      ],
      'Really?',
    ]
    expect(bound({ ...plain, turns: shown })).toBe(opening + second + third + 2n * 48_169n)
  })

  test('are told to quotes, with the kinds of parts', () => {
    expect(shapeOf({ ...plain, turns })).toEqual({ parts: [], turns: 3 })
    expect(shapeOf(plain)).toBeNull()
    expect(
      shapeOf(
        taskOf([
          { role: 'user', content: [{ type: 'image', media: picture }] },
          { role: 'assistant', content: [{ type: 'reasoning', text: 'x' }] },
        ]),
      ),
    ).toEqual({ parts: ['assistant/unsigned_reasoning', 'user/image'], turns: 1 })
  })

  test('are shown as far as they were answered', () => {
    const prompt: Message[] = [{ role: 'user', content: 'Two?' }]
    expect(withTurns(prompt, turns, [{ output: '2', reasoning: 'Add.' }])).toEqual([
      ...prompt,
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Add.' },
          { type: 'text', text: '2' },
        ],
      },
      { role: 'user', content: 'Are you sure?' },
    ])
    expect(withTurns(prompt, turns, undefined)).toEqual(prompt)
  })

  test('are kept in a transcript beside its other parts', () => {
    const answers = JSON.stringify([{ output: '2', reasoning: null }])
    const bytes = (text: string) => new Uint8Array(Buffer.from(text))
    const earlier = [{ request: bytes('a'), response: bytes('b') }]
    for (const reasoning of [null, 'Add.'])
      expect(
        unpackTranscript(packTranscript({ request: bytes('c'), response: bytes('d'), output: 'e', reasoning, answers, earlier })),
      ).toMatchObject({
        output: 'e',
        reasoning,
        answers,
        earlier: [{ request: Buffer.from('a'), response: Buffer.from('b') }],
      })
  })
})
