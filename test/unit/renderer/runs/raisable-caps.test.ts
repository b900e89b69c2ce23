import { describe, expect, test } from 'vitest'
import { raisableCaps, raisedTo } from '../../../../src/renderer/runs/raisable-caps.ts'
import { accountingFixture, runFixture } from './fixtures.ts'

const free = runFixture().model
const connected = { ...free, kind: 'connection' as const }
const accounting = accountingFixture({ max_charge_microusd: '1000000', max_provider_billed_microusd: '250000' })

describe('the caps of a run that can be raised', () => {
  test('are none where nothing is charged, and none where there is no cap', () => {
    expect(raisableCaps({ model: free, accounting })).toEqual([])
    expect(raisableCaps({ model: connected, accounting: accountingFixture() })).toEqual([])
  })

  test('are the one on the provider’s bill for a connection', () => {
    expect(raisableCaps({ model: connected, accounting })).toMatchObject([{ field: 'max_provider_billed_microusd', present: '250000' }])
  })

  test('are only raised upwards', () => {
    const [cap] = raisableCaps({ model: connected, accounting })
    if (!cap) throw new Error('A connection with a cap has one to raise.')
    expect(raisedTo(cap, '250000')).toBeNull()
    expect(raisedTo(cap, null)).toBeNull()
    expect(raisedTo(cap, '1250000')).toEqual({ max_provider_billed_microusd: '1250000' })
  })
})
