import { expect, test } from 'vitest'
import { fieldPieces, mediaPieces } from '../../../../src/renderer/media/media-pieces.ts'
import { makePng } from '../../../support/media.ts'

const base64 = makePng([1, 2, 3]).toString('base64')
const uri = `data:image/png;base64,${base64}`
const digest = `sha256:${'a'.repeat(64)}`
const text = (value: string) => ({ kind: 'text', text: value })
const inline = (alt: string | null = null) => ({ kind: 'inline', base64, alt })
const stored = (alt: string | null = null) => ({ kind: 'stored', digest, alt })

test.each<readonly [name: string, value: unknown, pieces: readonly object[]]>([
  ['a stored file', digest, [stored()]],
  ['a data URI', uri, [inline()]],
  ['an image of Markdown in an answer', `Here it is:\n![a cat](${uri})\nDone.`, [text('Here it is:'), inline('a cat'), text('Done.')]],
  ['parts of Assay', [{ type: 'image', media: digest, alt: 'A chart' }], [stored('A chart')]],
  [
    'parts of OpenAI',
    [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: uri } },
    ],
    [text('Look'), inline()],
  ],
  ['a recording of OpenAI', [{ type: 'input_audio', input_audio: { data: base64, format: 'wav' } }], [inline()]],
  ['parts of Anthropic', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }], [inline()]],
  ['a part of Gemini', { inlineData: { mimeType: 'image/png', data: base64 } }, [inline()]],
  ['bytes of Hugging Face', { bytes: base64, path: 'cat.png' }, [inline('cat.png')]],
  ['parts as text', JSON.stringify([{ type: 'image_url', image_url: { url: uri } }]), [inline()]],
  [
    'an address, which is not opened',
    [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }],
    [{ kind: 'linked', address: 'https://example.org/a.png' }],
  ],
])('%s is shown', (_, value, pieces) => {
  expect(mediaPieces(value)).toEqual(pieces)
})

test.each([
  ['a text', 'What is in <image>?'],
  ['an object with an address', { url: 'https://example.org/a.png' }],
  ['an object with more than a file', { image: uri, score: 1 }],
  ['a list with something else in it', [{ type: 'image_url', image_url: { url: uri } }, 7]],
  ['a tool call', [{ type: 'tool_call', id: 'a', name: 'b', arguments: '{}' }]],
])('%s stays as it is', (_, value) => {
  expect(mediaPieces(value)).toBeNull()
})

test('files stand where a text marks them, the others under their names', () => {
  const fields = { question: 'Compare <image> with {second}.', picture: uri, second: digest, third: [uri], topic: 'cats' }
  expect(fieldPieces(fields)).toEqual([
    ['question', [text('Compare'), inline(), text('with'), stored(), text('.')]],
    ['third', [inline()]],
    ['topic', null],
  ])
  expect(fieldPieces({ question: 'What is in <image>?' })).toEqual([['question', null]])
})
