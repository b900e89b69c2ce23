import { expect, test } from 'vitest'
import { formatBytes } from '../../../../src/lib/format/bytes.ts'

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1000, '1.0 kB'],
  [1234, '1.2 kB'],
  [999_700, '1.0 MB'],
  [25_000_000, '25 MB'],
  [3.2e12, '3.2 TB'],
  [5e15, '5,000 TB'],
  [Number.NaN, '–'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
