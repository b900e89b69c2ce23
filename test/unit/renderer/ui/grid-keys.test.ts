import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyTarget } from '../../../../src/renderer/ui/table/use-grid-keys.ts'

describe('walking through rows by keyboard', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['j', 5, 6],
    ['ArrowUp', 5, 4],
    ['k', 5, 4],
    ['PageDown', 5, 15],
    ['PageUp', 15, 5],
    ['Home', 50, 0],
    ['End', 5, 99],
  ])('%s from row %i goes to row %i', (key, from, to) => {
    expect(keyTarget(key, from, 100, 10)).toBe(to)
  })

  it('leaves other keys alone', () => {
    expect(keyTarget('x', 5, 100, 10)).toBeNull()
    expect(keyTarget('Enter', 5, 100, 10)).toBeNull()
  })

  it('never leaves the table', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End')
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 1000 }), fc.nat(999), fc.integer({ min: 1, max: 50 }), (key, count, from, page) => {
        const target = keyTarget(key, Math.min(from, count - 1), count, page)
        return target !== null && target >= 0 && target < count
      }),
    )
    expect(keyTarget('ArrowDown', -1, 0, 10)).toBeNull()
  })
})
