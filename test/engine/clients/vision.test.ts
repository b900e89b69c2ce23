import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionProtocol } from '../../../src/contract/connections/connections.schemas.ts'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { type MediaFile, MediaMissingError, type MediaSource, NotResizedError } from '../../../src/engine/clients/media-source.ts'
import { cacheKey } from '../../../src/engine/execution/scheduler/cache-key.ts'
import { examineAnswer } from '../../../src/engine/clients/examine-answer.ts'
import { storedFiles } from '../../../src/lib/answered-files.ts'
import type { CallOutcome, ModelRequest } from '../../../src/engine/clients/model-client.ts'
import { openModelClient } from '../../../src/engine/clients/open-model-client.ts'
import { usualTokens } from '../../../src/engine/clients/pricing/pricing.ts'
import { describeRequest, restoreRequest } from '../../../src/engine/clients/wire/condensed-request.ts'
import { makePng, makeWav } from '../../support/media.ts'
import { answerIn, failureIn } from './client-under-test.ts'

/** Pictures of each protocol; 500 with `npm run test:vision`. */
const pictures = Number(process.env['VISION_PICTURES'] ?? 60)

const uri = 'data:image/png;base64,'
/** Where each protocol's picture is, in the first object that has the key. */
const base64Of: Readonly<Record<string, (body: unknown) => string | undefined>> = {
  '/v1/chat/completions': body => at(body, 'image_url', 'url')?.replace(uri, ''),
  '/v1/responses': body => at(body, 'image_url')?.replace(uri, ''),
  '/v1/messages': body => (at(body, 'source', 'media_type') === 'image/png' ? at(body, 'source', 'data') : undefined),
  '/api/chat': body => at(body, 'images', '0'),
  '/v1beta/models/m:generateContent': body => at(body, 'inlineData', 'data'),
}

function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return []
  const own = { ...value }
  return [own, ...Object.values(own).flatMap(objectsIn)]
}

function at(body: unknown, key: string, ...path: readonly string[]): string | undefined {
  let value: unknown = objectsIn(body).find(one => one[key] !== undefined)?.[key]
  for (const step of path) value = objectsIn(value)[0]?.[step]
  return typeof value === 'string' ? value : undefined
}

/** Colour and size of a PNG of one colour, or why it is none. */
function look(base64: string | undefined): string {
  if (base64 === undefined) return 'no picture'
  const png = Buffer.from(base64, 'base64')
  if (png.toString('latin1', 1, 4) !== 'PNG') return 'no PNG'
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const pixels = inflateSync(Buffer.concat(data))
  return `${pixels[1]},${pixels[2]},${pixels[3]} ${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

const replies: Record<string, (text: string) => object> = {
  '/v1/chat/completions': text => ({ choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }),
  '/v1/responses': text => ({ status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text }] }] }),
  '/v1/messages': text => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  '/api/chat': text => ({ message: { content: text }, done_reason: 'stop' }),
  '/v1beta/models/m:generateContent': text => ({
    candidates: [{ content: { parts: [{ text: 'I see.', thought: true }, { text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 270, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 277 },
  }),
}

const bodies: string[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url ?? ''
    const body = Buffer.concat(chunks).toString('utf8')
    bodies.push(body)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(replies[path]?.(look(base64Of[path]?.(JSON.parse(body)))) ?? {}))
  })
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server that listens on a port has an address of this form
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const stored = new Map<string, MediaFile>()
const media: MediaSource = {
  read: async digest => {
    const file = stored.get(digest)
    if (!file) throw new MediaMissingError(digest)
    return file
  },
}

function keep(bytes: Uint8Array, mediaType = 'image/png'): string {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  stored.set(digest, { bytes, mediaType })
  return digest
}

const question = (...content: Exclude<ModelRequest['messages'][number]['content'], string>): ModelRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Which colour, which size?' }, ...content] }],
  temperature: 0,
  maxOutputTokens: 100,
  stop: [],
})

const clientOf = (protocol: ConnectionProtocol, source = media, model = 'm') =>
  openModelClient(protocol, {
    baseUrl: protocol === 'ollama' ? origin : protocol === 'gemini' ? `${origin}/v1beta` : `${origin}/v1`,
    model,
    apiKey: null,
    headers: {},
    streaming: false,
    attemptTimeoutMs: 60_000,
    connections: 4,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    media: source,
  })
const signal = new AbortController().signal

const seeing = ['openai_chat', 'openai_responses', 'anthropic_messages', 'gemini', 'ollama', 'llama_cpp', 'vllm'] as const

/** Reads files into memory of the caller, as the service does. */
const lending: MediaSource = {
  read: async (digest, _, room = Buffer.alloc) => {
    const { bytes, mediaType } = await media.read(digest)
    const into = room(bytes.length)
    into.set(bytes)
    return { bytes: into.subarray(0, bytes.length), mediaType }
  },
}

test('calls that use the memory of earlier ones send their own pictures, and their requests are put back byte for byte', async () => {
  const client = clientOf('openai_chat', lending)
  const of = (n: number) => ({
    color: `${n},${n},9 3x3`,
    media: keep(makePng([n, n, 9], { width: 3, height: 3, extra: [['teXt', randomBytes(50_000 + 1000 * n)]] })),
  })
  const ask = ({ media }: { readonly media: string }) => client.call(question({ type: 'image', media }), { signal })
  const before = bodies.length
  const shown = Array.from({ length: 40 }, (_, n) => of(n))
  const outcomes: CallOutcome[] = []
  // A few at a time, so that memory that was given back is in use again, and some are broken off on their way.
  const loop = async (first: number) => {
    for (let n = first; n < shown.length; n += 4) {
      const [one, stop] = [shown[n], new AbortController()]
      if (!one) throw new Error(`There is no picture ${n}.`)
      if (n % 7 === 3) {
        const broken = client.call(question({ type: 'image', media: one.media }), { signal: stop.signal })
        setTimeout(() => stop.abort(), n % 5)
        await broken
      }
      outcomes[n] = await ask(one)
    }
  }
  await Promise.all([0, 1, 2, 3].map(loop))
  expect(outcomes.map(outcome => answerIn(outcome).output)).toEqual(shown.map(({ color }) => color))
  const sent = new Set(bodies.slice(before))
  expect(sent.size).toBe(shown.length)
  for (const outcome of outcomes) {
    const whole = await restoreRequest(answerIn(outcome).request ?? Buffer.alloc(0), lending)
    expect(sent.has(Buffer.from(whole).toString())).toBe(true)
  }
  await client.close()
})

describe.each(seeing)('a picture through %s', protocol => {
  test('arrives as its bytes, and one byte changed is one wrong', async () => {
    const client = clientOf(protocol)
    const expected: string[] = []
    const answers: string[] = []
    for (let n = 0; n < pictures; n++) {
      const color = [n % 256, (7 * n) % 256, (31 * n) % 256] as const
      const [width, height] = [1 + (n % 9), 1 + (n % 7)]
      expected.push(`${color.join(',')} ${width}x${height}`)
      const bytes = makePng(n === 17 ? [color[0], color[1], (color[2] + 1) % 256] : color, { width, height })
      const outcome = await client.call(question({ type: 'image', media: keep(bytes), alt: 'secret' }), { signal })
      answers.push(answerIn(outcome).output)
    }
    expect(answers.flatMap((answer, n) => (answer === expected[n] ? [] : [n]))).toEqual([17])
    await client.close()
  })

  test('is kept by its digest and put back byte for byte', async () => {
    const client = clientOf(protocol)
    const bytes = makePng([1, 2, 3], { width: 40, height: 40, extra: [['teXt', Buffer.alloc(20_000, 'x')]] })
    const digest = keep(bytes)
    const outcome = await client.call(question({ type: 'image', media: digest }, { type: 'image', media: digest }), { signal })
    const sent = bodies.at(-1) ?? ''
    const kept = answerIn(outcome).request ?? new Uint8Array()
    expect(sent).toContain(Buffer.from(bytes).toString('base64'))
    expect(kept.length).toBeLessThan(2_000)
    expect(Buffer.from(describeRequest(kept)).toString('utf8')).toBe(sent.replaceAll(Buffer.from(bytes).toString('base64'), digest))
    expect(Buffer.from(await restoreRequest(kept, media)).toString('utf8')).toBe(sent)
    await expect(restoreRequest(kept, { read: async () => ({ bytes: Buffer.from('other'), mediaType: 'image/png' }) })).rejects.toThrow(
      'has changed',
    )
    await client.close()
  })
})

test.each([
  [
    '/v1/chat/completions',
    'openai_chat',
    { choices: [{ message: { content: 'Here.', images: [{ type: 'image_url' }] }, finish_reason: 'stop' }] },
  ],
  [
    '/v1/chat/completions',
    'vllm',
    { choices: [{ message: { content: [{ type: 'text', text: 'Here.' }, { type: 'image_url' }] }, finish_reason: 'stop' }] },
  ],
  [
    '/v1/responses',
    'openai_responses',
    {
      status: 'completed',
      output: [{ type: 'image_generation_call' }, { type: 'message', content: [{ type: 'output_text', text: 'Here.' }] }],
    },
  ],
  [
    '/v1beta/models/m:generateContent',
    'gemini',
    {
      candidates: [
        { content: { parts: [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: 'eA==' } }] }, finishReason: 'STOP' },
      ],
    },
  ],
] as const)('an image in an answer of %s through %s is noted, and the text beside it is the answer', async (path, protocol, reply) => {
  const usual = replies[path] ?? (() => ({}))
  replies[path] = () => reply
  const client = clientOf(protocol)
  const answer = answerIn(await client.call(question({ type: 'image', media: keep(makePng([5, 5, 5])) }), { signal }))
  expect(answer).toMatchObject({ output: 'Here.', notes: [expect.objectContaining({ code: 'answer_holds_files' })] })
  replies[path] = usual
  const plain = answerIn(await client.call(question({ type: 'image', media: keep(makePng([5, 5, 5])) }), { signal }))
  expect(plain.notes ?? []).toEqual([])
  await client.close()
})

test.each([
  [
    '/v1/responses',
    'openai_responses',
    (data: string) => ({ status: 'completed', output: [{ type: 'image_generation_call', result: data }] }),
  ],
  [
    '/v1beta/models/m:generateContent',
    'gemini',
    (data: string) => ({ candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data } }] }, finishReason: 'STOP' }] }),
  ],
] as const)('an answer of %s that is a picture of 3 MB alone arrives whole, and is none that is empty', async (path, protocol, reply) => {
  const usual = replies[path] ?? (() => ({}))
  const drawn = makePng([4, 5, 6], { extra: [['teXt', randomBytes(3_000_000)]] }).toString('base64')
  replies[path] = () => reply(drawn)
  const client = clientOf(protocol)
  const asked = answerIn(await client.call(question({ type: 'image', media: keep(makePng([5, 5, 5])) }), { signal }))
  const answer = examineAnswer(asked, { gradesReasoning: false, offersTools: false })
  expect(answer.output).toBe('')
  expect(answer.notes?.map(({ code }) => code)).toEqual(['answer_holds_files'])
  expect(storedFiles(Buffer.from(answer.response ?? new Uint8Array()).toString()).map(({ base64 }) => base64 === drawn)).toEqual([true])
  replies[path] = usual
  await client.close()
})

const spoken = makeWav(200, 24_000)
const samplesAlone = spoken.subarray(44).toString('base64')
test.each([
  [
    '/v1/chat/completions',
    'openai_chat',
    { choices: [{ message: { content: null, audio: { id: 'a', data: samplesAlone, transcript: 'A river.' } }, finish_reason: 'stop' }] },
    'A river.',
  ],
  [
    '/v1/responses',
    'openai_responses',
    {
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_audio', data: samplesAlone, transcript: 'A river.' }] }],
    },
    'A river.',
  ],
  [
    '/v1beta/models/m:generateContent',
    'gemini',
    {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samplesAlone } }] }, finishReason: 'STOP' },
      ],
    },
    undefined,
  ],
] as const)('an answer of %s that is spoken is a file with its words, and no text that is graded', async (path, protocol, reply, words) => {
  const usual = replies[path] ?? (() => ({}))
  replies[path] = () => reply
  const client = clientOf(protocol)
  const answer = examineAnswer(answerIn(await client.call(question({ type: 'image', media: keep(makePng([5, 5, 5])) }), { signal })), {
    gradesReasoning: false,
    offersTools: false,
  })
  expect(answer).toMatchObject({ output: '', notes: [expect.objectContaining({ code: 'answer_holds_files' })] })
  const [file, other] = storedFiles(Buffer.from(answer.response ?? new Uint8Array()).toString())
  expect([file?.base64 === spoken.toString('base64'), file?.transcript, other]).toEqual([true, words, undefined])
  replies[path] = usual
  await client.close()
})

test('Gemini’s thoughts, counts and signatures are read', async () => {
  const client = clientOf('gemini')
  const answer = answerIn(await client.call(question({ type: 'image', media: keep(makePng([9, 9, 9])) }), { signal }))
  expect(answer).toMatchObject({
    output: '9,9,9 8x8',
    reasoning: 'I see.',
    finishReason: 'STOP',
    usage: { inputTokens: 270, outputTokens: 7 },
  })
  await client.close()
})

test.each([
  ['openai_completions', { type: 'image', media: keep(makePng([1, 1, 1])) }, 'OpenAI completions takes no images.'],
  ['anthropic_messages', { type: 'audio', media: keep(Buffer.from('RIFF'), 'audio/wav') }, 'Anthropic messages takes no audio.'],
  ['llama_cpp', { type: 'image', media: keep(Buffer.from('RIFFWEBP'), 'image/webp') }, 'llama.cpp takes no image/webp.'],
  ['vllm', { type: 'document', media: keep(Buffer.from('%PDF'), 'application/pdf') }, 'takes no documents.'],
  ['openai_chat', { type: 'image', media: `sha256:${'0'.repeat(64)}` }, 'is missing. Import its data again.'],
] as const)('%s never leaves a part out: %j', async (protocol, part, message) => {
  const before = bodies.length
  const client = clientOf(protocol)
  const failure = failureIn(await client.call(question(part), { signal }))
  expect(failure).toMatchObject({ code: 'bad_request', request: null, message: expect.stringContaining(message) })
  expect(bodies.length).toBe(before)
  await client.close()
})

test('a picture above the limit is sent as its source resizes it; note and transcript name both files', async () => {
  const [large, small] = [keep(makePng([1, 2, 3], { width: 40, height: 40 })), keep(makePng([1, 2, 3]))]
  const source: MediaSource = {
    read: async (digest, most) => (digest === large && most === 64 ? { ...(await media.read(small)), digest: small } : media.read(digest)),
  }
  const client = clientOf('anthropic_messages', source)
  const outcome = answerIn(await client.call({ ...question({ type: 'image', media: large }), maxImagePixels: 64 }, { signal }))
  expect(outcome.output).toBe('1,2,3 8x8')
  expect(outcome.notes).toEqual([
    { code: 'image_resized', message: `The image ${large} was resized to at most 64 pixels (max_image_pixels) and sent as ${small}.` },
  ])
  expect(Buffer.from(describeRequest(outcome.request ?? new Uint8Array())).toString()).toContain(`"${small} resized from ${large}"`)
  expect(Buffer.from(await restoreRequest(outcome.request ?? new Uint8Array(), media)).toString()).toBe(bodies.at(-1))
  const asked = { ...question({ type: 'image', media: large }), maxImagePixels: 64 }
  const refused = await clientOf('anthropic_messages', { read: () => Promise.reject(new NotResizedError('No codec.')) }).call(asked, {
    signal,
  })
  expect(refused).toMatchObject({ ok: false, code: 'bad_request', message: 'No codec.', request: null })
  const { maxImagePixels: _, ...whole } = asked
  const scope = { endpoint: 'e', model: 'm', read: true }
  expect(cacheKey(scope, asked, 0)).not.toEqual(cacheKey(scope, whole, 0))
  await client.close()
})

test('a request whose files have more than 100 MB together is not sent', async () => {
  const before = bodies.length
  const client = clientOf('openai_chat')
  const large = Array.from({ length: 9 }, (_, i) => keep(Buffer.alloc(20_000_000, i)))
  const failure = failureIn(await client.call(question(...large.map(image => ({ type: 'image' as const, media: image }))), { signal }))
  expect(failure).toMatchObject({ code: 'bad_request', request: null, message: expect.stringContaining('may have 100 MB together') })
  expect(bodies.length).toBe(before)
  for (const digest of large) stored.delete(digest)
  await client.close()
})

test('a request that has the same text as its marks is put back all the same', async () => {
  const client = clientOf('openai_chat')
  const digest = keep(makePng([4, 4, 4]))
  const request = question({ type: 'image', media: digest })
  const asked = { ...request, messages: [{ role: 'user' as const, content: `${digest} data:image/png;base64,` }, ...request.messages] }
  const { request: kept } = answerIn(await client.call(asked, { signal }))
  expect(Buffer.from(await restoreRequest(kept ?? new Uint8Array(), media)).toString('utf8')).toBe(bodies.at(-1))
  await client.close()
})

test('what a call takes of tokens a minute has its files by the provider’s rule, as often and as large as they are sent', () => {
  const shown = { media_type: 'image/png', width: 1000, height: 1000, duration_ms: null, pages: null } as const
  const source: MediaSource = {
    ...media,
    facts: (digests, most) =>
      new Map(digests.filter(one => one === digest).map(one => [one, most === undefined ? shown : { ...shown, width: 500, height: 500 }])),
  }
  const digest = `sha256:${'a'.repeat(64)}` as const
  const part = { type: 'image', media: digest } as const
  const one = question(part)
  const text = usualTokens(one, null)
  const claude = clientOf('anthropic_messages', source, 'claude-sonnet-4-5')
  expect(usualTokens(one, claude)).toBe(text + 1_296)
  expect(usualTokens(question(part, part), claude)).toBe(text + 2 * 1_296)
  expect(usualTokens({ ...one, maxImagePixels: 250_000 }, claude)).toBe(text + 324)
  expect(usualTokens(question({ type: 'image', media: `sha256:${'b'.repeat(64)}` }), claude)).toBe(text)
  expect(usualTokens(one, clientOf('openai_chat', source, 'gpt-4o'))).toBe(text + 765)
  expect(usualTokens(question({ ...part, detail: 'low' }), clientOf('openai_chat', source, 'gpt-4o'))).toBe(text + 85)
  expect(usualTokens(one, clientOf('openai_chat', source, 'a-model-without-a-rule'))).toBe(text)
})
