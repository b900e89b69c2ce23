import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import { exactSum } from '../../../../src/engine/clients/pricing/exact-sum.ts'
import {
  boundOf,
  exactPriceOf,
  holdFor,
  isCharged,
  meterCall,
  priceOf,
  promptTokensAtMost,
  reserveForCall,
  reserveForChoices,
  tokenRates,
} from '../../../../src/engine/clients/pricing/pricing.ts'
import { countPromptTokens } from '../../../../src/engine/clients/tokens/count-tokens.ts'
import { answered, failed } from '../../execution/scheduler/fixtures.ts'

const rates = { inputMicroUsdPerMillion: 2_500_000n, outputMicroUsdPerMillion: 10_000_000n }
const request = (content: string, maxOutputTokens = 100): ModelRequest => ({
  messages: [{ role: 'user', content }],
  temperature: 0,
  maxOutputTokens,
  stop: [],
})
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary-ascii', maxLength: 400 }),
  fc.base64String({ maxLength: 400 }),
)

describe('a price', () => {
  test('is rounded up', () => {
    expect(priceOf({ inputTokens: 1, outputTokens: 0 }, rates)).toBe(3n)
    expect(priceOf({ inputTokens: 2, outputTokens: 1 }, rates)).toBe(15n)
    expect(priceOf({ inputTokens: 0, outputTokens: 0 }, rates)).toBe(0n)
    expect(priceOf({ inputTokens: 1, outputTokens: 0 }, { ...rates, inputMicroUsdPerMillion: 1n })).toBe(1n)
  })

  test('is unknown without rates, and nothing at rates of 0', () => {
    expect(tokenRates(null)).toBeNull()
    expect(isCharged(null)).toBe(false)
    expect(isCharged(tokenRates({ input_microusd_per_million: '0', output_microusd_per_million: '0' }))).toBe(false)
    expect(isCharged(tokenRates({ input_microusd_per_million: '0', output_microusd_per_million: '1' }))).toBe(true)
  })
})

describe('an exact sum', () => {
  test('is rounded up once, however many costs it has', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 5_000_000n }), { maxLength: 200 }), costs => {
        const booked = exactSum()
        const sum = costs.reduce((total, cost) => total + booked(cost), 0n)
        expect(sum).toBe((costs.reduce((total, cost) => total + cost, 0n) + 999_999n) / 1_000_000n)
      }),
    )
  })
})

describe('a reserve', () => {
  test('takes the highest rate of a side, whatever the provider’s cache holds', () => {
    const own = { ...rates, parts: { cacheWrite: 3_000_000n, cachedInput: 250_000n, reasoning: 20_000_000n } }
    expect(boundOf({ inputTokens: 10, outputTokens: 10 }, own)).toBe(230n)
  })

  test('covers a real tokenizer’s count for any text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const { messages } = request(text.toWellFormed())
        expect(promptTokensAtMost(request(text))).toBeGreaterThanOrEqual(
          countPromptTokens([{ role: 'user', content: text.toWellFormed() }]),
        )
        expect(messages).toHaveLength(1)
      }),
      { numRuns: 300 },
    )
  })

  test('covers what a call is charged, with the provider’s count and without', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 4000 }), fc.boolean(), (text, output, limit, counts) => {
        const usage = counts
          ? { inputTokens: countPromptTokens([{ role: 'user', content: text.toWellFormed() }]), outputTokens: limit }
          : null
        const asked = request(text, limit)
        const exact = meterCall(answered(output, { usage }), rates)
        expect((exact + 999_999n) / 1_000_000n).toBeLessThanOrEqual(reserveForCall(asked, rates))
      }),
      { numRuns: 300 },
    )
  })

  test('of a measurement covers one call for each choice', () => {
    const prompt = request('Which is larger?', 1)
    const choices = ['the sun', 'the moon']
    const [first, second] = choices.map(choice => reserveForChoices(prompt, [choice], rates))
    expect(reserveForChoices(prompt, choices, rates)).toBe((first ?? 0n) + (second ?? 0n))
    expect(first).toBeGreaterThan(reserveForCall(prompt, rates))
  })

  test('counts tools, and an earlier answer by its output limit', () => {
    const plain = promptTokensAtMost(request('x'))
    const tools = [{ name: 'look', description: 'Looks.', parameters: [] }]
    expect(promptTokensAtMost({ ...request('x'), tools })).toBeGreaterThan(plain + 512)
    const answer = { role: 'assistant' as const, content: 'y'.repeat(10_000) }
    expect(promptTokensAtMost({ ...request('x', 50), messages: [{ role: 'user', content: 'x' }, answer] })).toBe(plain + 100 + 16)
  })
})

describe('a meter', () => {
  test('charges nothing for a failed call, except what was answered before it', () => {
    expect(meterCall(failed('timeout'), rates)).toBe(0n)
    expect(meterCall(failed('timeout', { usage: { inputTokens: 4, outputTokens: 1 } }), rates)).toBe(20_000_000n)
  })

  test('knows no cost of an answer that was not counted', () => {
    expect(meterCall(answered('1234', { usage: null }), rates)).toBe(0n)
  })

  test('takes the cost that the provider states before any rate, and without rates', () => {
    const stated = answered('1234', { usage: { inputTokens: 4, outputTokens: 1 }, statedPicoUsd: 123_456_789 })
    expect(meterCall(stated, rates)).toBe(123_456_789n)
    expect(meterCall(stated, null)).toBe(123_456_789n)
  })

  test('prices each kind of token with a rate of its own, and the others by their side', () => {
    const own = tokenRates({
      input_microusd_per_million: '1000000',
      output_microusd_per_million: '10000000',
      cached_input_microusd_per_million: '100000',
      cache_write_microusd_per_million: '1250000',
      reasoning_microusd_per_million: '20000000',
    })
    const usage = { inputTokens: 1000, outputTokens: 10, parts: { cachedInput: 600, cacheWrite: 200, reasoning: 4, audioOutput: 3 } }
    expect(meterCall(answered('x', { usage }), own)).toBe(
      BigInt(600 * 100_000 + 200 * 1_250_000 + 200 * 1_000_000 + 4 * 20_000_000 + 6 * 10_000_000),
    )
  })

  test('prices each token once where kinds overlap', () => {
    const own = { ...rates, parts: { cachedInput: 1_000_000n, audioInput: 9_000_000n } }
    const usage = { inputTokens: 10, outputTokens: 0, parts: { cachedInput: 8, audioInput: 8 } }
    expect(exactPriceOf(usage, own)).toBe(8n * 1_000_000n + 2n * 9_000_000n)
  })
})

test('a hold is the upper bound, or the cap where that is smaller', () => {
  expect(holdFor(5n, 9n)).toBe(5n)
  expect(holdFor(9n, 5n)).toBe(5n)
})
