import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleId, samplePosition } from '../../../src/storage/sample-id.ts'

const anyPosition = fc.oneof(fc.constantFrom(0, 1, 99_999, 2 ** 31), fc.integer({ min: 0, max: 2 ** 32 - 2 }))

test('a sample’s id is a UUID that is never its run’s and from which its place is read back', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), anyPosition, (runId, position) => {
      const id = sampleId(runId, position)
      expect(id).not.toBe(runId)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(samplePosition(runId, id.toUpperCase())).toBe(position)
    }),
  )
})

test('places have different ids, and the run’s own id, which the first sample once had, still names it', () => {
  const runId = '0192f3a4-1b2c-7d3e-8f40-1234567890ab'
  expect(new Set(Array.from({ length: 5000 }, (_, position) => sampleId(runId, position))).size).toBe(5000)
  expect(samplePosition(runId, runId)).toBe(0)
  expect(samplePosition(runId, runId.toUpperCase())).toBe(0)
  expect(samplePosition(runId, '0192f3a4-1b2c-7d3e-8f41-1234567890ab')).toBeNull()
})
