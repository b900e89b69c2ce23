import type { MediaFile } from '../../../contract/media/media.schemas.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import type { CountedFile } from '../tokens/media-tokens.ts'
import type { SpokenProtocol } from './sent-parts.ts'

/** What limits and counts of tokens look at. */
export type MediaFacts = Pick<MediaFile, 'bytes'> & CountedFile

type Measure =
  | 'images'
  | 'image_base64_bytes'
  | 'image_patches'
  | 'image_side_pixels'
  | 'side_pixels_of_many'
  | 'base64_bytes'
  | 'document_bytes'
  | 'document_pages'

interface Limit {
  readonly measure: Measure
  readonly most: number
  /** Of some models only, so that it is not a reason to refuse. */
  readonly only?: string
  /** Names of these models, where names tell; absent: it is stated for any. */
  readonly models?: RegExp
}

interface ProviderLimits {
  readonly provider: string
  readonly limits: readonly Limit[]
  /** Page that states them. */
  readonly source: string
}

/** Day on which the pages of the table were read. */
export const mediaLimitsVersion = '2026-11-30'

const megabyte = 1_000_000

const openAi: ProviderLimits = {
  provider: 'OpenAI',
  limits: [
    { measure: 'images', most: 1_500 },
    { measure: 'image_patches', most: 30_000, only: 'GPT-5.6 and GPT-6, unless detail is low or high', models: /gpt-(?:5\.6|6)(?!\d)/ },
    { measure: 'base64_bytes', most: 512 * megabyte },
    { measure: 'document_bytes', most: 50 * megabyte },
  ],
  source: 'developers.openai.com, images and vision; file inputs',
}
const anthropic: ProviderLimits = {
  provider: 'Anthropic',
  limits: [
    { measure: 'images', most: 600 },
    { measure: 'images', most: 100, only: 'models with a context of 200,000 tokens' },
    { measure: 'image_base64_bytes', most: 10 * megabyte },
    { measure: 'image_side_pixels', most: 8_000 },
    { measure: 'side_pixels_of_many', most: 2_000 },
    { measure: 'base64_bytes', most: 32 * megabyte },
    { measure: 'document_pages', most: 600 },
    { measure: 'document_pages', most: 100, only: 'models with a context under 1 million tokens' },
  ],
  source: 'platform.claude.com, vision; PDF support',
}
const google: ProviderLimits = {
  provider: 'Gemini',
  limits: [
    { measure: 'images', most: 3_600 },
    { measure: 'base64_bytes', most: 100 * megabyte },
    { measure: 'document_bytes', most: 50 * megabyte },
    { measure: 'document_pages', most: 1_000 },
  ],
  source: 'ai.google.dev, image understanding; document processing',
}
const vllm: ProviderLimits = {
  provider: 'vLLM',
  limits: [{ measure: 'images', most: 999 }],
  source: 'vllm-project/vllm, vllm/config/multimodal.py',
}

/** What one request may hold, by whose servers answer it; of Ollama and llama.cpp no limits are known. */
const byHost: readonly (readonly [host: RegExp, limits: ProviderLimits])[] = [
  [/(?:^|\.)openai\.(?:com|azure\.com)$/, openAi],
  [/(?:^|\.)anthropic\.com$/, anthropic],
  [/(?:^|\.)googleapis\.com$/, google],
]
const byProtocol: Readonly<Partial<Record<SpokenProtocol, ProviderLimits>>> = { anthropic_messages: anthropic, gemini: google, vllm }

/** More pictures than this in a request make Anthropic's limit of each smaller. */
const many = 20

const isImage = ({ media_type: type }: MediaFacts): boolean => type.startsWith('image/')
const isDocument = ({ media_type: type }: MediaFacts): boolean => type === 'application/pdf'
const base64Bytes = ({ bytes }: MediaFacts): number => Math.ceil(bytes / 3) * 4
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0)
const side = ({ width, height }: MediaFacts): number => Math.max(width ?? 0, height ?? 0)
/** Of an image that its detail does not scale down. */
const patches = ({ width, height, detail = 'auto' }: MediaFacts): number =>
  detail === 'auto' ? Math.ceil((width ?? 0) / 32) * Math.ceil((height ?? 0) / 32) : 0
const plain = (value: number): string => value.toLocaleString('en')

const measures: Readonly<
  Record<
    Measure,
    { readonly of: (files: readonly MediaFacts[]) => number; readonly unit: string; readonly format: (value: number) => string }
  >
> = {
  images: { of: files => files.filter(isImage).length, unit: 'images in one request', format: plain },
  image_base64_bytes: { of: files => largest(files.filter(isImage).map(base64Bytes)), unit: 'per image in base64', format: formatBytes },
  image_patches: { of: files => largest(files.map(patches)), unit: 'patches of 32 × 32 pixels per image', format: plain },
  image_side_pixels: { of: files => largest(files.map(side)), unit: 'pixels per side of an image', format: plain },
  side_pixels_of_many: {
    of: files => (files.filter(isImage).length > many ? largest(files.map(side)) : 0),
    unit: `pixels per side where a request has more than ${many} images`,
    format: plain,
  },
  base64_bytes: { of: files => sum(files.map(base64Bytes)), unit: 'of files in base64 in one request', format: formatBytes },
  document_bytes: {
    of: files => sum(files.filter(isDocument).map(({ bytes }) => bytes)),
    unit: 'of documents in one request',
    format: formatBytes,
  },
  document_pages: {
    of: files => sum(files.filter(isDocument).map(({ pages }) => pages ?? 0)),
    unit: 'pages of documents in one request',
    format: plain,
  },
}

/** Whose limits hold; `isOwn` where the endpoint is known to be the provider's own. Null where none are known. */
export function limitsOf(
  protocol: SpokenProtocol,
  host: string | null,
): { readonly known: ProviderLimits; readonly isOwn: boolean } | null {
  const own = host === null ? undefined : byHost.find(([pattern]) => pattern.test(host))?.[1]
  if (own) return { known: own, isOwn: true }
  const known = byProtocol[protocol]
  return known ? { known, isOwn: host === null || protocol === 'vllm' } : null
}

export interface PassedLimit {
  readonly measure: Measure
  readonly found: number
  /** As in "at most 8,000 pixels per side of an image". */
  readonly most: string
  /** Models that have it, where not all do. */
  readonly only: string | null
}

/** The limits that one request's files pass. */
export function passedLimits({ limits }: ProviderLimits, model: string, files: readonly MediaFacts[]): PassedLimit[] {
  return limits.flatMap(({ measure, most, only = null, models }) => {
    if (models && !models.test(model.toLowerCase())) return []
    const { of, unit, format } = measures[measure]
    const found = of(files)
    return found > most ? [{ measure, found, most: `${format(most)} ${unit}`, only }] : []
  })
}

export const formatMeasure = (measure: Measure, value: number): string => measures[measure].format(value)
