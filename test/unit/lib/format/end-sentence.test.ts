import { expect, test } from 'vitest'
import { endSentence } from '../../../../src/lib/format/end-sentence.ts'

test('a message gets a full stop only where it has no end', () => {
  expect(['disk is full', 'It failed.', 'It failed!', 'Is it on?', 'and more…'].map(endSentence)).toEqual([
    'disk is full.',
    'It failed.',
    'It failed!',
    'Is it on?',
    'and more…',
  ])
})
