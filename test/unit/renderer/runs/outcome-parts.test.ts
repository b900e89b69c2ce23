import { describe, expect, test } from 'vitest'
import { outcomeParts } from '../../../../src/renderer/runs/outcome-parts.ts'
import { progressFixture } from './fixtures.ts'

const progress = progressFixture({ frozen: 100, scored: 40, failed: 3, missing: 2, pending: 51, active: 4, completed: 45 })

describe('the parts of a progress bar', () => {
  test('add up to the frozen count', () => {
    expect(outcomeParts(progress).reduce((sum, { count }) => sum + count, 0)).toBe(progress.frozen)
  })

  test('are named, in the order of their ends, without empty ones', () => {
    expect(outcomeParts(progress).map(({ count, word }) => `${count} ${word}`)).toEqual([
      '40 scored',
      '3 failed',
      '2 not run',
      '4 in progress',
      '51 waiting',
    ])
  })
})
