import { expect, test } from 'vitest'
import { type BatchItem, chooseBatch } from '../../../src/workers/llama-batches.ts'

interface Named extends BatchItem {
  readonly name: string
}

/** @param read positions whose distribution is read */
function item(name: string, length: number, read: readonly number[] = []): Named {
  const logits: (true | undefined)[] = []
  for (const at of read) logits[at] = true
  return { name, tokens: Array.from({ length }, () => 0), logits }
}

const chosen = (items: readonly Named[], size = 512) =>
  chooseBatch({ items, size }).map(({ item: { name }, processAmount }) => `${name}:${processAmount}`)

test('a sequence that is read at one of several tokens is evaluated beside none that is read', () => {
  expect(chosen([item('a', 8, [3, 7]), item('b', 5, [4]), item('c', 1, [0]), item('prompt', 40)])).toEqual(['a:8', 'prompt:40'])
  expect(chosen([item('b', 5, [4]), item('c', 1, [0])])).toEqual(['b:5'])
})

test('sequences that are read at a single token are evaluated together, with prompts', () => {
  expect(chosen([item('c', 1, [0]), item('prompt', 40), item('a', 8, [7]), item('d', 1, [0])])).toEqual(['c:1', 'prompt:40', 'd:1'])
})

test('the first that waits is evaluated first, and no more than fits', () => {
  expect(chosen([item('long', 600), item('c', 1, [0])])).toEqual(['long:512'])
  expect(chosen([item('prompt', 500), item('a', 20, [19])])).toEqual(['prompt:500', 'a:12'])
  expect(chosen([])).toEqual([])
})
