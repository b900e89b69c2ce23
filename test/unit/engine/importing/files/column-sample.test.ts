import { describe, expect, test } from 'vitest'
import { columnSample } from '../../../../../src/engine/importing/files/column-sample.ts'

describe('the sample of a column', () => {
  test.each([
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['  two\n lines ', 'two lines'],
    [7, '7'],
    [false, 'false'],
    [['a', 1n], '["a","1"]'],
    [{ bytes: new Uint8Array(1_000_000), path: 'a.png' }, '{"bytes":"…","path":"a.png"}'],
    [[1, 2, 3, 4, 5, 6, 7], '[1,2,3,4,5]'],
    [{ a: { b: 1, c: 2, d: 3, e: 4, f: 5, g: 6 } }, '{"a":{"b":1,"c":2,"d":3,"e":4,"f":5}}'],
  ])('of %o is %s', (value, text) => {
    expect(columnSample(value)).toBe(text)
  })

  test('is short, whatever the value', () => {
    expect(columnSample('x'.repeat(1_000_000))).toHaveLength(80)
    expect(columnSample([['y'.repeat(1000)]]).length).toBeLessThanOrEqual(80)
  })
})
