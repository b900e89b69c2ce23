import { describe, expect, test } from 'vitest'
import { ExecutionSettings } from '../../../../src/contract/quotes/quotes.schemas.ts'
import { profileName } from '../../../../src/lib/format/benchmark-names.ts'
import { coverageText, settingsText } from '../../../../src/renderer/quotes/describe-frozen.ts'
import { quoteFixture } from './fixtures.ts'

const { coverage, execution, profiles } = quoteFixture()

describe('what was frozen, in words', () => {
  test('calls a sample a sample, unless it holds everything', () => {
    const [profile] = profiles
    if (!profile) throw new Error('The fixture has a profile.')
    const logic = { ...profile, benchmark_title: 'Logic', title: 'Plain', tasks_selected: 200, tasks_available: 240 }
    const contest = { ...logic, benchmark_title: 'Contest', tasks_selected: 104, tasks_available: 104 }
    expect(coverageText(coverage, [logic])).toBe('a sample of 200 of 240 tasks')
    expect(coverageText(coverage, [contest, logic])).toBe(
      `${profileName(contest)}: every task (104); ${profileName(logic)}: a sample of 200 of 240 tasks`,
    )
    expect(coverageText({ ...coverage, full_benchmark: true }, profiles)).toBe('every task')
    expect(coverageText({ ...coverage, mode: 'full' }, profiles)).toBe('every task')
    expect(coverageText({ ...coverage, mode: 'exact', sample_count: null }, profiles)).toBe('exactly the tasks that were named')
  })

  test('names the settings that were made and leaves out the limits that were not', () => {
    expect(settingsText(execution)).toMatchObject({
      Temperature: '0.5',
      Attempts: 'up to 3 per sample',
      Concurrency: 'at most 4',
      'Whole run': 'at most 1 min 30 s',
      'One call': null,
      Cache: 'answers of earlier runs are taken',
    })
    expect(settingsText(ExecutionSettings.parse({ max_provider_billed_microusd: '500000' }))).toMatchObject({
      Temperature: 'Profile default',
      Cache: null,
      'Provider spending limit': '$0.50',
    })
  })
})
