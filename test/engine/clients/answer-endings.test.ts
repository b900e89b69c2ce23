import { describe, expect, test } from 'vitest'
import { examineAnswer } from '../../../src/engine/clients/examine-answer.ts'
import { answerIn, ask, clientFor, failureIn, faultServer, outcomeOf } from './client-under-test.ts'
import { completion, event, events, reply, usage } from './scripted-replies.ts'

describe('an answer that the provider broke off', () => {
  test.each(['error', 'network_error', 'insufficient_system_resource', 'abort', 'MALFORMED_FUNCTION_CALL'])(
    'by %j is a failure of the provider with what it counted',
    async word => {
      const failure = failureIn(await outcomeOf(reply(200, completion({}, { content: 'The answ' }, word))))
      expect(failure).toMatchObject({ code: 'provider_failure', usage: { inputTokens: 5, outputTokens: 1 } })
      expect(failure.message).toContain(word)
    },
  )

  test('in the middle of a stream is a failure too', async () => {
    const pieces = [
      event({ choices: [{ index: 0, delta: { content: 'The' } }] }),
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }),
    ]
    expect(failureIn(await outcomeOf(events([...pieces, 'data: [DONE]\n\n']), { streaming: true })).code).toBe('provider_failure')
  })
})

describe('a prompt that was blocked', () => {
  test.each([
    ['without choices, but with a reason', { choices: [], promptFeedback: { blockReason: 'SAFETY' }, usage: undefined }],
    ['without choices, in snake case', { choices: [], prompt_feedback: { block_reason: 'PROHIBITED_CONTENT' }, usage: undefined }],
    ['with null for choices', { choices: null, usage: { prompt_tokens: 20, completion_tokens: 0 } }],
    ['as Gemini says it', { choices: undefined, promptFeedback: { blockReason: 'SAFETY' }, usage: undefined }],
    ['without choices, counted and not answered', { choices: [], usage: { prompt_tokens: 20, completion_tokens: 0 } }],
  ])('%s is a refusal', async (_, body) => {
    expect(answerIn(await outcomeOf(reply(200, completion(body))))).toMatchObject({ output: '', finishReason: 'prompt_blocked' })
  })

  test('is a refusal in a stream, too', async () => {
    const script = events([event({ choices: [], promptFeedback: { blockReason: 'SAFETY' } }), event('[DONE]')])
    expect(answerIn(await outcomeOf(script, { streaming: true }))).toMatchObject({ output: '', finishReason: 'prompt_blocked' })
  })

  test('is not what a reply without anything says', async () => {
    expect(failureIn(await outcomeOf(events([event('[DONE]')]), { streaming: true })).code).toBe('bad_response')
    expect(failureIn(await outcomeOf(reply(200, JSON.stringify({ choices: [{ finish_reason: 'stop' }] })))).code).toBe('bad_response')
  })

  test('without a message ends by its finish reason', async () => {
    const body = JSON.stringify({ choices: [{ index: 0, finish_reason: 'content_filter' }], usage })
    expect(answerIn(await outcomeOf(reply(200, body)))).toMatchObject({ output: '', finishReason: 'content_filter' })
  })
})

describe('an upstream that says more than its gateway', () => {
  const ended = async (finish_reason: string, native_finish_reason: string) =>
    outcomeOf(reply(200, JSON.stringify({ choices: [{ message: { content: '' }, finish_reason, native_finish_reason }], usage })))

  test('is believed', async () => {
    expect(answerIn(await ended('stop', 'SAFETY')).finishReason).toBe('SAFETY')
    expect(failureIn(await ended('stop', 'MALFORMED_FUNCTION_CALL')).code).toBe('provider_failure')
  })

  test('in other words says the same', async () => {
    expect(answerIn(await ended('stop', 'end_turn')).finishReason).toBe('stop')
    expect(answerIn(await ended('content_filter', 'refusal')).finishReason).toBe('content_filter')
  })
})

describe('tool calls that do not fit what was asked', () => {
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } }]
  const notesOf = async (message: object, ending: string, offersTools: boolean) =>
    examineAnswer(answerIn(await outcomeOf(reply(200, completion({}, message, ending)))), { gradesReasoning: false, offersTools }).notes ??
    []

  test.each<[string, object, string, boolean, (string | RegExp)[]]>([
    ['text that ends with a call that did not come', { content: 'Let me add.' }, 'tool_calls', true, [/sent none/]],
    ['the same by another name', { content: 'Let me add.' }, 'tool_use', false, [/sent none/]],
    ['a call of a tool that was not offered', { content: '4', tool_calls }, 'tool_calls', false, [/none was offered/]],
    ['such a call and no text', { content: null, tool_calls }, 'tool_calls', false, [/sent no text/, /none was offered/]],
    ['a call of a tool that was offered', { content: null, tool_calls }, 'tool_calls', true, []],
    ['a call under another ending', { content: null, tool_calls }, 'stop', true, []],
  ])('%s', async (_, message, ending, offersTools, expected) => {
    expect((await notesOf(message, ending, offersTools)).map(note => note.message)).toEqual(
      expected.map(each => expect.stringMatching(each)),
    )
  })
})

test('a refusal in a part is one', async () => {
  const content = [{ type: 'refusal', refusal: 'I cannot.' }]
  expect(answerIn(await outcomeOf(reply(200, completion({}, { content }))))).toMatchObject({ output: 'I cannot.', refused: true })
})

describe('reasoning', () => {
  test.each([
    ['as GitHub names it', { content: '4', reasoning_text: 'hm' }],
    ['as Ollama names it', { content: '4', thinking: 'hm' }],
    ['in a field and in the text, once', { content: '<think>hm</think>4', reasoning_content: 'hm' }],
    [
      'in a part of Databricks',
      {
        content: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
          { type: 'text', text: '4' },
        ],
      },
    ],
    ['in its own field', { content: '4', reasoning_content: 'hm' }],
    ['as vLLM names it', { content: '4', reasoning: 'hm' }],
    ['in OpenRouter’s details', { content: '4', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }],
    ['in LiteLLM’s blocks', { content: '4', thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }],
    [
      'in a part',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: '4' },
        ],
      },
    ],
    ['in the text', { content: '<think>hm</think>\n\n4' }],
    ['in a field of which two say the same', { content: '4', reasoning: 'hm', reasoning_content: 'hm' }],
  ])('%s is apart from the output', async (_, message) => {
    expect(answerIn(await outcomeOf(reply(200, completion({}, message))))).toMatchObject({ output: '4', reasoning: 'hm' })
  })

  test('in pieces of a stream is put together', async () => {
    const piece = (delta: object, finish_reason: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason }] })
    const pieces = [
      piece({ reasoning_content: 'h' }),
      piece({ reasoning_content: 'm' }),
      piece({ content: [{ type: 'text', text: '4' }] }),
      piece({}, 'stop'),
    ]
    const outcome = await outcomeOf(events([...pieces, 'data: [DONE]\n\n']), { streaming: true })
    expect(answerIn(outcome)).toMatchObject({ output: '4', reasoning: 'hm' })
  })

  test('stays in the text where the request says so', async () => {
    const server = await faultServer(reply(200, completion({}, { content: '<think>hm</think>4' })))
    const request = { messages: [], temperature: 0, maxOutputTokens: 8, stop: [], reasoning: 'as_text' } as const
    const answer = answerIn(await clientFor(server.baseUrl).call(request, { signal: new AbortController().signal }))
    expect(answer.output).toBe('<think>hm</think>4')
    expect(answer).not.toHaveProperty('reasoning')
  })
})

describe('the model that answered', () => {
  const notes = async (asked: string, served: string) => {
    const server = await faultServer(reply(200, completion({ model: served })))
    return answerIn(await ask(clientFor(server.baseUrl, { model: asked }))).notes ?? []
  }

  test.each([
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['claude-sonnet-4-latest', 'claude-sonnet-4-20250514'],
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['deepseek/deepseek-r1:free', 'deepseek/deepseek-r1'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['openai/gpt-4o:online', 'gpt-4o'],
    ['llama3', 'llama3:latest'],
    ['Qwen2.5-7B.gguf', '/models/qwen2.5-7b.gguf'],
    ['m', ''],
  ])('%s is the same as %s', async (asked, served) => {
    expect(await notes(asked, served)).toEqual([])
  })

  test.each([
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-5', 'gpt-4.1'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06'],
    ['claude-3-5-sonnet-20240620', 'claude-3-5-sonnet-20241022'],
    ['m', 'other-cheaper-model'],
  ])('%s differs from %s, which is noted', async (asked, served) => {
    expect(await notes(asked, served)).toEqual([{ code: 'model_differs', message: expect.stringContaining(served) }])
  })
})
