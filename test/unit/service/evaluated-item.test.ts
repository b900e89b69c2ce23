import { expect, test } from 'vitest'
import type { FrozenExample } from '../../../src/contract/datasets/dataset-versions.schemas.ts'
import { withTurns } from '../../../src/engine/execution/samples/with-turns.ts'
import { askedItem, exampleItem } from '../../../src/service/evaluators/evaluated-item.ts'

const media = `sha256:${'a'.repeat(64)}`

function itemOf(input: FrozenExample['input']) {
  const example = { example_id: 'e1', input, output: 'A river', expected: null, label: null, metadata: {} }
  // What else an example has is not read.
  return exampleItem(example as unknown as FrozenExample)
}

test('an example whose conversation shows a picture hands it to judges once, and names it in the text', () => {
  const shown = {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', media },
      { type: 'image', media },
    ],
  }
  const { input, files } = itemOf([{ role: 'system', content: 'Be short.' }, shown])
  expect(files).toEqual([{ type: 'image', media }])
  expect(input).toBe(`system: Be short.\n\nuser: What is this?\n[image ${media}]\n[image ${media}]`)
})

test('messages of other tools stay JSON, and text has no files', () => {
  const other = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] }
  expect(itemOf([other])).toMatchObject({ input: `user: ${JSON.stringify(other.content)}`, files: [] })
  expect(itemOf('Plain')).toMatchObject({ input: 'Plain', files: [] })
})

test('what a model thought before an earlier answer is shown to no judge', () => {
  const messages = withTurns([{ role: 'user', content: 'One?' }], ['And two?'], [{ output: 'First.', reasoning: 'A secret thought.' }])
  expect(askedItem(messages, ['First.'], { targets: ['x'], metadata: {} }, 1_000)).toEqual({
    input: 'USER:\nOne?\n\nASSISTANT:\nFirst.\n\nUSER:\nAnd two?',
    files: [],
    maxImagePixels: 1_000,
    targets: ['x'],
    earlier: [{ input: 'One?', files: [], maxImagePixels: 1_000, output: 'First.', targets: [] }],
  })
})
