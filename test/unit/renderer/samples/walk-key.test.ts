// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { walkKey } from '../../../../src/renderer/samples/walk-key.ts'

function press(key: string, target: Element = document.body, ctrlKey = false) {
  return walkKey({ key, target, ctrlKey, metaKey: false, altKey: false })
}

describe('walking through samples by letters', () => {
  test('moves forward with j and back with k', () => {
    expect(press('j')).toBe(1)
    expect(press('k')).toBe(-1)
    expect(press('x')).toBeNull()
  })

  test('leaves shortcuts to the browser', () => {
    expect(press('j', document.body, true)).toBeNull()
  })

  test('leaves letters to where they are typed, and the list to itself', () => {
    const grid = document.createElement('table')
    grid.setAttribute('role', 'grid')
    expect(press('j', document.createElement('input'))).toBeNull()
    expect(press('j', grid)).toBeNull()
  })
})
