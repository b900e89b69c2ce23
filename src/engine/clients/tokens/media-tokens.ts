import type { MediaType } from '../../../contract/media/media.schemas.ts'
import { type ImagePart, isMediaPart, type MediaDigest, type MediaPart, type Message } from '../../../contract/messages/messages.schemas.ts'
import type { z } from 'zod'
import type { SpokenProtocol } from '../wire/sent-parts.ts'

/** What a rule looks at. */
export interface CountedFile {
  readonly media_type: MediaType
  readonly width: number | null
  readonly height: number | null
  readonly duration_ms: number | null
  readonly pages: number | null
  readonly detail?: z.infer<typeof ImagePart>['detail']
}

interface PixelSize {
  readonly width: number
  readonly height: number
}

/** How a provider counts the tokens of files, as its pages state it. What a rule lacks is known from usage only. */
export interface MediaRule {
  readonly provider: string
  /** As in "OpenAI: 85 and 170 per tile of 512 × 512 pixels". */
  readonly states: string
  readonly image?: (size: PixelSize, detail: CountedFile['detail']) => number
  readonly perSecond?: number
  readonly perPage?: number
}

/**
 * The most that a provider states for one file, since no rule holds for all of them: a picture in 8 tiles of OpenAI's gpt-4o-mini
 * (2,833 + 8 × 5,667), the 9.5 hours of audio that Gemini takes at 32 tokens a second, the 600 pages that Anthropic takes at 2,350.
 */
export const mostTokensOf: Readonly<Record<MediaPart['type'], number>> = { image: 48_169, audio: 1_094_400, document: 1_410_000 }

/** Sizes of OpenAI's older patch models, whose page states none any longer. */
const olderPatches: Sizing = { budget: 1_536, side: 2_048 }
const highPatches: Sizing = { budget: 2_500, side: 2_048 }

/** By models' names, the first that fits; from the providers' pages as of `mediaLimitsVersion`, which have none for gpt-5.3. */
const rules: readonly (readonly [model: RegExp, rule: MediaRule])[] = [
  [/gpt-4o-mini/, tiles(2_833, 5_667)],
  [/gpt-4\.1-mini/, patches(1.62, { budget: 6_144, side: 2_048 })],
  [/gpt-4\.1-nano/, patches(2.46, olderPatches)],
  [/gpt-5-mini/, patches(1.2, olderPatches)],
  [/gpt-5-nano/, patches(1.5, olderPatches)],
  [/o4-mini/, patches(1.72, olderPatches)],
  [/gpt-5\.2(?!\d)/, patches(1.2, { budget: 6_144, side: 2_048 })],
  [/gpt-5\.4(?!\d)/, patches(1.2, highPatches, { low: { budget: 6_144, side: 2_048 } })],
  [/gpt-5\.5(?!\d)/, patches(1.2, { budget: 10_000, side: 6_000 }, { low: { side: 512 }, high: highPatches })],
  [/gpt-(?:5\.6|6)(?!\d)/, patches(1.2, { side: 65_535 }, { low: { side: 512 }, high: highPatches })],
  [/gpt-5(?:\.1)?(?!\.|\d)/, tiles(70, 140)],
  [/gpt-4o-(?:audio|realtime)|gpt-audio/, withAudio(tiles(85, 170))],
  [/gpt-4o|gpt-4\.[15](?!\d)|gpt-4-turbo/, tiles(85, 170)],
  [/(?:^|[/.])o[13](?!\d)/, tiles(75, 150)],
  [/claude-[a-z]+-(?:4[-.][7-9]|[5-9])(?!\d)/, claude(2_576, 4_784)],
  [/claude/, claude(1_568, 1_568)],
  [
    /gemini-(?:[3-9]|\d\d)(?!\d)/,
    { provider: 'Gemini', states: '1,120 per image, 560 per PDF page, 25 per second', image: () => 1_120, perPage: 560, perSecond: 25 },
  ],
  [
    /gemini-[12](?!\d)/,
    {
      provider: 'Gemini',
      states: '258 per image or tile of 768 × 768 pixels and per PDF page, 32 per second',
      image: geminiTiles,
      perPage: 258,
      perSecond: 32,
    },
  ],
]

/** Servers that run models of their own, whatever these are called. */
const withoutRules: ReadonlySet<SpokenProtocol> = new Set(['ollama', 'llama_cpp', 'vllm', 'gguf_file', 'agent_to_agent'])

/** Null where none is known. @param model as its endpoint calls it */
export function mediaRuleOf(protocol: SpokenProtocol, model: string): MediaRule | null {
  if (withoutRules.has(protocol)) return null
  const name = model.toLowerCase()
  // No page states one for OpenAI's models for code, whose names are those of others with an ending.
  if (name.includes('codex')) return null
  return rules.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** Null where the rule, or what is known of the file, does not tell; never above `mostTokensOf`, which bounds what a call may cost. */
export function mediaTokens(rule: MediaRule, file: CountedFile): number | null {
  const kind = kindOfMedia(file.media_type)
  const count = {
    image: () => (file.width && file.height ? rule.image?.({ width: file.width, height: file.height }, file.detail) : undefined),
    audio: () => product(rule.perSecond, file.duration_ms === null ? null : file.duration_ms / 1000),
    document: () => product(rule.perPage, file.pages),
  }[kind]()
  return count === undefined ? null : Math.min(Math.ceil(count), mostTokensOf[kind])
}

/** Tokens of the files of messages, each as often as it is shown; those that the rule or their facts do not tell count nothing. */
export function tokensOfFiles(
  rule: MediaRule,
  messages: readonly Pick<Message, 'content'>[],
  factsOf: (digests: readonly MediaDigest[]) => ReadonlyMap<string, CountedFile>,
): number {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(isMediaPart)))
  if (parts.length === 0) return 0
  const facts = factsOf([...new Set(parts.map(({ media }) => media))])
  return parts.reduce((sum, part) => {
    const file = facts.get(part.media)
    const detail = part.type === 'image' ? part.detail : undefined
    return sum + ((file && mediaTokens(rule, { ...file, ...(detail && { detail }) })) ?? 0)
  }, 0)
}

export function kindOfMedia(type: MediaType): MediaPart['type'] {
  return type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'document'
}

function product(rate: number | undefined, quantity: number | null): number | undefined {
  return rate === undefined || quantity === null ? undefined : rate * quantity
}

const cells = ({ width, height }: PixelSize, side: number): number => Math.ceil(width / side) * Math.ceil(height / side)
const scaled = ({ width, height }: PixelSize, by: number): PixelSize => ({ width: width * by, height: height * by })
const longer = ({ width, height }: PixelSize): number => Math.max(width, height)

/** Scaled down to fit 2,048 × 2,048 pixels, then to a shorter side of 768, and cut into tiles. */
function tiles(base: number, each: number): MediaRule {
  return {
    provider: 'OpenAI',
    states: `${base.toLocaleString('en')} and ${each.toLocaleString('en')} per tile of 512 × 512 pixels`,
    image: (size, detail) => {
      if (detail === 'low') return base
      const fit = scaled(size, Math.min(1, 2_048 / longer(size)))
      return base + each * cells(whole(scaled(fit, Math.min(1, 768 / Math.min(fit.width, fit.height))), Math.floor), 512)
    },
  }
}

/** A second of audio has been measured to take ten tokens. */
function withAudio(rule: MediaRule): MediaRule {
  return { ...rule, states: `${rule.states}; 10 per second of audio, not documented`, perSecond: 10 }
}

/** Whole pixels, one at least. */
const whole = ({ width, height }: PixelSize, round: (pixels: number) => number): PixelSize => ({
  width: Math.max(1, round(width)),
  height: Math.max(1, round(height)),
})
const rounded = (size: PixelSize): PixelSize => whole(size, Math.round)

/** What an image is scaled down to. */
interface Sizing {
  /** Patches; unlimited where absent. */
  readonly budget?: number
  /** Pixels of the longer side. */
  readonly side: number
}

/** Scaled down to the side, then until its patches are within the budget: to its area, then to whole patches of one side. */
function patches(
  factor: number,
  auto: Sizing,
  { low = auto, high = auto }: { readonly low?: Sizing; readonly high?: Sizing } = {},
): MediaRule {
  const patch = 32
  const limit = auto.budget === undefined ? '' : `, at most ${auto.budget.toLocaleString('en')}`
  return {
    provider: 'OpenAI',
    states: `patches of 32 × 32 pixels after scaling to ${auto.side.toLocaleString('en')}${limit}, times ${factor}`,
    image: (size, detail = 'auto') => {
      const { budget = Number.POSITIVE_INFINITY, side } = { low, high, auto }[detail]
      const fit = rounded(scaled(size, Math.min(1, side / longer(size))))
      if (cells(fit, patch) <= budget) return cells(fit, patch) * factor
      const shrunk = scaled(fit, Math.sqrt((budget * patch ** 2) / (fit.width * fit.height)))
      const toPatches = (length: number) => Math.max(1, Math.floor(length / patch)) / (length / patch)
      const fitted = whole(scaled(shrunk, Math.min(toPatches(shrunk.width), toPatches(shrunk.height))), Math.floor)
      return Math.min(budget, cells(fitted, patch)) * factor
    },
  }
}

/** Scaled down to the largest size within the side and the tokens. */
function claude(side: number, most: number): MediaRule {
  const patch = 28
  const formatted = `patches of 28 × 28 pixels after scaling to ${side.toLocaleString('en')}, at most ${most.toLocaleString('en')}`
  return {
    provider: 'Anthropic',
    states: `${formatted}; 2,350 per PDF page`,
    perPage: 2_350,
    image: size => {
      const countAt = (length: number) => cells(rounded(scaled(size, length / longer(size))), patch)
      let [fits, above] = [1, Math.min(longer(size), side) + 1]
      while (above - fits > 1) {
        const middle = Math.floor((fits + above) / 2)
        if (countAt(middle) <= most) fits = middle
        else above = middle
      }
      return countAt(fits)
    },
  }
}

function geminiTiles(size: PixelSize): number {
  return 258 * (longer(size) <= 384 ? 1 : cells(size, 768))
}
