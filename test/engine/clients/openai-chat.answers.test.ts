import { describe, expect, test } from 'vitest'
import { answerIn, apiKey, ask, clientFor, failureIn, faultServer, outcomeOf, question, textOf } from './client-under-test.ts'
import { httpHead } from '../../journeys/model-server/fault-server.ts'
import { completion, delta, done, event, finish, httpChunk, reply } from './scripted-replies.ts'

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

  const [before = '', after = ''] = completion({}, { content: '4#' }).split('#')
  const holding = (...bytes: number[]) => Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
  const typed = (charset: string) => ({ 'content-type': `application/json${charset}` })
  const damaged = expect.objectContaining({ code: 'text_damaged' })

  test.each(['', '; charset=utf-8', '; charset=unheard-of', '; charset='])(
    'with bytes that are no UTF-8 has U+FFFD in their place, and a note: “%s”',
    async charset => {
      const answer = answerIn(await outcomeOf(reply(200, holding(0xff, 0xfe), typed(charset))))
      expect(answer).toMatchObject({ output: '4\ufffd\ufffd', notes: [damaged] })
    },
  )

  test('that holds U+FFFD itself has no note', async () => {
    expect(answerIn(await outcomeOf(reply(200, completion({}, { content: '4\ufffd' }))))).not.toHaveProperty('notes')
  })

  test.each(['reasoning_content', 'tool_calls'])('with damaged %s has the note, too', async field => {
    const value = field === 'tool_calls' ? [{ id: 'a', function: { name: 'f', arguments: '{"a":"#"}' } }] : '#'
    const [start = '', rest = ''] = completion({}, { content: '4', [field]: value }).split('#')
    const body = Buffer.concat([Buffer.from(start), Buffer.of(0xff), Buffer.from(rest)])
    expect(answerIn(await outcomeOf(reply(200, body)))).toMatchObject({ output: '4', notes: [damaged] })
  })

  test.each([
    ['ISO-8859-1', [0xe9], '4é'],
    ['"windows-1252"', [0x80], '4€'],
    ['Shift_JIS', [0x93, 0xfa], '4日'],
    ['GBK', [0xc4, 0xe3, 0xba, 0xc3, 0xa1, 0xa3], '4你好。'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '4日'],
  ])('in the charset that its head names is read and kept as UTF-8: %s', async (charset, bytes, output) => {
    const answer = answerIn(await outcomeOf(reply(200, holding(...bytes), typed(`; Charset=${charset}`))))
    expect(answer.output).toBe(output)
    expect(answer).not.toHaveProperty('notes')
    expect(textOf(answer.response)).toContain(output)
  })

  test.each(['iso-8859-1', 'iso-8859-15', 'windows-1251', 'gbk', 'big5', 'shift_jis', 'utf-16', 'iso-2022-jp'])(
    'in UTF-8 is read as that though its head names %s, as servers do by default',
    async charset => {
      const answer = answerIn(await outcomeOf(reply(200, completion({}, { content: '4é日' }), typed(`; charset=${charset}`))))
      expect(answer.output).toBe('4é日')
      expect(textOf(answer.response)).toContain('4é日')
    },
  )

  test.each(['iso-8859-1', 'windows-1251', 'gbk', 'shift_jis', 'iso-2022-jp'])(
    'in UTF-8 with a cut character loses that alone, and has a note, though its head names %s',
    async charset => {
      const answer = answerIn(await outcomeOf(reply(200, holding(...Buffer.from('日本語'), 0xe3), typed(`; charset=${charset}`))))
      expect(answer).toMatchObject({ output: '4日本語\ufffd', notes: [damaged] })
    },
  )

  test('with bytes that are of no character in the named charset has a note', async () => {
    const answer = answerIn(await outcomeOf(reply(200, holding(0xc4, 0xe3, 0xff, 0x82), typed('; charset=gbk'))))
    expect(answer).toMatchObject({ output: expect.stringMatching(/^4你\ufffd/), notes: [damaged] })
  })

  test.each([
    ['utf-16', false, false],
    ['utf-16', false, true],
    ['utf-16', true, false],
    ['utf-16', true, true],
    ['utf-16le', true, true],
    ['utf-16be', true, false],
  ])('in %s is read, big-endian: %s, with a byte order mark: %s, and an echoed key is not kept', async (charset, isBig, isMarked) => {
    const body = Buffer.from((isMarked ? '\ufeff' : '') + completion({ echo: apiKey }, { content: '4é' }), 'utf16le')
    if (isBig) body.swap16()
    const answer = answerIn(await outcomeOf(reply(200, body, typed(`;charset=${charset}`))))
    expect(answer.output).toBe('4é')
    expect(answer).not.toHaveProperty('notes')
    expect(textOf(answer.response)).not.toContain(apiKey)
  })

  const streamed = [event(delta('4#')), event(finish()), done].join('').split('#')
  test.each([
    ['ISO-8859-1', [0xe9], '4é'],
    ['ISO-8859-1', [0xc3, 0xa9], '4é'],
    ['gbk', [0xe6, 0x97, 0xa5], '4日'],
  ])('streamed under the name of %s is read as it comes: %j', async (charset, bytes, output) => {
    const body = Buffer.concat([Buffer.from(streamed[0] ?? ''), Buffer.from(bytes), Buffer.from(streamed[1] ?? '')])
    // The server never ends the response.
    const head = httpHead(200, { 'content-type': `text/event-stream; charset=${charset}`, 'transfer-encoding': 'chunked' })
    const settings = { streaming: true, attemptTimeoutMs: 60_000 }
    const answer = answerIn(await outcomeOf([{ send: head }, { send: httpChunk(body) }], settings))
    expect(answer.output).toBe(output)
    expect(answer.latencyMs).toBeLessThan(settings.attemptTimeoutMs)
  })

  test.each([
    ['Shift_JIS', [0x83, 0x5c], '4ソ'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '4日'],
  ])('streamed in %s, which is malformed as UTF-8, is read to its end', async (charset, bytes, output) => {
    const body = Buffer.concat([Buffer.from(streamed[0] ?? ''), Buffer.from(bytes), Buffer.from(streamed[1] ?? '')])
    const script = reply(200, body, { 'content-type': `text/event-stream; charset=${charset}` })
    expect(answerIn(await outcomeOf(script, { streaming: true })).output).toBe(output)
  })

  test('that is larger than allowed once it is in UTF-8 is refused as too large', async () => {
    const body = Buffer.from(completion({}, { content: 'é'.repeat(900) }), 'latin1')
    const failure = failureIn(await outcomeOf(reply(200, body, typed('; charset=latin1')), { maxResponseBytes: 1_200 }))
    expect(failure.message).toContain('passed 1.2 kB')
  })

  test('that is an error in another charset is worded by it', async () => {
    const body = Buffer.from(JSON.stringify({ error: { message: 'Clé refusée' } }), 'latin1')
    expect(failureIn(await outcomeOf(reply(400, body, typed('; charset=latin1')))).message).toContain('Clé refusée')
  })

  test.each(['gzip', 'deflate', 'br', 'zstd'] as const)('compressed with %s, though nobody asked for it', async encoding => {
    const zlib = await import('node:zlib')
    const compress = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync, zstd: zlib.zstdCompressSync }[encoding]
    const answer = answerIn(await outcomeOf(reply(200, compress(completion()), { 'content-encoding': encoding })))
    expect(answer.output).toBe('4')
    expect(textOf(answer.response)).toBe(completion())
  })
})
