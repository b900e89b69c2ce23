import { expect, test } from 'vitest'
import type { FrozenExample } from '../../../src/contract/datasets/dataset-versions.schemas.ts'
import { NewDatasetAttack } from '../../../src/contract/worlds/attacks.schemas.ts'
import { drawFrom } from '../../../src/engine/tasks/draw.ts'
import { drawExamples, worldOfExamples } from '../../../src/service/worlds/world-of-examples.ts'

const order = NewDatasetAttack.parse({ version_id: crypto.randomUUID() })

function worldOf(content: unknown) {
  const input = [{ role: 'user', content }]
  const example = { example_id: 'e1', input, output: null, expected: 'A river', label: null, metadata: {} }
  // What else an example has is not read.
  return worldOfExamples('Rivers', [example as unknown as FrozenExample], order)
}

test('an example with a picture is refused by name, since an attacked task would not show it', () => {
  const text = { type: 'text', text: 'What is this?' }
  expect(worldOf('What is this?').tasks[0]?.messages).toEqual([{ role: 'user', content: 'What is this?' }])
  expect(() => worldOf([text, { type: 'image', media: `sha256:${'a'.repeat(64)}` }])).toThrow(/"e1", which shows files/)
})

test('examples are drawn page by page, with a turn for others between, and the same as of one list', async () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => String(i))
  const pages = Array.from({ length: 20 }, (_, page) => ids.slice(50 * page, 50 * (page + 1)) as unknown as FrozenExample[])
  let [turns, isDrawn] = [0, false]
  const count = () => {
    turns += 1
    if (!isDrawn) setImmediate(count)
  }
  setImmediate(count)
  expect(await drawExamples(pages, ids.length, { sample_count: 30, seed: 7 })).toEqual(drawFrom(7).sample(ids, 30))
  isDrawn = true
  expect(turns).toBeGreaterThanOrEqual(pages.length)
  expect(await drawExamples(pages, ids.length, { sample_count: 1_000, seed: 7 })).toEqual(ids)
})
