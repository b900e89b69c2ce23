import { expect, test } from 'vitest'
import { checkParts } from '../../../src/service/quotes/check-parts.ts'
import type { SelectedModel } from '../../../src/service/quotes/select-model.ts'

test('a quote warns of tokens that it cannot count, and names what a protocol cannot send', () => {
  const model = { snapshot: { title: 'm' }, protocol: 'llama_cpp' } as unknown as SelectedModel // what the check reads
  const shapes = [
    { parts: ['user/image'], turns: 1 },
    { parts: ['user/document'], turns: 1 },
  ]
  expect(checkParts(model, 'p', shapes, 5).map(({ status, detail }) => `${status}: ${detail.slice(0, 60)}`)).toEqual([
    'fail: 1 of 5 tasks cannot be sent: m takes no documents (protocol ',
    'warn: 2 of 5 tasks contain images, audio or documents. Their token',
  ])
  expect(checkParts({ ...model, protocol: null }, 'p', shapes, 5)).toEqual([])
})
