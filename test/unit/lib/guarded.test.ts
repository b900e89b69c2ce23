import { expect, test } from 'vitest'
import { guarded } from '../../../src/lib/guarded.ts'

test('a guarded callback tells what it throws or rejects with, and throws nothing', async () => {
  const told: unknown[] = []
  const [thrown, rejected] = [new Error('thrown'), new Error('rejected')]
  guarded(
    () => {
      throw thrown
    },
    error => told.push(error),
  )()
  guarded(
    () => Promise.reject(rejected),
    error => told.push(error),
  )()
  await Promise.resolve()
  expect(told).toEqual([thrown, rejected])
})
