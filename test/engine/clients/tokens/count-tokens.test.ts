import { describe, expect, test } from 'vitest'
import { countPromptTokens, countTokens } from '../../../../src/engine/clients/tokens/count-tokens.ts'

describe('counting tokens', () => {
  test.each([
    ['', 0],
    ['Hello, world!', 4],
    ['tiktoken is great!', 6],
    ['antidisestablishmentarianism', 6],
    ['お誕生日おめでとう', 8],
    ['2 + 2 = 4', 7],
  ])('%j has the length that tiktoken gives it in o200k_base', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens)
  })

  test('takes control tokens for text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(countTokens('<|im_start|>system<|im_end|>')).toBeGreaterThan(2)
  })

  test('adds what a chat adds: 3 for each message with its role, 3 for the reply', () => {
    expect(countPromptTokens([])).toBe(3)
    expect(
      countPromptTokens([
        { role: 'system', content: 'Hello, world!' },
        { role: 'user', content: 'Hello, world!' },
      ]),
    ).toBe(3 + 2 * (3 + 1 + 4))
  })

  test.each([
    ['one letter', 'a'.repeat(1_000_000), 125_000],
    ['blanks', ' '.repeat(1_000_000), 15_625],
    ['control characters', '\0'.repeat(1_000_000), 500_000],
  ])('a megabyte of %s is counted, and its cuts cost little', (_, text, tokens) => {
    expect(countTokens(text)).toBe(tokens)
  })

  test('half a surrogate pair does no harm', () => {
    expect(countTokens('a\ud800b')).toBeGreaterThan(1)
    expect(countTokens('\ud83e\udd86'.repeat(100))).toBe(100 * countTokens('\ud83e\udd86'))
  })
})
