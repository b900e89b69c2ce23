import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWorkLimits } from '../../../src/service/http/work-limits.ts'

test('a place that is given back twice is given to one', async () => {
  const limits = createWorkLimits(1)
  const staying = new AbortController().signal
  const leave = await limits.enter('key', staying)
  const entered: number[] = []
  const waiting = [1, 2].map(async n => {
    const done = await limits.enter('key', staying)
    entered.push(n)
    return done
  })
  leave?.()
  leave?.()
  const first = await waiting[0]
  expect(entered).toEqual([1])
  first?.()
  ;(await waiting[1])?.()
  expect(entered).toEqual([1, 2])
})

test('a caller has two requests at work, others theirs, and one that is left waiting is not begun', async () => {
  const limits = createWorkLimits()
  const staying = new AbortController().signal
  const begun: string[] = []
  const work = (name: string, caller: string, gone = staying) => {
    const end = Promise.withResolvers<void>()
    const done = limits.run(caller, gone, async () => {
      begun.push(name)
      await end.promise
    })
    return { end, done }
  }
  const left = new AbortController()
  const [first, second, third, fourth] = [work('1', 'key'), work('2', 'key'), work('3', 'key', left.signal), work('4', 'key')]
  const other = work('5', 'session')
  await nextTurn()
  expect(begun).toEqual(['1', '2', '5'])
  left.abort()
  // One that fails gives its place on, too.
  first.end.reject(new Error('failed'))
  await expect(first.done).rejects.toThrow('failed')
  await expect(third.done).rejects.toMatchObject({ code: 'unavailable' })
  await nextTurn()
  expect(begun).toEqual(['1', '2', '5', '4'])
  for (const { end, done } of [second, fourth, other]) {
    end.resolve()
    await done
  }
})

test('one that left before its turn gets what was stated for it', async () => {
  const limits = createWorkLimits(1)
  const left = AbortSignal.abort()
  const work = () => Promise.resolve('done')
  expect(await limits.run('key', left, work, () => 'left')).toBe('left')
  await expect(limits.run('key', left, work)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await limits.enter('key', left)).toBeNull()
  expect(await limits.run('key', new AbortController().signal, work)).toBe('done')
})

test('one that leaves while it waits loses its place at once, and keeps no other from theirs', async () => {
  const limits = createWorkLimits(1)
  const staying = new AbortController().signal
  const left = new AbortController()
  const first = await limits.enter('key', staying)
  const leaving = limits.enter('key', left.signal)
  const next = limits.enter('key', staying)
  left.abort()
  // The first is still at work.
  expect(await leaving).toBeNull()
  first?.()
  const second = await next
  expect(second).not.toBeNull()
  second?.()
  expect(await limits.run('key', staying, () => Promise.resolve('done'))).toBe('done')
})

test('one that leaves as its turn begins hands the place on', async () => {
  const limits = createWorkLimits(1)
  const staying = new AbortController().signal
  const left = new AbortController()
  const first = await limits.enter('key', staying)
  const leaving = limits.enter('key', left.signal)
  const next = limits.enter('key', staying)
  first?.()
  left.abort()
  expect(await leaving).toBeNull()
  expect(await next).not.toBeNull()
})
