import { expect, test } from 'vitest'
import { answeredFiles, storedFiles } from '../../../src/lib/answered-files.ts'
import { makePng } from '../../support/media.ts'

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
  ['OpenAI chat', { choices: [{ message: { content: null, audio: { id: 'a', data: png, transcript: 'x' } } }] }],
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
