import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../../../src/contract/runs/runs.schemas.ts'
import { RunProgressView } from '../../../../src/renderer/runs/run-progress-view.tsx'
import { accountingFixture, activityFixture, progressFixture, runFixture } from './fixtures.ts'

/** What can be read of it, without elements. */
function text(changes: Partial<Run>, brief = false): string {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <RunProgressView run={runFixture(changes)} connection="live" brief={brief} />
    </MantineProvider>,
  )
  return markup
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

const working = { status: 'running', result_version: null, finished_at: null } as const

describe('how far a run is', () => {
  test('says what keeps anything from being stored, also where only the bar is shown', () => {
    const blocked = { ...working, activity: activityFixture({}, { blocked: 'The disk is full.' }) }
    expect(text(blocked)).toContain('Storage unavailable: calls are paused The disk is full.')
    expect(text(blocked, true)).toContain('The disk is full.')
    expect(text({ ...working, activity: activityFixture() })).not.toContain('Nothing can be stored')
  })

  test('sets what the wallet was charged against its cap', () => {
    expect(text({ accounting: accountingFixture({ charged_microusd: '250000' }) })).toContain('Spent $0.25 of $1.50')
  })

  test('compares the provider’s bill with its cap, where known', () => {
    const { model } = runFixture()
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' }
    const connected = { ...model, kind: 'connection', rates } as const
    const accounting = accountingFixture({ provider_billed_microusd: '20000', max_provider_billed_microusd: '1000000' })
    expect(text({ model: connected, accounting })).toContain('cost $0.02 of $1.00')
    expect(text({ model: connected, accounting: accountingFixture() })).toContain('cost $0.00 , no spending limit')
    const unknown = accountingFixture({ provider_billed_microusd: null })
    expect(text({ model: { ...connected, rates: null }, accounting: unknown })).toContain('Price unknown')
    expect(text({ model: { ...connected, rates: null }, accounting })).toContain('cost $0.02 of $1.00')
  })

  test('counts answers from the cache, and calls that may have been billed twice', () => {
    const seen = text({ progress: progressFixture({ cached: 1_200 }), accounting: accountingFixture({ possibly_billed_twice: 3 }) })
    expect(seen).toContain('From the cache 1,200')
    expect(seen).toContain('Possibly billed twice 3 calls')
  })
})
