import { describe, expect, it } from 'vitest'
import type { RunProgress } from '../../../../src/contract/index.ts'
import { outcomeParts } from '../../../../src/renderer/runs/outcome-parts.ts'

const progress: RunProgress = {
  frozen: 100,
  scored: 40,
  failed: 3,
  excluded: 0,
  missing: 2,
  cancelled: 0,
  pending: 51,
  active: 4,
  completed: 45,
  errors: 5,
  retries: 7,
  cached: 0,
  failures: [],
  samples_per_second: 1,
  seconds_left: 55,
}

describe('the parts of a progress bar', () => {
  it('add up to the frozen count', () => {
    expect(outcomeParts(progress).reduce((sum, { count }) => sum + count, 0)).toBe(progress.frozen)
  })

  it('are named, in the order of their ends, without empty ones', () => {
    expect(outcomeParts(progress).map(({ count, word }) => `${count} ${word}`)).toEqual([
      '40 scored',
      '3 failed',
      '2 missing',
      '4 in progress',
      '51 waiting',
    ])
  })
})
