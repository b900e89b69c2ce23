import { expect, test } from 'vitest'
import { answeredFiles, countAnsweredFiles, storedFiles } from '../../../src/lib/answered-files.ts'
import { shownType } from '../../../src/renderer/media/shown-type.ts'
import { makePng, makeWav } from '../../support/media.ts'

const png = makePng([1, 2, 3]).toString('base64')

test.each([
  [
    'OpenRouter',
    { choices: [{ message: { content: 'x', images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] } }] },
  ],
  [
    'parts of a chat',
    {
      choices: [
        {
          message: {
            content: [
              { type: 'text', text: 'x' },
              { type: 'image', source: { data: png } },
            ],
          },
        },
      ],
    },
  ],
  [
    'OpenAI responses',
    {
      output: [
        { type: 'message', content: [] },
        { type: 'image_generation_call', result: png },
      ],
    },
  ],
  ['Gemini', { candidates: [{ content: { parts: [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: png } }] } }] }],
])('a file in a reply of %s is found with its bytes', (_provider, reply) => {
  expect(answeredFiles(reply)).toEqual([{ base64: png }])
})

test('a file that is named alone is counted, and anything else is none', () => {
  expect(answeredFiles({ choices: [{ message: { images: [{ image_url: { url: 'https://example.org/a.png' } }] } }] })).toEqual([
    { base64: null },
  ])
  expect(answeredFiles({ candidates: [{ content: { parts: [{ fileData: { fileUri: 'files/1' } }] } }] })).toEqual([{ base64: null }])
  for (const other of [
    null,
    'text',
    [],
    { choices: 'x' },
    { choices: [null, { message: { content: 'text' } }] },
    { output: [{ type: 'message' }] },
    // A thought of Gemini.
    { candidates: [{ content: { parts: [{ thought: true, inlineData: { mimeType: 'image/png', data: png } }] } }] },
  ])
    expect(answeredFiles(other)).toEqual([])
})

test('files of a streamed response are found among its events', () => {
  const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]
  const events = [{ choices: [{ delta: { content: 'x' } }] }, { choices: [{ delta: { images } }] }, { choices: [{ delta: {} }] }]
  const streamed = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
  expect(storedFiles(`: hello\n\n${streamed}data: [DONE]\n\n`)).toEqual([{ base64: png }])
  expect(storedFiles(JSON.stringify({ choices: [{ message: { images } }] }))).toEqual([{ base64: png }])
  for (const none of ['', 'text', 'data: {cut', 'null']) expect(storedFiles(none)).toEqual([])
})

const wav = makeWav(40, 24_000)
/** Its samples, as providers send them without a header. */
const samples = wav.subarray(44)

test('a recording is found with its words, and under a header where its provider sends samples alone', () => {
  const whole = { base64: wav.toString('base64'), transcript: 'Hello' }
  const chat = (data: Buffer) => ({
    choices: [{ message: { content: null, audio: { id: 'a', data: data.toString('base64'), transcript: 'Hello' } } }],
  })
  expect(answeredFiles(chat(wav))).toEqual([whole])
  expect(answeredFiles(chat(samples))).toEqual([whole])
  const part = { type: 'output_audio', data: samples.toString('base64'), transcript: 'Hello' }
  expect(answeredFiles({ output: [{ type: 'message', content: [part] }] })).toEqual([whole])
  const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples.toString('base64') }
  expect(answeredFiles({ candidates: [{ content: { parts: [{ inlineData }] } }] })).toEqual([{ base64: whole.base64 }])
  for (const kept of [Buffer.from('ID3\x04'), Buffer.from('fLaC'), Buffer.from('OggS'), Buffer.from([0xff, 0xfb, 0x90, 0])])
    expect(answeredFiles(chat(kept))[0]?.base64).toBe(kept.toString('base64'))
})

test('a recording that is streamed in pieces is one file', () => {
  const third = samples.length / 4
  const pieces = [samples.subarray(0, third), samples.subarray(third, third + 2), samples.subarray(third + 2)]
  const events = [
    { choices: [{ delta: { role: 'assistant', audio: { id: 'a', transcript: 'Hel' } } }] },
    ...pieces.map(data => ({ choices: [{ delta: { audio: { data: data.toString('base64') } } }] })),
    { choices: [{ delta: { audio: { transcript: 'lo' } } }] },
    { choices: [{ delta: { audio: { expires_at: 1 } }, finish_reason: 'stop' }] },
  ]
  const streamed = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
  expect(storedFiles(`${streamed}data: [DONE]\n\n`)).toEqual([{ base64: wav.toString('base64'), transcript: 'Hello' }])
})

test.each([
  ['-1', [0xff, 0xff]],
  ['-257', [0xff, 0xfe]],
  ['-31', [0xe1, 0xff]],
])('samples that begin with %s are a recording that pages play', (_first, bytes) => {
  const data = Buffer.from([...bytes, ...samples.subarray(2)]).toString('base64')
  const [file] = answeredFiles({ choices: [{ message: { audio: { data } } }] })
  expect(shownType(file?.base64 ?? '')).toBe('audio/wav')
  expect(Buffer.from(file?.base64 ?? '', 'base64').subarray(44)).toEqual(Buffer.from(data, 'base64'))
})

const streamOf = (...events: readonly object[]) => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
const piece = (data: string, index = 0) => ({ choices: [{ index, delta: { audio: { data } } }] })

test('recordings of several choices are a file each', () => {
  const [first, second] = [samples.subarray(0, 6), samples.subarray(0, 12)].map(bytes => bytes.toString('base64'))
  const both = [piece(first ?? ''), piece(second ?? '', 1), piece(first ?? '')]
  expect(storedFiles(streamOf(...both)).map(({ base64 }) => Buffer.from(base64 ?? '', 'base64').length - 44)).toEqual([12, 12])
})

test('pieces are joined wherever they are cut, and what is not base64 is no silence', () => {
  const text = samples.toString('base64')
  const whole = [{ base64: wav.toString('base64') }]
  expect(storedFiles(streamOf(piece(text.slice(0, 5)), piece(text.slice(5, 11)), piece(text.slice(11))))).toEqual(whole)
  expect(storedFiles(streamOf(piece('_-__'), piece('AAAA')))).toEqual([{ base64: '_-__AAAA' }])
  expect(answeredFiles({ choices: [{ message: { audio: { data: '_-__' } } }] })).toEqual([{ base64: '_-__' }])
})

test('files are counted without being decoded', () => {
  const audio = { data: 'never decoded: not base64' }
  expect(countAnsweredFiles({ choices: [{ message: { audio, images: [{ url: 'x' }] } }] })).toBe(2)
  expect(countAnsweredFiles(piece('AAAA'))).toBe(1)
})
