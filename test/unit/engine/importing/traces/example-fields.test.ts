import { expect, test } from 'vitest'
import { exampleFields } from '../../../../../src/engine/importing/traces/example-fields.ts'

test('a call of a tool and its result stay as they are in an example; a file keeps what is said beside it', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const call = { type: 'tool_use', id: 'c1', name: 'look', input: { image: digest } }
  const result = { type: 'tool-result', toolCallId: 'c1', output: { value: [{ type: 'media', data: digest }] } }
  const image = { type: 'image_url', image_url: { url: digest, detail: 'high' } }
  const input = [
    { role: 'user', content: [image] },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ]
  expect(exampleFields({}, {}, { input, output: null, expected: null }).input).toEqual([
    { role: 'user', content: [{ type: 'image', media: digest, detail: 'high' }] },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ])
})

test('several files in one part each keep their own name and description, and what is said of all of them', () => {
  const [photo, drawing, paper, speech] = ['a', 'b', 'c', 'd'].map(letter => `sha256:${letter.repeat(64)}`)
  const part = {
    type: 'media',
    detail: 'low',
    description: 'Taken in March',
    items: [
      { type: 'image', source: { data: photo, alt: 'A photo' } },
      { type: 'image', source: { data: drawing }, filename: 'drawing.png' },
      { type: 'file', file: { file_data: paper, filename: 'paper.pdf' } },
      { type: 'input_audio', input_audio: { data: speech, format: 'wav' }, transcript: 'Hello' },
    ],
  }
  const input = [{ role: 'user', content: [part] }]
  expect(exampleFields({}, {}, { input, output: null, expected: null }).input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', media: photo, detail: 'low', alt: 'A photo' },
        { type: 'image', media: drawing, detail: 'low', alt: 'Taken in March' },
        { type: 'document', media: paper, title: 'paper.pdf' },
        { type: 'audio', media: speech, transcript: 'Hello' },
      ],
    },
  ])
})

test('an image that has only a file name is described by it, and a detail that no provider has is left', () => {
  const media = `sha256:${'a'.repeat(64)}`
  const input = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: media, detail: 'ultra', name: 'cat.png' } }] }]
  expect(exampleFields({}, {}, { input, output: null, expected: null }).input).toEqual([
    { role: 'user', content: [{ type: 'image', media, alt: 'cat.png' }] },
  ])
})
