import { describe, expect, it } from 'vitest'
import { ExecutionSettings } from '../../../../src/contract/index.ts'
import { coverageText, settingsText } from '../../../../src/renderer/quotes/describe-frozen.ts'
import { quoteFixture } from './fixtures.ts'

const { coverage, execution } = quoteFixture()

describe('what was frozen, in words', () => {
  it('calls a sample a sample, unless it holds everything', () => {
    expect(coverageText(coverage)).toBe('a sample of 200 tasks per profile')
    expect(coverageText({ ...coverage, full_benchmark: true })).toBe('every task')
    expect(coverageText({ ...coverage, mode: 'full' })).toBe('every task')
    expect(coverageText({ ...coverage, mode: 'exact', sample_count: null })).toBe('exactly the tasks that were named')
  })

  it('names the settings that were made and leaves out the limits that were not', () => {
    expect(settingsText(execution)).toMatchObject({
      Temperature: '0.5',
      Attempts: 'up to 3 per sample',
      Concurrency: 'at most 4',
      'Whole run': 'at most 1 min 30 s',
      'One call': null,
      Cache: 'answers of earlier runs are taken',
    })
    expect(settingsText(ExecutionSettings.parse({ max_provider_billed_microusd: '500000' }))).toMatchObject({
      Temperature: 'as each profile says',
      Cache: null,
      'Provider spending limit': '$0.50',
    })
  })
})
