import { expect, test } from 'vitest'
import { sortedJson } from '../../../../../src/engine/reporting/report/sorted-json.ts'

test('sorts the keys of objects alone, and leaves what writes itself as it is', () => {
  const at = new Date(0)
  expect(sortedJson({ b: [{ d: 1, c: at }], a: { toJSON: 'a key', '': null } })).toBe(
    '{"a":{"":null,"toJSON":"a key"},"b":[{"c":"1970-01-01T00:00:00.000Z","d":1}]}',
  )
})
