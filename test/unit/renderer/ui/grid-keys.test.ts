// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import type { KeyboardEvent } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { keyTarget, useGridKeys } from '../../../../src/renderer/ui/table/use-grid-keys.ts'

describe('walking through rows by keyboard', () => {
  test.each([
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

  test('leaves other keys alone', () => {
    expect(keyTarget('x', 5, 100, 10)).toBeNull()
    expect(keyTarget('Enter', 5, 100, 10)).toBeNull()
  })

  test('never leaves the table', () => {
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

describe('Space in a table', () => {
  const grid = document.createElement('table')
  // Only what the handler reads of an event.
  const press = (key: string, preventDefault = vi.fn<() => void>()) =>
    ({ key, target: grid, currentTarget: grid, preventDefault }) as unknown as KeyboardEvent
  const options = { count: 10, pageSize: 5, openIndex: -1, scrollTo: vi.fn<(index: number) => void>(), onOpen: undefined }

  test('ticks the active row where rows can be ticked', () => {
    const onMark = vi.fn<(index: number) => void>()
    const { result } = renderHook(() => useGridKeys({ ...options, onMark }))
    act(() => result.current.onKeyDown(press('ArrowDown')))
    act(() => result.current.onKeyDown(press(' ')))
    expect(onMark.mock.calls).toEqual([[1]])
  })

  test('scrolls the page as ever where they cannot', () => {
    const preventDefault = vi.fn<() => void>()
    const { result } = renderHook(() => useGridKeys({ ...options, onMark: undefined }))
    act(() => result.current.onKeyDown(press(' ', preventDefault)))
    expect(preventDefault).not.toHaveBeenCalled()
  })
})
