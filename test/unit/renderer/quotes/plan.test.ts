import { describe, expect, test } from 'vitest'
import type { Quote } from '../../../../src/contract/quotes/quotes.schemas.ts'
import { type ExpectedTime, expectedTime } from '../../../../src/renderer/quotes/expected-time.ts'
import { planSentence } from '../../../../src/renderer/quotes/plan-sentence.ts'
import { quoteFixture } from './fixtures.ts'

const quote = quoteFixture()

type Past = Parameters<typeof expectedTime>[1][number]

const time: ExpectedTime = { milliseconds: 12_000, basis: 'Time from the last run' }

function past(seconds: number, changes: Partial<Past> = {}): Past {
  const { model, profiles, execution } = quote
  return {
    model,
    profiles,
    execution,
    answers: 'model',
    // Only what the estimate reads.
    progress: { completed: 100, cached: 0 } as Past['progress'],
    started_at: '2026-11-20T10:00:00.000Z',
    finished_at: new Date(Date.parse('2026-11-20T10:00:00.000Z') + seconds * 1000).toISOString(),
    ...changes,
  }
}

const asked: Quote = { ...quote, counts: { ...quote.counts, samples: 200, model_calls: 1319 } }

describe('the sentence of a plan', () => {
  test('names calls, time, price and the smallest difference of the least telling profile', () => {
    const [line] = asked.statistics
    const statistics = [0.05, 0.031].map(minimum_detectable_difference => ({
      profile_id: 'p',
      n: 1,
      ...line,
      minimum_detectable_difference,
    }))
    expect(planSentence({ ...asked, statistics }, time)).toMatch(
      /^1,319 calls, about 12 s, .+, detects 5\.0 points or more on each profile$/,
    )
  })

  test('does not pretend to know milliseconds', () => {
    expect(planSentence(asked, { milliseconds: 39, basis: 'the check' })).toMatch(/^1,319 calls, under 1 s, /)
  })

  test('says what is not known, and that too few tasks detect nothing', () => {
    const statistics = [{ profile_id: 'p', n: 3, minimum_detectable_difference: null }]
    expect(planSentence({ ...asked, statistics }, null)).toMatch(/time unknown, .+, too few tasks to detect a difference$/)
  })
})

describe('the expected time', () => {
  test('is the usual pace of the last runs of the same endpoint', () => {
    expect(expectedTime(asked, [past(10), past(90), past(20)], undefined)?.milliseconds).toBe(40_000)
  })

  test('leaves out imported answers, cached samples, runs without an end and other settings', () => {
    const others = [
      past(1, { answers: 'imported' }),
      past(1, { finished_at: null }),
      past(1, { progress: { completed: 100, cached: 100 } as Past['progress'] }),
      past(1, { execution: { ...asked.execution, concurrency: 3 } }),
      past(1, { model: { ...asked.model, connection_id: null, route_id: 'another' } }),
    ]
    expect(expectedTime(asked, others, undefined)).toBeNull()
  })
})
