import { describe, expect, test } from 'vitest'
import { mergeUsage, picoUsdOfHeader, readUsage } from '../../../../src/engine/clients/usage/read-usage.ts'

const usageOf = (usage: unknown) => readUsage({ usage }).usage

describe('usage', () => {
  test.each([
    [
      'OpenAI counts cached input and reasoning inside',
      {
        prompt_tokens: 1000,
        completion_tokens: 50,
        total_tokens: 1050,
        prompt_tokens_details: { cached_tokens: 900, cache_write_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      { inputTokens: 1000, outputTokens: 50, parts: { cachedInput: 900, cacheWrite: 40, reasoning: 30 } },
    ],
    [
      'xAI counts reasoning in the total alone',
      { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } },
      { inputTokens: 32, outputTokens: 103, parts: { reasoning: 94 } },
    ],
    [
      'xAI counts a cache beside a smaller prompt',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } },
      { inputTokens: 40, outputTokens: 5, parts: { cachedInput: 30 } },
    ],
    [
      'Gemini behind OpenAI’s form leaves thoughts to the total',
      { prompt_tokens: 20, completion_tokens: 5, total_tokens: 125 },
      { inputTokens: 20, outputTokens: 105 },
    ],
    [
      'DeepSeek states hits and misses',
      { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { inputTokens: 100, outputTokens: 5, parts: { cachedInput: 64 } },
    ],
    [
      'Moonshot states cached tokens on top',
      { prompt_tokens: 100, completion_tokens: 5, cached_tokens: 80 },
      { inputTokens: 100, outputTokens: 5, parts: { cachedInput: 80 } },
    ],
    [
      'SGLang states reasoning on top',
      { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18, reasoning_tokens: 6 },
      { inputTokens: 10, outputTokens: 8, parts: { reasoning: 6 } },
    ],
    [
      'Anthropic counts its cache beside the input',
      { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 900, cache_creation_input_tokens: 100 },
      { inputTokens: 1005, outputTokens: 7, parts: { cachedInput: 900, cacheWrite: 100 } },
    ],
    [
      'OpenAI’s responses count it inside',
      {
        input_tokens: 1000,
        output_tokens: 7,
        total_tokens: 1007,
        input_tokens_details: { cached_tokens: 900 },
        output_tokens_details: { reasoning_tokens: 5 },
      },
      { inputTokens: 1000, outputTokens: 7, parts: { cachedInput: 900, reasoning: 5 } },
    ],
    [
      'Bedrock counts its cache beside the input',
      { inputTokens: 5, outputTokens: 7, totalTokens: 112, cacheReadInputTokens: 90, cacheWriteInputTokens: 10 },
      { inputTokens: 105, outputTokens: 7, parts: { cachedInput: 90, cacheWrite: 10 } },
    ],
    [
      'counts are named as SDKs name them',
      { promptTokens: 20, completionTokens: 5, totalTokens: 25 },
      { inputTokens: 20, outputTokens: 5 },
    ],
    [
      'Gemini’s names are in snake case',
      { prompt_token_count: 20, candidates_token_count: 5, thoughts_token_count: 50, total_token_count: 75 },
      { inputTokens: 20, outputTokens: 55, parts: { reasoning: 50 } },
    ],
    [
      'Cohere bills other tokens than it computes',
      { billed_units: { input_tokens: 3, output_tokens: 2 }, tokens: { input_tokens: 70, output_tokens: 2 } },
      { inputTokens: 3, outputTokens: 2 },
    ],
    [
      'a token that was begun was made',
      { prompt_tokens: 10.2, completion_tokens: 4.5, total_tokens: 14.7 },
      { inputTokens: 11, outputTokens: 5 },
    ],
    [
      'Gemini leaves out counts of 0, as after a blocked prompt',
      { promptTokenCount: 20, totalTokenCount: 20 },
      { inputTokens: 20, outputTokens: 0 },
    ],
    [
      'a missing part is what the total leaves',
      { prompt_tokens: 20, completion_tokens: null, total_tokens: 31 },
      { inputTokens: 20, outputTokens: 11 },
    ],
    [
      'a total below its parts is no total',
      { prompt_tokens: 20, completion_tokens: 5, total_tokens: 0 },
      { inputTokens: 20, outputTokens: 5 },
    ],
    [
      'more reasoning than output is counted beside it',
      { prompt_tokens: 20, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 50 } },
      { inputTokens: 20, outputTokens: 55, parts: { reasoning: 50 } },
    ],
    [
      'a gateway fills in one provider’s names only',
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, input_tokens: 20, output_tokens: 5 },
      { inputTokens: 20, outputTokens: 5 },
    ],
    [
      'Qwen states cache writes within the details',
      { prompt_tokens: 3000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 2048 } },
      { inputTokens: 3000, outputTokens: 5, parts: { cacheWrite: 2048 } },
    ],
    [
      'a part is never more than its whole',
      { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25, completion_tokens_details: { reasoning_tokens: 50 } },
      { inputTokens: 20, outputTokens: 5, parts: { reasoning: 5 } },
    ],
  ])('is read where %s', (_, stated, expected) => {
    expect(usageOf(stated)).toEqual(expected)
  })

  test.each([
    [
      'Gemini’s own',
      {
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 10,
          thoughtsTokenCount: 40,
          toolUsePromptTokenCount: 5,
          cachedContentTokenCount: 60,
          totalTokenCount: 155,
        },
      },
      { inputTokens: 105, outputTokens: 50, parts: { cachedInput: 60, reasoning: 40 } },
    ],
    ['Kimi’s choice', { choices: [{ index: 0, usage: { prompt_tokens: 3, completion_tokens: 2 } }] }, { inputTokens: 3, outputTokens: 2 }],
    ['Groq’s stream', { choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } }, { inputTokens: 3, outputTokens: 2 }],
    ['Ollama’s reply', { message: { content: 'x' }, prompt_eval_count: 12, eval_count: 3 }, { inputTokens: 12, outputTokens: 3 }],
    [
      'llama.cpp’s timings',
      { choices: [], timings: { cache_n: 90, prompt_n: 10, predicted_n: 4 } },
      { inputTokens: 100, outputTokens: 4, parts: { cachedInput: 90 } },
    ],
  ])('is found in %s', (_, reply, expected) => {
    expect(readUsage(reply).usage).toEqual(expected)
  })

  test.each([
    ['negative', { prompt_tokens: -1, completion_tokens: 5 }],
    ['half of it null', { prompt_tokens: 20, completion_tokens: null, total_tokens: 20 }],
    ['words', { prompt_tokens: 'many', completion_tokens: 'few' }],
  ])('that is %s is not read, and said to be there', (_, stated) => {
    expect(readUsage({ usage: stated })).toEqual({ usage: null, unreadUsage: true })
  })

  test('that is absent is no fault', () => {
    expect(readUsage({ choices: [] })).toEqual({ usage: null })
    expect(readUsage({ usage: {} })).toEqual({ usage: null })
    expect(readUsage({ usage: null })).toEqual({ usage: null })
  })
})

describe('usage of a stream', () => {
  const merged = (...events: unknown[]) => readUsage(events.reduce(mergeUsage, null)).usage

  test('is the last of counts that count up', () => {
    const counted = (completion: number) => ({ usage: { prompt_tokens: 20, completion_tokens: completion, total_tokens: 20 + completion } })
    expect(merged(counted(1), { choices: [] }, counted(2), { usage: null }, counted(5), { choices: null })).toEqual({
      inputTokens: 20,
      outputTokens: 5,
    })
  })

  test('does not fall to 0 in the last event', () => {
    const zero = { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }
    expect(merged({ usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }, zero)).toEqual({
      inputTokens: 20,
      outputTokens: 5,
    })
  })

  test('is put together where events name a count each', () => {
    expect(merged({ message: { usage: { input_tokens: 25, output_tokens: 1 } } }, { usage: { output_tokens: 15 } })).toEqual({
      inputTokens: 25,
      outputTokens: 15,
    })
  })
})

describe('a stated cost', () => {
  const costOf = (usage: unknown) => readUsage({ usage: { prompt_tokens: 1, completion_tokens: 1, ...Object(usage) } }).statedPicoUsd

  test.each([
    ['OpenRouter’s, in USD', { cost: 0.00014 }, 140_000_000],
    ['OpenRouter’s, down to its last digit', { cost: 0.0000123 }, 12_300_000],
    [
      'OpenRouter’s fee and the upstream’s bill of a caller’s own key',
      { cost: 0.00001, is_byok: true, cost_details: { upstream_inference_cost: 0.0002 } },
      210_000_000,
    ],
    [
      'OpenRouter’s, without an upstream’s own',
      { cost: 0.0003, is_byok: false, cost_details: { upstream_inference_cost: 0.0002 } },
      300_000_000,
    ],
    ['xAI’s, in ticks', { cost_in_usd_ticks: 37_756_000 }, 3_775_600_000],
    ['Perplexity’s sum', { cost: { input_tokens_cost: 0.001, total_cost: 0.006 } }, 6_000_000_000],
    ['free', { cost: 0 }, 0],
  ])('is %s', (_, usage, expected) => {
    expect(costOf(usage)).toBe(expected)
  })

  test('that is none is not read', () => {
    expect(costOf({ cost: -1 })).toBeUndefined()
    expect(costOf({ cost: 'unknown' })).toBeUndefined()
    expect(costOf({})).toBeUndefined()
  })

  test('of LiteLLM’s header counts unless it is 0, which stands for an unknown price', () => {
    expect(picoUsdOfHeader('3.65e-05')).toBe(36_500_000)
    expect(picoUsdOfHeader('0.0')).toBeUndefined()
    expect(picoUsdOfHeader(undefined)).toBeUndefined()
    expect(picoUsdOfHeader('')).toBeUndefined()
  })
})
