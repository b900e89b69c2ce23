import { partsOf, type Usage } from './usage.ts'
import { isObject } from '../../../lib/json-value.ts'

/** What a reply says of its price. */
export interface Count {
  /** Null where the provider counted nothing, or nothing that can be true: that must not reach a bill. */
  readonly usage: Usage | null
  /** What the provider itself says that the call cost, in 1e-12 USD, rounded up; absent where it states none. */
  readonly statedPicoUsd?: number
  /** The reply has a count that makes no sense; absent where it has one that does, or none. */
  readonly unreadUsage?: true
}

type Json = Readonly<Record<string, unknown>>

/**
 * Reads usage in the form of every provider: one reader, because the forms travel, e.g. Gemini's and Anthropic's through servers that copy
 * OpenAI. Who counts what inside what is in the comments; sources in decision 0042.
 * @param reply a whole reply, or an event of a stream that holds usage
 */
export function readUsage(reply: unknown): Count {
  const stated = usageIn(reply)
  if (!stated) return { usage: null }
  const usage = tokensOf(stated)
  const cost = statedCost(stated)
  return {
    usage,
    ...(cost === null ? {} : { statedPicoUsd: cost }),
    ...(usage === null && holdsCount(stated) ? { unreadUsage: true as const } : {}),
  }
}

/**
 * The usage of a stream so far. Counts of later events replace earlier ones: servers that count in every event count up, and those that
 * split their usage over events (Anthropic) name each count once.
 */
export function mergeUsage(before: unknown, event: unknown): unknown {
  const next = usageIn(event)
  const earlier = (isObject(before) ? usageIn(before) : null) ?? {}
  return next ? { usage: { ...earlier, ...said(next, earlier) } } : before
}

/** Where providers put it; Kimi streams it in the choice, Groq in `x_groq`, Ollama and Gemini have their own names. */
function usageIn(reply: unknown): Json | null {
  if (!isObject(reply)) return null
  const { choices, message } = reply
  const places = [
    reply['usage'],
    reply['usageMetadata'],
    reply['usage_metadata'],
    get(reply['x_groq'], 'usage'),
    Array.isArray(choices) ? get(choices[0], 'usage') : undefined,
    get(message, 'usage'),
    // llama.cpp counts what it computed apart from what it still had in its cache.
    reply['timings'],
    'prompt_eval_count' in reply || 'eval_count' in reply ? reply : undefined,
  ]
  return places.find(isObject) ?? null
}

function holdsCount(usage: Json): boolean {
  return Object.keys(usage).some(name => /token|count|_n$/i.test(name))
}

function tokensOf(stated: Json): Usage | null {
  const usage = inSnakeCase(stated)
  // Gateways that write the names of several providers fill in those of one.
  let found: Form | null = null
  for (const read of forms) {
    const form = read(usage)
    if (form && (form.input || form.output || form.total)) return completed(form)
    found ??= form
  }
  return found && completed(found)
}

/** `promptTokenCount` and `prompt_token_count` are the same count: gateways and SDKs write either. */
function inSnakeCase(value: Json): Json {
  if (!hasCapitals(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/(?<=[a-z])[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      Array.isArray(member)
        ? member.map(each => (isObject(each) ? inSnakeCase(each) : each))
        : isObject(member)
          ? inSnakeCase(member)
          : member,
    ]),
  )
}

const hasCapitals = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasCapitals)
    : isObject(value) && Object.keys(value).some(name => /[A-Z]/.test(name) || hasCapitals(value[name]))

interface Form {
  readonly input: number | null
  readonly output: number | null
  /** Null where the form states none. */
  readonly total: number | null
  readonly cachedInput?: number | null
  readonly cacheWrite?: number | null
  readonly imageInput?: number | null
  readonly audioInput?: number | null
  readonly reasoning?: number | null
  readonly audioOutput?: number | null
}

/**
 * What the total leaves is output: xAI's chat completions and Gemini behind OpenAI's form count reasoning in the total alone. A total below
 * its parts is not a total.
 */
function completed(form: Form): Usage | null {
  const { total } = form
  const input = form.input ?? restOf(total, form.output)
  const output = form.output ?? restOf(total, form.input)
  if (input === null || output === null) return null
  // Without a total, more reasoning than output is counted beside it, as by xAI.
  const besides = total === null && (form.reasoning ?? 0) > output ? (form.reasoning ?? 0) : 0
  const outputTokens = total === null ? output + besides : Math.max(output, total - input)
  const within: Readonly<Record<string, number>> = {
    cachedInput: input,
    cacheWrite: input,
    imageInput: input,
    audioInput: input,
    reasoning: outputTokens,
    audioOutput: outputTokens,
  }
  return {
    inputTokens: input,
    outputTokens,
    // More than its whole a part cannot be, and none needs no price.
    ...partsOf(name => Math.min(form[name] ?? 0, within[name] ?? 0) || undefined),
  }
}

/** A part that is not counted at all is only known where the total leaves something for it. */
function restOf(total: number | null, other: number | null): number | null {
  return total !== null && other !== null && total > other ? total - other : null
}

/** Chat completions of OpenAI and all that copy them. Prompt ⊇ cached, cache writes; completion ⊇ reasoning. */
function openAiForm(usage: Json): Form | null {
  if (!hasAny(usage, 'prompt_tokens', 'completion_tokens', 'prompt_cache_miss_tokens')) return null
  const inputs = details(usage, 'prompt_tokens_details', 'prompt_token_details', 'input_tokens_details')
  const outputs = details(usage, 'completion_tokens_details', 'output_tokens_details')
  const { hit, miss } = { hit: count(usage['prompt_cache_hit_tokens']), miss: count(usage['prompt_cache_miss_tokens']) }
  const cached =
    count(inputs['cached_tokens']) ??
    count(usage['cached_tokens']) ??
    hit ??
    count(usage['num_cached_tokens']) ??
    count(usage['cache_read_input_tokens'])
  const prompt = count(usage['prompt_tokens']) ?? (miss === null ? null : miss + (hit ?? 0))
  return {
    // xAI: a cached count above the prompt's is counted beside it.
    input: prompt !== null && cached !== null && cached > prompt ? prompt + cached : prompt,
    output: count(usage['completion_tokens']),
    total: count(usage['total_tokens']),
    cachedInput: cached,
    cacheWrite:
      count(inputs['cache_write_tokens']) ??
      count(inputs['cache_creation_tokens']) ??
      count(inputs['cache_creation_input_tokens']) ??
      count(usage['cache_creation_input_tokens']),
    imageInput: count(inputs['image_tokens']),
    audioInput: count(inputs['audio_tokens']),
    reasoning: count(outputs['reasoning_tokens']) ?? count(usage['reasoning_tokens']),
    audioOutput: count(outputs['audio_tokens']),
  }
}

/** Anthropic's messages and Bedrock count what went through their cache beside the input; OpenAI's responses, with details, inside it. */
function anthropicForm(usage: Json): Form | null {
  if (!hasAny(usage, 'input_tokens', 'output_tokens')) return null
  const inputs = details(usage, 'input_tokens_details')
  const outputs = details(usage, 'output_tokens_details')
  const isInside = isObject(usage['input_tokens_details'])
  const read = count(isInside ? inputs['cached_tokens'] : usage['cache_read_input_tokens'])
  const written = count(
    isInside ? inputs['cache_write_tokens'] : (usage['cache_creation_input_tokens'] ?? usage['cache_write_input_tokens']),
  )
  const input = count(usage['input_tokens'])
  return {
    input: input === null || isInside ? input : input + (read ?? 0) + (written ?? 0),
    output: count(usage['output_tokens']),
    total: count(usage['total_tokens']),
    cachedInput: read,
    cacheWrite: written,
    imageInput: count(inputs['image_tokens']),
    audioInput: count(inputs['audio_tokens']),
    reasoning: count(outputs['reasoning_tokens']) ?? count(outputs['thinking_tokens']) ?? count(usage['thinking_tokens']),
    audioOutput: count(outputs['audio_tokens']),
  }
}

/** Gemini's own. Prompt ⊇ cached; total = prompt + tool prompt + candidates + thoughts. */
function geminiForm(usage: Json): Form | null {
  if (!hasAny(usage, 'prompt_token_count', 'candidates_token_count', 'total_token_count')) return null
  const prompt = count(usage['prompt_token_count'])
  const candidates = count(usage['candidates_token_count'])
  const thoughts = count(usage['thoughts_token_count'])
  const total = count(usage['total_token_count'])
  const input = prompt === null ? null : prompt + (count(usage['tool_use_prompt_token_count']) ?? 0)
  // A count of 0 is left out, as after a blocked prompt.
  const isZero = input !== null && total === input
  return {
    input,
    output: candidates === null && thoughts === null && !isZero ? null : (candidates ?? 0) + (thoughts ?? 0),
    total,
    cachedInput: count(usage['cached_content_token_count']),
    imageInput: ofModality(usage['prompt_tokens_details'], 'IMAGE'),
    audioInput: ofModality(usage['prompt_tokens_details'], 'AUDIO'),
    reasoning: thoughts,
    audioOutput: ofModality(usage['candidates_tokens_details'], 'AUDIO'),
  }
}

/** Cohere bills other tokens than it computes; the billed ones cost. */
function cohereForm(usage: Json): Form | null {
  const tokens = [usage['billed_units'], usage['tokens']].find(isObject)
  return tokens ? { input: count(tokens['input_tokens']), output: count(tokens['output_tokens']), total: null } : null
}

/** Ollama's own API, and the timings of llama.cpp. */
function localForm(usage: Json): Form | null {
  if (hasAny(usage, 'prompt_eval_count', 'eval_count'))
    return { input: count(usage['prompt_eval_count']), output: count(usage['eval_count']), total: null }
  if (!hasAny(usage, 'prompt_n', 'predicted_n')) return null
  const [cached, computed] = [count(usage['cache_n']), count(usage['prompt_n'])]
  return {
    input: computed === null ? null : computed + (cached ?? 0),
    output: count(usage['predicted_n']),
    total: null,
    cachedInput: cached,
  }
}

/** In the order in which they are looked for. */
const forms = [openAiForm, geminiForm, anthropicForm, cohereForm, localForm]

const picoUsdPerUsd = 1e12
/** xAI states cost in ticks of 1e-10 USD. */
const picoUsdPerTick = 100

/** OpenRouter's `cost` in USD, with the upstream's own bill where the caller's key paid it; xAI's ticks; Perplexity's sum of parts. */
function statedCost(usage: Json): number | null {
  const ticks = amount(usage['cost_in_usd_ticks'], picoUsdPerTick)
  if (ticks !== null) return ticks
  const { cost, is_byok: isByok, cost_details: costs } = usage
  const own = amount(isObject(cost) ? cost['total_cost'] : cost, picoUsdPerUsd)
  if (own === null || isByok !== true) return own
  return own + (amount(get(costs, 'upstream_inference_cost'), picoUsdPerUsd) ?? 0)
}

/** USD as a header states it, in 1e-12 USD. Zero is what LiteLLM writes for a model whose price it does not know. */
export function picoUsdOfHeader(value: string | string[] | undefined): number | undefined {
  const pico = typeof value === 'string' && value.trim() !== '' ? amount(Number(value), picoUsdPerUsd) : null
  return pico || undefined
}

/** Rounded up, but not for the last binary digits of a decimal number. */
function amount(value: unknown, unit: number): number | null {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return null
  const exact = Number((number * unit).toPrecision(15))
  return exact > Number.MAX_SAFE_INTEGER ? null : Math.ceil(exact)
}

/** A token that was begun was made. Null for what is not a count. */
function count(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.ceil(value) : null
}

function ofModality(list: unknown, modality: string): number | null {
  const own = Array.isArray(list) ? list.find(entry => get(entry, 'modality') === modality) : undefined
  return count(get(own, 'token_count'))
}

/** The details under their several names, in the order of the names. */
function details(usage: Json, ...names: readonly string[]): Json {
  return names.map(name => usage[name]).find(isObject) ?? {}
}

function hasAny(usage: Json, ...names: readonly string[]): boolean {
  return names.some(name => usage[name] !== undefined && usage[name] !== null)
}

/** No count falls to 0: an event that says so counts nothing. */
function said(usage: Json, earlier: Json): Json {
  const counts = ([name, value]: readonly [string, unknown]) => value !== null && value !== undefined && !(value === 0 && earlier[name])
  return Object.fromEntries(Object.entries(usage).filter(counts))
}

function get(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}
