import { Effort } from '../../contract/catalog/models.schemas.ts'
import { scanCode } from './scan-code.ts'
import { readText, type Text } from './read-text.ts'

/** What a snippet says of its call; null where it says nothing that can be read. */
export interface SnippetCall {
  readonly model: string | null
  readonly effort: Effort | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly seed: number | null
  readonly maxOutputTokens: number | null
  readonly stop: readonly string[] | null
  readonly systemPrompt: string | null
  /** The user's message with `{input}` in place of its one variable. */
  readonly promptTemplate: string | null
}

/** Longer snippets are stored, and only their beginning is read. */
const longest = 20_000
/** Texts and variables of one value, with what its names stand for. */
const mostParts = 100
/** Of a call. */
const mostStops = 4

/**
 * Reads the literal arguments of a model call in Python, JavaScript, TypeScript or JSON (curl). Names differ among libraries, so each
 * setting is looked up under all of them. What is computed, or given two values, stays null: a wrong value is worse than none.
 */
export function readSnippet(snippet: string): SnippetCall {
  const code = openCode(snippet)
  const messages = messagesOf(code)
  const [system, ...otherSystems] = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const [user, ...otherUsers] = messages.filter(({ role }) => role === 'user')
  // Of a conversation with examples no single message is the prompt.
  const isConversation = otherUsers.length > 0 || messages.some(({ role }) => role === 'assistant')
  const systemPrompt = otherSystems.length > 0 ? null : system ? system.content : code.textOf(systemNames)
  const prompt = isConversation ? null : user ? user.content : code.textOf(promptNames)
  const effort = Effort.safeParse(plain(code.textOf(effortNames)))
  const model = plain(code.textOf(modelNames))
  const wrapped = code.wrappedModel()
  return {
    model: model !== null && wrapped !== null ? null : (model ?? wrapped),
    effort: effort.success ? effort.data : null,
    temperature: code.numberOf(temperatureNames, value => value <= 2),
    topP: code.numberOf(topPNames, value => value > 0 && value <= 1),
    seed: code.numberOf(seedNames, value => Number.isSafeInteger(value), modelNames),
    maxOutputTokens: code.numberOf(tokenNames, value => Number.isInteger(value) && value >= 1 && value <= 10_000_000),
    stop: code.textsOf(stopNames),
    systemPrompt: plain(systemPrompt),
    promptTemplate: prompt === null ? null : templateOf(prompt),
  }
}

const modelNames = ['model', 'model_name', 'modelName', 'model_id', 'modelId']
const effortNames = ['reasoning_effort', 'reasoningEffort', 'effort']
const temperatureNames = ['temperature']
const topPNames = ['top_p', 'topP']
const seedNames = ['seed', 'random_seed', 'randomSeed']
const tokenNames = ['max_tokens', 'max_output_tokens', 'max_completion_tokens', 'maxTokens', 'maxOutputTokens', 'max_new_tokens']
const stopNames = ['stop', 'stop_sequences', 'stopSequences']
const systemNames = ['system_prompt', 'systemPrompt', 'system_instruction', 'systemInstruction', 'system', 'instructions']
const promptNames = ['prompt', 'input', 'contents']

/** Functions that take a model's name: `model: openai('gpt-6')`. Others may look it up by that name. */
const providers =
  /^(?:openai|anthropic|google|vertex|azure|bedrock|mistral|cohere|groq|xai|deepseek|openrouter|togetherai|fireworks|perplexity|cerebras|ollama|lmstudio|gateway)(?:\.\w+)?\(\s*(["'`])([\w./:@-]{1,200})\1\s*\)/
/** Where a name gets a value: `name=`, `name:`, `"name":`, but not in `a ? name : b` or `name == b`. */
const assignment = /(?<![\p{L}\p{N}_$.-])(["']?)([\p{L}_$][\p{L}\p{N}_$-]*)\1\s*(?::(?![:=])|=(?![=>]))[^\S\n]*\n?\s*/gu
/** A text of a list of scanned code, with what ends it. */
const element = /(\s*)[rRbBuU]{0,2}(["'`])[^"'`]*\2\s*(,?\s*\]|,)/y
const role = /(?<![\w$.-])(["']?)role\1\s*[:=]\s*(["'])(system|developer|user|assistant)\2/g

interface Code {
  readonly text: string
  readonly code: string
  /** The text that these names are given, null where none is literal or several differ. */
  textOf(names: readonly string[], from?: number, to?: number): Text | null
  /** @param besides names in the same brackets as which alone it is taken */
  numberOf(names: readonly string[], accepts: (value: number) => boolean, besides?: readonly string[]): number | null
  /** One literal text or a list of them; null where any is computed, or several differ. */
  textsOf(names: readonly string[]): readonly string[] | null
  wrappedModel(): string | null
}

function openCode(snippet: string): Code {
  const cut = snippet.slice(0, longest)
  // A text that is cut off would read as code.
  const { text, code } = scanCode(snippet.length > longest ? cut.slice(0, Math.max(0, cut.lastIndexOf('\n'))) : cut)
  const places = new Map<string, number[]>()
  for (const { 0: found, 2: name = '', index } of code.matchAll(assignment)) {
    // The other half of a choice.
    if (/\?\s*$/.test(code.slice(Math.max(0, index - 20), index))) continue
    const own = places.get(name) ?? []
    own.push(index + found.length)
    places.set(name, own)
  }
  const changed = new Set(Array.from(code.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*\+=/gu), ([, name]) => name))
  const read = new Map<number, Text | null>()
  const textAt = (at: number): Text | null => {
    const known = read.get(at)
    if (known !== undefined) return known
    const value = readText(text, code, at)
    read.set(at, value)
    return value
  }
  const placesOf = (names: readonly string[], from: number, to: number) =>
    names.flatMap(name => (changed.has(name) ? [] : (places.get(name) ?? []))).filter(at => at >= from && at < to)
  const followed = new Map<string, Text | null>()
  /** The text of a name anywhere in the snippet, worked out once. */
  const follow = (name: string, steps: number): Text | null => {
    const key = `${steps} ${name}`
    const known = followed.get(key)
    if (known !== undefined) return known
    const found = literal([name], 0, text.length, steps)
    followed.set(key, found)
    return found
  }
  /** Follows names to the texts that the snippet gives them, a few steps far. */
  const resolved = (value: Text | null, steps: number): Text | null => {
    if (value === null || steps === 0) return value
    const parts: Text[number][] = []
    for (const part of value) {
      const given = typeof part === 'string' || !/^\w+$/.test(part.variable) ? null : follow(part.variable, steps - 1)
      parts.push(...(given ?? [part]))
      if (parts.length > mostParts) return null
    }
    return parts
  }
  const literal = (names: readonly string[], from: number, to: number, steps: number): Text | null => {
    const found = new Map<string, Text>()
    for (const at of placesOf(names, from, to)) {
      const value = resolved(textAt(at), steps)
      if (value?.some(part => typeof part === 'string')) found.set(JSON.stringify(value), value)
      if (found.size > 1) return null
    }
    return [...found.values()][0] ?? null
  }
  const textsAt = (at: number): readonly string[] | null => {
    if (code[at] !== '[') {
      const only = plain(resolved(textAt(at), 3))
      return only === null ? null : [only]
    }
    const texts: string[] = []
    for (let next = at + 1; texts.length < mostStops; ) {
      element.lastIndex = next
      const found = element.exec(code)
      const value = found && plain(textAt(next + (found[1] ?? '').length))
      if (!found || value === null) return null
      texts.push(value)
      if (found[3]?.endsWith(']')) return texts
      next = element.lastIndex
    }
    return null
  }
  return {
    text,
    code,
    textsOf: names => {
      const found = placesOf(names, 0, text.length)
        .map(textsAt)
        .filter(texts => texts?.every(one => one !== ''))
      return new Set(found.map(texts => JSON.stringify(texts))).size === 1 ? (found[0] ?? null) : null
    },
    textOf: (names, from = 0, to = text.length) => literal(names, from, to, 3),
    numberOf: (names, accepts, besides) => {
      const around = besides?.flatMap(name => places.get(name) ?? []).map(at => bracketsAround(code, at))
      const isInside = (at: number) => !around || around.some(([from, to]) => from >= 0 && bracketsAround(code, at)[0] === from && at < to)
      const found = placesOf(names, 0, text.length).flatMap(at => {
        if (!isInside(at)) return []
        const number = Number(
          /^\d[\d_]*(?:\.\d+)?(?=\s*(?:[,)\]};]|$)|[^\S\n]*\n)/.exec(code.slice(at, at + 100))?.[0].replaceAll('_', '') ?? Number.NaN,
        )
        return accepts(number) ? [number] : []
      })
      return new Set(found).size === 1 ? (found[0] ?? null) : null
    },
    wrappedModel: () => {
      const found = placesOf(modelNames, 0, text.length).flatMap(at => providers.exec(text.slice(at, at + 300))?.[2] ?? [])
      return new Set(found).size === 1 ? (found[0] ?? null) : null
    },
  }
}

/** Messages with a literal role, each with the content given between the same brackets. */
function messagesOf(code: Code): { readonly role: string; readonly content: Text | null }[] {
  return Array.from(code.code.matchAll(role), ({ 3: name = '', index }) => {
    const [from, to] = bracketsAround(code.code, index)
    return { role: name, content: code.textOf(['content', 'text'], from, to) }
  })
}

function bracketsAround(code: string, at: number): [from: number, to: number] {
  const edge = (step: 1 | -1, [open, close]: readonly [string, string]) => {
    let depth = 0
    let i = at
    for (; i >= 0 && i < code.length; i += step) {
      const sign = code[i] ?? ''
      if (close.includes(sign)) depth++
      else if (open.includes(sign) && --depth < 0) break
    }
    return i
  }
  return [edge(-1, ['{(', '})']), edge(1, ['})', '{('])]
}

/** A text without variables. */
function plain(value: Text | null): string | null {
  const texts = value?.filter(part => typeof part === 'string') ?? []
  return value === null || texts.length < value.length ? null : texts.join('')
}

/** Null where more than one variable, or none, could be the input of a case. */
function templateOf(value: Text): string | null {
  const variables = new Set(value.flatMap(part => (typeof part === 'string' ? [] : [part.variable])))
  const isMarked = value.some(part => typeof part === 'string' && part.includes('{input}'))
  if (variables.size > 1 || (variables.size === 1) === isMarked) return null
  return value.map(part => (typeof part === 'string' ? part : '{input}')).join('')
}
