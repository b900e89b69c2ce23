import { describe, expect, test } from 'vitest'
import { type CountedFile, mediaRuleOf, mediaTokens, mostTokensOf } from '../../../../src/engine/clients/tokens/media-tokens.ts'
import { limitsOf, passedLimits } from '../../../../src/engine/clients/wire/media-limits.ts'
import type { SpokenProtocol } from '../../../../src/engine/clients/wire/sent-parts.ts'

const nothing = { width: null, height: null, duration_ms: null, pages: null }
const image = (width: number, height: number, detail?: 'low' | 'high' | 'auto'): CountedFile => ({
  ...nothing,
  media_type: 'image/png',
  width,
  height,
  ...(detail && { detail }),
})
const audio = (duration_ms: number | null): CountedFile => ({ ...nothing, media_type: 'audio/wav', duration_ms })
const pdf = (pages: number | null): CountedFile => ({ ...nothing, media_type: 'application/pdf', pages })

/** Null where no rule is known. */
function tokens(model: string, file: CountedFile, protocol: SpokenProtocol = 'openai_chat'): number | null {
  const rule = mediaRuleOf(protocol, model)
  return rule && mediaTokens(rule, file)
}

describe('the tokens of a file', () => {
  // The cases that the providers' pages work out, as media-facts.md of the shared design cites them.
  test.each([
    ['gpt-4o', image(1024, 1024), 765],
    ['gpt-4o-2024-08-06', image(2048, 4096), 1_105],
    ['gpt-4o', image(4096, 8192, 'low'), 85],
    ['gpt-4.1', image(1024, 1024, 'auto'), 765],
    ['gpt-4o-mini', image(1024, 1024), 2_833 + 4 * 5_667],
    ['gpt-5', image(1024, 1024), 70 + 4 * 140],
    ['gpt-5-chat-latest', image(64, 64), 70 + 140],
    ['openai/o3', image(1024, 1024), 75 + 4 * 150],
    ['o1', image(1024, 1024, 'low'), 75],
    ['gpt-4.1-nano', image(1800, 2400), Math.ceil(1_452 * 2.46)],
    ['gpt-5.2', image(1024, 1024), 1_229],
    ['gpt-4.1-mini', image(1024, 1024), Math.ceil(1_024 * 1.62)],
    ['gpt-4.1-mini', image(4096, 4096), Math.ceil(4_096 * 1.62)],
    ['gpt-5-mini', image(1024, 1024), 1_229],
    ['gpt-5-nano', image(32, 33), 3],
    ['o4-mini', image(32, 33), Math.ceil(2 * 1.72)],
    ['gpt-5.4', image(1024, 1024, 'high'), 1_229],
    ['gpt-5.4', image(2048, 2048, 'high'), 3_000],
    ['gpt-5.4-mini', image(2048, 2048, 'low'), Math.ceil(4_096 * 1.2)],
    ['gpt-5.5', image(3200, 3200), 12_000],
    ['gpt-5.5', image(2048, 2048, 'high'), 3_000],
    ['gpt-5.6-sol', image(2400, 2400), 6_750],
    ['gpt-5.6', image(2048, 2048, 'high'), 3_000],
    ['gpt-6-luna', image(4000, 4000, 'low'), Math.ceil(256 * 1.2)],
    ['claude-sonnet-4-5', image(1000, 1000), 1_296],
    ['claude-3-5-sonnet-20241022', image(1920, 1080), 1_560],
    ['claude-opus-4-20250514', image(1920, 1080), 1_560],
    ['claude-opus-4-7', image(1920, 1080), 2_691],
    ['anthropic/claude-opus-4.8', image(1920, 1080), 2_691],
    ['claude-sonnet-4-5', pdf(3), 7_050],
    ['gemini-3-pro', image(64, 64), 1_120],
    ['gemini-3.1-flash', pdf(2), 1_120],
    ['gemini-3-pro', audio(60_000), 1_500],
    ['gemini-2.5-flash', image(384, 384), 258],
    ['gemini-2.5-flash', image(385, 384), 258],
    ['gemini-2.0-flash', image(769, 1000), 4 * 258],
    ['gemini-2.5-pro', audio(10_500), 336],
    ['gemini-2.5-flash', pdf(2), 516],
    ['gpt-4o-audio-preview', audio(1_250), 13],
  ] as const)('is as %s states it, case %#', (model, file, count) => {
    expect(tokens(model, file)).toBe(count)
  })

  test('says which part of it OpenAI does not document', () => {
    const [audio, pictures] = ['gpt-4o-audio-preview', 'gpt-4o'].map(model => mediaRuleOf('openai_chat', model)?.states)
    expect(audio).toBe(`${pictures}; 10 per second of audio, not documented`)
  })

  test.each([
    ...['gpt-5-codex', 'gpt-5.1-codex-max', 'gpt-5.1-codex-mini', 'gpt-5.2-codex', 'gpt-5.3-codex', 'gpt-5.4-codex', 'gpt-5.6-codex'].map(
      model => [model, image(64, 64)] as const,
    ),
    ['gpt-5.3', image(64, 64)],
    ['gpt-5.60', image(64, 64)],
    ['gpt-oss-120b', image(64, 64)],
    ['llava', image(64, 64)],
    ['gpt-4o', pdf(2)],
    ['claude-sonnet-4-5', audio(1_000)],
    ['gemini-3-pro', pdf(null)],
    ['gemini-3-pro', audio(null)],
  ] as const)('is not told where no page states it: %s, case %#', (model, file) => {
    expect(tokens(model, file)).toBeNull()
  })

  test.each(['ollama', 'llama_cpp', 'vllm'] as const)('is not told by a model’s name where %s serves it', protocol => {
    expect(tokens('gpt-4o', image(64, 64), protocol)).toBeNull()
  })

  test.each([
    'gpt-4o-mini',
    'gpt-4.1-nano',
    'gpt-5.4',
    'gpt-5.6',
    'o1',
    'claude-opus-4-7',
    'claude-3-opus',
    'gemini-2.0-flash',
    'gemini-3-pro',
  ])('of %s is never above what bounds a call, whatever its shape', model => {
    const sides = [1, 2, 31, 767, 768, 769, 2_048, 2_049, 7_071, 50_000_000]
    const counts = sides.flatMap(width => sides.map(height => tokens(model, image(width, height)) ?? 0))
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.max(...counts)).toBeLessThanOrEqual(mostTokensOf.image)
    expect(tokens(model, pdf(1_000_000)) ?? 0).toBeLessThanOrEqual(mostTokensOf.document)
    expect(tokens(model, audio(1e12)) ?? 0).toBeLessThanOrEqual(mostTokensOf.audio)
  })

  test('stays within the budget of its model', () => {
    const counts = (model: string) => Array.from({ length: 300 }, (_, i) => tokens(model, image(8 + 16 * i, 8 + 9 * i)) ?? 0)
    for (const [model, most] of [
      ['claude-sonnet-4-5', 1_568],
      ['claude-opus-4-7', 4_784],
      ['gpt-4.1-nano', Math.ceil(1_536 * 2.46)],
      ['gpt-5.4', 3_000],
    ] as const) {
      expect(Math.max(...counts(model))).toBeLessThanOrEqual(most)
      expect(Math.max(...counts(model))).toBeGreaterThan(most * 0.9)
    }
  })
})

test('a picture of more patches than some models of OpenAI take passes a limit of those models, as its detail lets it be', () => {
  const known = limitsOf('openai_responses', 'api.openai.com')?.known
  const passed = (model: string, ...shown: Parameters<typeof image>) =>
    known && passedLimits(known, model, [{ ...image(...shown), bytes: 1_000 }])
  expect(passed('gpt-5.6', 5_536, 5_536)).toEqual([])
  for (const model of ['gpt-4o', 'gpt-5.5', 'gpt-5.60']) expect(passed(model, 8_000, 6_000)).toEqual([])
  for (const detail of ['low', 'high'] as const) expect(passed('gpt-6-luna', 8_000, 6_000, detail)).toEqual([])
  expect(passed('gpt-6-luna', 8_000, 6_000, 'auto')).toHaveLength(1)
  expect(passed('gpt-5.6', 8_000, 6_000)).toEqual([
    {
      measure: 'image_patches',
      found: 47_000,
      most: '30,000 patches of 32 × 32 pixels per image',
      only: expect.stringContaining('GPT-5.6'),
    },
  ])
})
