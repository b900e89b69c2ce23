import { expect, test } from 'vitest'
import { createBytePool } from '../../../src/engine/clients/wire/byte-pool.ts'

test('memory that was given back is used again where it fits, and only once', () => {
  const pool = createBytePool()
  const first = pool.take(100_000)
  expect(first.length).toBeGreaterThanOrEqual(100_000)
  pool.give(first)
  expect(pool.take(90_000)).toBe(first)
  expect(pool.take(90_000)).not.toBe(first)
})

test('a small body takes no memory of a large one, and a large one none of a small one', () => {
  const pool = createBytePool()
  const [small, large] = [pool.take(1000), pool.take(5_000_000)]
  pool.give(small)
  pool.give(large)
  expect(pool.take(1000)).toBe(small)
  expect(pool.take(2000)).not.toBe(large)
  expect(pool.take(5_000_000)).toBe(large)
})

test('keeps 32 MB at most', () => {
  const pool = createBytePool()
  const taken = Array.from({ length: 5 }, () => pool.take(8_000_000))
  for (const buffer of taken) pool.give(buffer)
  expect(Array.from({ length: 5 }, () => taken.includes(pool.take(8_000_000))).filter(Boolean)).toHaveLength(4)
})
