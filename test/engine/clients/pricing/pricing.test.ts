import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import {
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
  test('is rounded up once per call', () => {
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

describe('a reserve', () => {
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
        expect(meterCall(asked, answered(output, { usage }), rates)).toBeLessThanOrEqual(reserveForCall(asked, rates))
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
    expect(meterCall(request('x'), failed('timeout'), rates)).toBe(0n)
    expect(meterCall(request('x'), failed('timeout', { usage: { inputTokens: 4, outputTokens: 1 } }), rates)).toBe(20n)
  })

  test('counts four bytes a token where the provider counts none', () => {
    expect(meterCall(request('12345678'), answered('1234', { usage: null }), rates)).toBe(15n)
  })
})

test('a hold is the upper bound, or the cap where that is smaller', () => {
  expect(holdFor(5n, 9n)).toBe(5n)
  expect(holdFor(9n, 5n)).toBe(5n)
})
