import { describe, expect, test } from 'vitest'
import { retryCost } from '../../../../src/renderer/runs/retry-cost.ts'
import { accountingFixture, progressFixture, runFixture } from './fixtures.ts'

const managed = runFixture().model
const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' }
const connected = { ...managed, kind: 'connection' as const, route_id: null, rates }

describe('what asking samples again may cost', () => {
  test('is the share of what the wallet was charged so far, rounded up, and what the cap leaves', () => {
    const accounting = accountingFixture({ charged_microusd: '1000', max_charge_microusd: '1500' })
    const progress = progressFixture({ completed: 300 })
    expect(retryCost({ model: managed, accounting, progress }, 7)).toEqual({ payer: 'wallet', estimate: '24', left: '500' })
  })

  test('is by the provider’s rates for a connection; answers from the cache cost nothing and do not lower it', () => {
    const accounting = accountingFixture({ provider_billed_microusd: '900', max_provider_billed_microusd: '1000' })
    const progress = progressFixture({ completed: 300, cached: 210 })
    expect(retryCost({ model: connected, accounting, progress }, 5)).toEqual({ payer: 'provider', estimate: '50', left: '100' })
  })

  test('is not known where no rates are stated, or nothing was asked yet', () => {
    const unstated = { ...connected, rates: null }
    const accounting = accountingFixture()
    expect(retryCost({ model: unstated, accounting, progress: progressFixture() }, 5)).toMatchObject({ estimate: null, left: null })
    expect(retryCost({ model: managed, accounting, progress: progressFixture({ completed: 0 }) }, 5).estimate).toBeNull()
  })

  test('is zero after the cap is exceeded', () => {
    const accounting = accountingFixture({ charged_microusd: '1600', max_charge_microusd: '1500' })
    expect(retryCost({ model: managed, accounting, progress: progressFixture() }, 1).left).toBe('0')
  })
})
