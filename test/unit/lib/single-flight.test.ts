import { expect, test } from 'vitest'
import { createSingleFlight } from '../../../src/lib/single-flight.ts'

test('shares work that is under way, and begins it again afterwards', async () => {
  const once = createSingleFlight<number>()
  let begun = 0
  const work = () => Promise.resolve(++begun)
  expect(await Promise.all([once('a', work), once('a', work), once('b', work)])).toEqual([1, 1, 2])
  expect(await once('a', work)).toBe(3)
})

test('fails for all who share it, and not for who comes after', async () => {
  const once = createSingleFlight<number>()
  const failing = () => Promise.reject(new Error('no room'))
  const shared = await Promise.allSettled([once('a', failing), once('a', () => Promise.resolve(1))])
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once('a', () => Promise.resolve(2))).toBe(2)
})
