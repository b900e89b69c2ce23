import { describe, expect, test } from 'vitest'
import { chosenVersion, versionName } from '../../../../src/renderer/results/result-versions.ts'
import { runFixture } from '../runs/fixtures.ts'

describe('the result version that an address names', () => {
  test('is the latest for anything that is no version', () => {
    expect(['', '2', '3', '4', '0', '-1', '1.5', 'x'].map(text => chosenVersion(text, 3))).toEqual([3, 2, 3, 3, 3, 3, 3, 3])
  })
})

describe('the name of a result version', () => {
  test('says what made it', () => {
    const part = {
      run_id: '01900000-0000-7000-8000-0000000000b1',
      selection: 'failed' as const,
      status: 'complete' as const,
      samples: 3,
      result_version: 2,
      created_at: '2026-11-20T10:00:00.000Z',
      started_at: null,
      finished_at: null,
    }
    const run = runFixture({ result_version: 3, parts: [part] })
    expect([1, 2, 3].map(version => versionName(run, version))).toEqual(['1, as the run ended', '2, after retry', '3, regraded'])
  })
})
