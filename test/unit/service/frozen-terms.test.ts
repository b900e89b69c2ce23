import { expect, test } from 'vitest'
import { changedTerms } from '../../../src/service/schedules/frozen-terms.ts'

test('a schedule that was frozen before judges of free models were counted is told so, and not only that prices went up', () => {
  const frozen = (provider: string | null, wallet = '0') => ({
    model_calls: 3,
    upper_bound_microusd: wallet,
    provider_billed_upper_bound_microusd: provider,
    profiles: [],
    task_digest: 'a'.repeat(64),
  })
  for (const now of ['5', null]) expect(changedTerms(frozen('0'), frozen(now))).toContain('judges and simulated users of a free model')
  expect(changedTerms(frozen('0'), frozen('0', '1'))).not.toContain('judges')
  expect(changedTerms(frozen('5'), frozen('5'))).toBeNull()
})
