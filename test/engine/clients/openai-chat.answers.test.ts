import { describe, expect, test } from 'vitest'
import { answerIn, apiKey, ask, clientFor, faultServer, outcomeOf, question, textOf } from './client-under-test.ts'
import { completion, reply } from './scripted-replies.ts'

const never = new AbortController().signal

describe('a request', () => {
  test('goes to chat/completions under the base URL, query kept, with the key as bearer', async () => {
    const server = await faultServer(reply(200, completion()))
    await ask(clientFor(`${server.baseUrl}/?api-version=2`, { headers: { 'X-Team': 'evals' } }))
    const [head = '', body = ''] = server.received()[0]?.split('\r\n\r\n') ?? []
    expect(head.split('\r\n')[0]).toBe('POST /v1/chat/completions?api-version=2 HTTP/1.1')
    expect(head).toContain(`authorization: Bearer ${apiKey}`)
    expect(head).toContain('x-team: evals')
    expect(head).toContain('accept-encoding: identity')
    expect(JSON.parse(body)).toEqual({ model: 'test-model', messages: question.messages, max_tokens: 16, temperature: 0 })
  })

  test('carries a connection’s own authorization instead of the key, and none without either', async () => {
    const server = await faultServer(reply(200, completion()))
    await ask(clientFor(server.baseUrl, { headers: { Authorization: 'Token other' } }))
    await ask(clientFor(server.baseUrl, { apiKey: null }))
    expect(server.received()[0]).toContain('authorization: Token other\r\n')
    expect(server.received()[0]).not.toContain(apiKey)
    expect(server.received()[1]).not.toMatch(/authorization/i)
  })

  test('leaves out what is not set and asks for usage when streaming', async () => {
    const server = await faultServer(reply(200, completion()))
    const client = clientFor(server.baseUrl, { streaming: true })
    await client.call({ ...question, temperature: null, stop: ['\n\n'] }, { signal: never })
    expect(JSON.parse(server.received()[0]?.split('\r\n\r\n')[1] ?? '')).toEqual({
      model: 'test-model',
      messages: question.messages,
      max_tokens: 16,
      stop: ['\n\n'],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('is recorded byte for byte, and so is the reply', async () => {
    const server = await faultServer(reply(200, completion()))
    const answer = answerIn(await ask(clientFor(server.baseUrl)))
    expect(textOf(answer.request)).toBe(server.received()[0]?.split('\r\n\r\n')[1])
    expect(textOf(answer.response)).toBe(completion())
    expect(answer.httpStatus).toBe(200)
    expect(answer.latencyMs).toBeGreaterThan(0)
  })
})

describe('an answer', () => {
  const cases: readonly [string, string, object][] = [
    [
      'with text and usage',
      completion(),
      { output: '4', finishReason: 'stop', refused: false, usage: { inputTokens: 5, outputTokens: 1 } },
    ],
    ['without usage', completion({ usage: undefined }), { output: '4', usage: null }],
    ['with half a usage', completion({ usage: { prompt_tokens: 5 } }), { usage: null }],
    ['with usage as text', completion({ usage: { prompt_tokens: '5', completion_tokens: '1' } }), { usage: null }],
    ['with negative usage', completion({ usage: { prompt_tokens: 5, completion_tokens: -1 } }), { usage: null }],
    ['with impossible usage', completion({ usage: { prompt_tokens: 1e30, completion_tokens: 1 } }), { usage: null }],
    ['without content', completion({}, { content: null }), { output: '', refused: false }],
    ['without content or reason', '{"choices":[{"message":{"content":null}}]}', { output: '', finishReason: null }],
    ['that is a refusal', completion({}, { content: null, refusal: 'No.' }), { output: 'No.', refused: true }],
    ['cut off by the limit', completion({}, {}, 'length'), { output: '4', finishReason: 'length' }],
    [
      'that was filtered',
      completion({}, { content: '' }, 'content_filter'),
      { output: '', finishReason: 'content_filter', refused: false },
    ],
    [
      'in parts',
      completion({}, { content: [{ type: 'text', text: '4' }, { type: 'image' }, { type: 'text', text: '2' }] }),
      { output: '42' },
    ],
    ['with half a surrogate pair', completion({}, { content: '4\ud800' }), { output: '4\ufffd' }],
    ['after a byte order mark', `\ufeff${completion()}`, { output: '4' }],
    ['with null for an error', completion({ error: null }), { output: '4' }],
    [
      'of several choices',
      JSON.stringify({ choices: [1, 0].map(index => ({ index, message: { content: `no. ${index}` } })) }),
      { output: 'no. 0' },
    ],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    expect(await outcomeOf(reply(200, body))).toMatchObject({ ok: true, ...expected })
  })

  test('with bytes that are no UTF-8 has U+FFFD in their place', async () => {
    const [before = '', after = ''] = completion({}, { content: '4#' }).split('#')
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)])
    expect(answerIn(await outcomeOf(reply(200, body))).output).toBe('4\ufffd\ufffd')
  })

  test.each(['gzip', 'deflate', 'br', 'zstd'] as const)('compressed with %s, though nobody asked for it', async encoding => {
    const zlib = await import('node:zlib')
    const compress = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync, zstd: zlib.zstdCompressSync }[encoding]
    const answer = answerIn(await outcomeOf(reply(200, compress(completion()), { 'content-encoding': encoding })))
    expect(answer.output).toBe('4')
    expect(textOf(answer.response)).toBe(completion())
  })
})
