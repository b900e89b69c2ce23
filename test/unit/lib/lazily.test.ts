import { expect, test } from 'vitest'
import { lazily } from '../../../src/lib/lazily.ts'

test('makes the value when it is first asked for, and once', () => {
  let made = 0
  const value = lazily(() => ({ no: ++made }))
  expect(value.made()).toBeUndefined()
  expect(value()).toBe(value())
  expect(value.made()).toEqual({ no: 1 })
})

test('tries again after a failure', () => {
  const answers = [new Error('not yet'), 'there']
  const value = lazily(() => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  expect(() => value()).toThrow('not yet')
  expect(value()).toBe('there')
})
