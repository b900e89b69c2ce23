import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionProtocol } from '../../../src/contract/connections/connections.schemas.ts'
import type { MediaPart } from '../../../src/contract/messages/messages.schemas.ts'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { type MediaFile, MediaMissingError, type MediaSource } from '../../../src/engine/clients/media-source.ts'
import { partFault, type SpokenProtocol } from '../../../src/engine/clients/wire/sent-parts.ts'
import { openModelClient } from '../../../src/engine/clients/open-model-client.ts'

/** The page of the guide, whose table is compared with what servers get. */
const page = readFileSync(new URL('../../../resources/docs/guide/what-a-model-is-shown.md', import.meta.url), 'utf8')

const bodies: Buffer[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    bodies.push(Buffer.concat(chunks))
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"seen"}}')
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

function keep(bytes: string, mediaType: string) {
  const media = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  stored.set(media, { bytes: Buffer.from(bytes), mediaType })
  return { media, base64: Buffer.from(bytes).toString('base64') }
}
const png = keep('a png', 'image/png')
const gif = keep('a gif', 'image/gif')
const webp = keep('a webp', 'image/webp')
const wav = keep('a wav', 'audio/wav')
const mp3 = keep('an mp3', 'audio/mpeg')
const flac = keep('a flac', 'audio/flac')
const pdf = keep('a pdf', 'application/pdf')
type Kept = ReturnType<typeof keep>

const image = ({ media }: Kept): MediaPart => ({ type: 'image', media, detail: 'low', alt: 'SECRET' })
const audio = ({ media }: Kept): MediaPart => ({ type: 'audio', media, transcript: 'SECRET' })
const document = ({ media }: Kept, title?: string): MediaPart => ({ type: 'document', media, ...(title && { title }) })
const text = { type: 'text', text: 'What is it?' } as const

/** The body that the server gets, byte for byte, or why there is none. */
async function shown(protocol: ConnectionProtocol, part: MediaPart): Promise<string> {
  const before = bodies.length
  const client = openModelClient(protocol, {
    baseUrl: protocol === 'ollama' ? origin : protocol === 'gemini' ? `${origin}/v1beta` : `${origin}/v1`,
    model: 'm',
    apiKey: null,
    headers: {},
    streaming: false,
    attemptTimeoutMs: 60_000,
    connections: 1,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    media,
  })
  const outcome = await client.call(
    { messages: [{ role: 'user', content: [part, text] }], temperature: 0, maxOutputTokens: 100, stop: [] },
    { signal: new AbortController().signal },
  )
  await client.close()
  const sent = bodies.slice(before).map(body => body.toString())
  if (sent.length === 0) return outcome.ok ? 'an answer without a request' : outcome.message
  return sent.join('\n')
}

const chat = (...parts: readonly object[]) => JSON.stringify([{ role: 'user', content: [...parts, text] }])
const url = (kept: Kept, type: string) => `data:${type};base64,${kept.base64}`
const inChat = { type: 'image_url', image_url: { url: url(png, 'image/png'), detail: 'low' } }
const spoken = (kept: Kept, format: string) => ({ type: 'input_audio', input_audio: { data: kept.base64, format } })
const inText = { type: 'input_text', text: text.text }
const gemini = (mimeType: string, kept: Kept) =>
  JSON.stringify([{ role: 'user', parts: [{ inlineData: { mimeType, data: kept.base64 } }, { text: text.text }] }])

describe('what the guide says is what a server gets, byte for byte', () => {
  test.each<[string, ConnectionProtocol, MediaPart, string]>([
    ['OpenAI chat', 'openai_chat', image(png), chat(inChat)],
    ['OpenAI chat', 'openai_chat', audio(wav), chat(spoken(wav, 'wav'))],
    ['OpenAI chat', 'openai_chat', audio(mp3), chat(spoken(mp3, 'mp3'))],
    [
      'OpenAI chat',
      'openai_chat',
      document(pdf, 'Paper'),
      chat({ type: 'file', file: { filename: 'Paper', file_data: url(pdf, 'application/pdf') } }),
    ],
    [
      'OpenAI responses',
      'openai_responses',
      image(png),
      JSON.stringify([{ role: 'user', content: [{ type: 'input_image', image_url: url(png, 'image/png'), detail: 'low' }, inText] }]),
    ],
    [
      'OpenAI responses, a document without a title',
      'openai_responses',
      document(pdf),
      JSON.stringify([
        { role: 'user', content: [{ type: 'input_file', filename: 'document.pdf', file_data: url(pdf, 'application/pdf') }, inText] },
      ]),
    ],
    [
      'Anthropic messages',
      'anthropic_messages',
      image(png),
      chat({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.base64 } }),
    ],
    [
      'Anthropic messages',
      'anthropic_messages',
      document(pdf, 'Paper'),
      chat({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf.base64 }, title: 'Paper' }),
    ],
    ['Gemini', 'gemini', image(webp), gemini('image/webp', webp)],
    ['Gemini', 'gemini', audio(mp3), gemini('audio/mp3', mp3)],
    ['Gemini, which has no place for a title', 'gemini', document(pdf, 'Paper'), gemini('application/pdf', pdf)],
    ['Ollama', 'ollama', image(png), JSON.stringify([{ role: 'user', content: text.text, images: [png.base64] }])],
    ['llama.cpp', 'llama_cpp', image(png), chat(inChat)],
    ['llama.cpp', 'llama_cpp', audio(wav), chat(spoken(wav, 'wav'))],
    ['vLLM', 'vllm', image(png), chat(inChat)],
    ['vLLM', 'vllm', audio(flac), chat(spoken(flac, 'flac'))],
  ])('%s: %s is sent %j', async (_, protocol, part, expected) => {
    const body = await shown(protocol, part)
    expect(body).toContain(expected)
    expect(body).not.toContain('SECRET')
  })

  test.each<[ConnectionProtocol, MediaPart, string]>([
    ['openai_responses', audio(wav), 'no audio'],
    ['anthropic_messages', audio(wav), 'no audio'],
    ['gemini', image(gif), 'no image/gif'],
    ['ollama', image(gif), 'no image/gif'],
    ['ollama', audio(wav), 'no audio'],
    ['ollama', document(pdf), 'no documents'],
    ['llama_cpp', image(webp), 'no image/webp'],
    ['llama_cpp', audio(flac), 'no audio/flac'],
    ['llama_cpp', document(pdf), 'no documents'],
    ['vllm', document(pdf), 'no documents'],
    ['openai_chat', audio(flac), 'no audio/flac'],
    ['openai_completions', image(png), 'no images'],
  ])('%s gets no %j, and nothing in its place', async (protocol, part, expected) => {
    expect(await shown(protocol, part)).toContain(expected)
  })
})

test.each<[SpokenProtocol, readonly string[], readonly string[]]>([
  ['openai_chat', [], []],
  ['openai_responses', [], ['image', 'document']],
  ['anthropic_messages', [], ['image', 'document']],
  ['gemini', ['image', 'audio'], []],
  ['ollama', [], []],
  ['llama_cpp', [], []],
  ['vllm', [], []],
])('of files, %s takes %j in turns of the model and %j in results of tools', (protocol, ofModel, ofTool) => {
  const parts = [image(png), audio(wav), document(pdf)]
  const taken = (role: 'assistant' | 'tool') => parts.flatMap(part => (partFault(protocol, role, part) === null ? [part.type] : []))
  expect([taken('assistant'), taken('tool')]).toEqual([ofModel, ofTool])
})

test('the table of the guide has a dash exactly where a protocol has no form', () => {
  const rows = page.split('\n').flatMap(line => {
    const [, protocol, ...cells] = line.split('|').map(cell => cell.trim())
    return protocol !== undefined && cells.length === 4 && !/^-*$/.test(protocol)
      ? [[protocol, cells.slice(0, 3).map(cell => cell !== '–')]]
      : []
  })
  expect(Object.fromEntries(rows)).toMatchObject({
    'OpenAI chat': [true, true, true],
    'OpenAI responses': [true, false, true],
    'Anthropic messages': [true, false, true],
    Gemini: [true, true, true],
    Ollama: [true, false, false],
    'llama.cpp': [true, true, false],
    vLLM: [true, true, false],
    'Text completions, agents, GGUF files': [false, false, false],
  })
})
