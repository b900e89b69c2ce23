import { pino } from 'pino'
import { expect, test } from 'vitest'
import { beginStocking } from '../../../src/service/lifecycle/stocking.ts'

const log = pino({ level: 'silent' })

test('takes the steps in their order, and then nobody waits', async () => {
  const taken: number[] = []
  const stocking = beginStocking({ log }, [() => taken.push(1), () => taken.push(2)])
  expect(taken).toEqual([])
  await stocking.pending()
  expect(taken).toEqual([1, 2])
  expect(stocking.pending()).toBeNull()
})

test('tells who waits what went wrong, and tries the rest again for the next', async () => {
  const taken: string[] = []
  let full = true
  const stocking = beginStocking({ log }, [
    () => taken.push('first'),
    () => {
      if (full) throw new Error('database or disk is full')
      taken.push('second')
    },
  ])
  await expect(stocking.pending()).rejects.toThrow('disk is full')
  full = false
  await stocking.pending()
  expect(taken).toEqual(['first', 'second'])
  expect(stocking.pending()).toBeNull()
})

test('stops between two steps when it is closed', async () => {
  const taken: number[] = []
  const stocking = beginStocking({ log }, [() => taken.push(1)])
  await stocking.close()
  expect(taken).toEqual([])
})
