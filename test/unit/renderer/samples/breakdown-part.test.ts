import { expect, test } from 'vitest'
import { partLimits } from '../../../../src/contract/primitives.ts'
import { formatPart, parsePart, partAddress } from '../../../../src/renderer/samples/breakdown-part.ts'
import { filtersIn } from '../../../../src/renderer/samples/use-sample-filters.ts'

test.each([
  { dimension: 'subject', value: 'algebra' },
  { dimension: 'a:b', value: 'c: 100 %' },
  { dimension: 'répertoire', value: '' },
])('survives the address: %j', part => {
  expect(parsePart(formatPart(part) ?? '')).toEqual(part)
  const { searchParams } = new URL(partAddress('run', 'p@1:x', part) ?? '', 'http://assay.invalid')
  expect(filtersIn(searchParams)).toMatchObject({ profile: 'p@1:x', breakdown: part.dimension, breakdown_value: part.value })
})

test.each(['', ':', 'algebra', '%E0%A4%A:x'])('ignores a part that names no dimension: %j', text => {
  expect(parsePart(text)).toBeUndefined()
  expect(filtersIn(new URLSearchParams({ part: text })).breakdown).toBeUndefined()
})

test('neither links nor reads a part that is longer than the service takes', () => {
  const part = { dimension: 'passage', value: 'x'.repeat(partLimits.value + 1) }
  expect(partAddress('run', 'p@1:x', part)).toBeUndefined()
  expect(filtersIn(new URLSearchParams({ part: `${part.dimension}:${part.value}` })).breakdown_value).toBeUndefined()
})

test('ignores what is no filter, and counts places from 1', () => {
  const filters = filtersIn(new URLSearchParams({ outcome: 'great', sort: '-latency', from: '1', to: '0', latency_min: '1.5' }))
  expect(filters).toMatchObject({ outcome: undefined, sort: '-latency', position_from: 0, position_to: undefined, latency_min: undefined })
})
