import { describe, expect, test } from 'vitest'
import { firstWindowState, movedOnto, parseWindowState, visibleState } from '../../../src/main/window-state.ts'

const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }]
const bounds = { x: 100, y: 50, width: 1200, height: 800 }

describe('remembered window', () => {
  test('comes back where it was', () => {
    expect(visibleState({ bounds, maximized: true }, screens)).toEqual({ bounds, maximized: true })
  })

  test.each([
    ['the screen has gone', { ...bounds, x: 4000 }],
    ['only a sliver is left on the screen', { ...bounds, x: 1850 }],
    ['its title bar would lie above the screen', { ...bounds, y: -60 }],
  ])('is forgotten where %s', (_case, moved) => {
    expect(visibleState({ bounds: moved, maximized: false }, screens)).toBe(firstWindowState)
  })

  test('is no larger than its screen', () => {
    const small = [{ x: 0, y: 27, width: 911, height: 485 }]
    expect(visibleState({ bounds: { x: 0, y: 27, width: 1200, height: 800 }, maximized: false }, small)).toEqual({
      bounds: { x: 0, y: 27, width: 911, height: 485 },
      maximized: false,
    })
    expect(visibleState(null, small).bounds).toEqual({ width: 911, height: 485 })
  })

  test('moves to a screen that is there when its own is unplugged, and stays where it can', () => {
    expect(movedOnto(bounds, screens)).toBeNull()
    expect(movedOnto({ ...bounds, x: 2000 }, screens)).toEqual({ x: 0, y: 0, width: 1200, height: 800 })
    expect(movedOnto(bounds, [{ x: 0, y: 0, width: 911, height: 512 }])).toEqual({ x: 0, y: 0, width: 911, height: 512 })
  })

  test.each([
    null,
    undefined,
    'x',
    {},
    { bounds: null, maximized: true },
    { bounds, maximized: 'yes' },
    { bounds: { ...bounds, width: '12' }, maximized: false },
    { bounds: { ...bounds, width: 0 }, maximized: false },
    { bounds: { ...bounds, x: 1e9 }, maximized: false },
  ])('is not read from %j', value => {
    expect(parseWindowState(value)).toBeNull()
  })
})
