import { expect, test } from 'vitest'
import type { Example } from '../../../../src/contract/datasets/examples.schemas.ts'
import { inputText } from '../../../../src/renderer/datasets/dataset-words.ts'

const media = `sha256:${'0a'.repeat(32)}`
const said = (content: string | { type: string; [name: string]: unknown }[]): Example['input'] => [{ role: 'user', content }]

test.each<[string, Example['input'], string]>([
  ['a text', 'Why?', 'Why?'],
  ['fields', { question: 'Why?', hint: 'Because' }, 'Why? · Because'],
  ['a message', said('Why?'), 'Why?'],
  [
    'parts of Assay',
    said([
      { type: 'image', media },
      { type: 'text', text: 'What is this?' },
    ]),
    'What is this? · 1 more part',
  ],
  [
    'parts of OpenAI',
    said([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'And this?' },
      { type: 'image_url' },
    ]),
    'And this? · 2 more parts',
  ],
  ['a file alone', said([{ type: 'image', media }]), '1 part'],
])('the input of an example is shown in one line, its texts before its files: %s', (_, input, line) => {
  expect(inputText(input)).toBe(line)
})
