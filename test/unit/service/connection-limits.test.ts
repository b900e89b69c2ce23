import { expect, test } from 'vitest'
import { createConnectionLimits } from '../../../src/service/http/connection-limits.ts'

const refused = (open: () => unknown) => expect(open).toThrow(expect.objectContaining({ code: 'rate_limited', status: 429 }))

test('one key has a hundred event streams, others have theirs, and one that ends makes room', () => {
  const limits = createConnectionLimits()
  const ends = Array.from({ length: 100 }, () => limits.openStream('greedy'))
  refused(() => limits.openStream('greedy'))
  limits.openStream('modest')
  ends[0]?.()
  // Ending twice counts once.
  ends[0]?.()
  limits.openStream('greedy')
  refused(() => limits.openStream('greedy'))
})

test('many keys together leave eight streams for each newcomer', () => {
  const limits = createConnectionLimits()
  for (const key of ['a', 'b', 'c', 'd', 'e']) for (let i = 0; i < 100; i++) limits.openStream(key)
  for (let i = 0; i < 8; i++) limits.openStream('newcomer')
  refused(() => limits.openStream('newcomer'))
})
