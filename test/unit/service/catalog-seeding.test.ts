import { pino } from 'pino'
import { expect, test } from 'vitest'
import { seedCatalog } from '../../../src/service/lifecycle/catalog-seeding.ts'

const log = pino({ level: 'silent' })

test('runs the steps in order, then resolves immediately', async () => {
  const taken: number[] = []
  const seeding = seedCatalog({ log }, () => [() => taken.push(1), () => taken.push(2)])
  expect(taken).toEqual([])
  await seeding.pending()
  expect(taken).toEqual([1, 2])
  expect(seeding.pending()).toBeNull()
})

test('tells who waits what went wrong, and tries the rest again for the next', async () => {
  const taken: string[] = []
  let full = true
  const seeding = seedCatalog({ log }, () => [
    () => taken.push('first'),
    () => {
      if (full) throw new Error('database or disk is full')
      taken.push('second')
    },
  ])
  await expect(seeding.pending()).rejects.toThrow('disk is full')
  full = false
  await seeding.pending()
  expect(taken).toEqual(['first', 'second'])
  expect(seeding.pending()).toBeNull()
})

test('stops between two steps when it is closed', async () => {
  const taken: number[] = []
  const seeding = seedCatalog({ log }, () => [() => taken.push(1)])
  seeding.start()
  await seeding.close()
  expect(taken).toEqual([])
})
