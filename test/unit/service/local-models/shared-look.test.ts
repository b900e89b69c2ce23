import { expect, test } from 'vitest'
import { createSharedLook } from '../../../../src/service/local-models/shared-look.ts'

/** A look that takes as long as told, on a clock of its own. */
function slowLook() {
  let now = 0
  const open: PromiseWithResolvers<number>[] = []
  const look = createSharedLook(
    () => {
      const made = Promise.withResolvers<number>()
      open.push(made)
      return made.promise
    },
    { keptMs: 2_000, stoppedEarly: found => found < 0, now: () => now },
  )
  const endAfter = async (ms: number, found = open.length) => {
    now += ms
    open.at(-1)?.resolve(found)
    await open.at(-1)?.promise
  }
  return { look, open, endAfter, pass: (ms: number) => (now += ms) }
}

test('one look is made at a time, however long it takes and however many ask', async () => {
  const { look, open, endAfter, pass } = slowLook()
  const asked = [look.read()]
  for (let i = 0; i < 100; i++) {
    pass(1_000)
    asked.push(look.read())
  }
  expect(open).toHaveLength(1)
  await endAfter(0)
  expect(new Set(await Promise.all(asked))).toEqual(new Set([1]))
})

test('a look takes a twentieth of the time at most, and a quick one is kept for two seconds', async () => {
  const { look, open, endAfter, pass } = slowLook()
  void look.read()
  await endAfter(10)
  pass(1_999)
  void look.read()
  expect(open).toHaveLength(1)
  pass(1)
  void look.read()
  expect(open).toHaveLength(2)
  await endAfter(5_000)
  pass(99_999)
  void look.read()
  expect(open).toHaveLength(2)
  pass(1)
  void look.read()
  expect(open).toHaveLength(3)
})

test('a look that stopped early is continued as soon as a quick one is', async () => {
  const { look, open, endAfter, pass } = slowLook()
  void look.read()
  await endAfter(10_000, -50)
  pass(2_000)
  void look.read()
  expect(open).toHaveLength(2)
})

test('what is forgotten is looked for again once the look under way has ended, and a look that failed too', async () => {
  const { look, open, endAfter } = slowLook()
  const first = look.read()
  look.forget()
  const second = look.read()
  look.forget()
  const third = look.read()
  expect(open).toHaveLength(1)
  await endAfter(10)
  expect(await first).toBe(1)
  await expect.poll(() => open.length).toBe(2)
  open[1]?.reject(new Error('no such disk'))
  await expect(second).rejects.toThrow('no such disk')
  await expect(third).rejects.toThrow('no such disk')
  void look.read()
  expect(open).toHaveLength(3)
})
