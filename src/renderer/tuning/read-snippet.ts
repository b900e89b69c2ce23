import { Effort } from '../../contract/index.ts'

/** What a snippet says of its call; null where it says nothing that can be read. */
export interface SnippetCall {
  readonly model: string | null
  readonly effort: Effort | null
  readonly temperature: number | null
  readonly maxOutputTokens: number | null
  readonly systemPrompt: string | null
  /** The user's message with `{input}` in place of its one variable. */
  readonly promptTemplate: string | null
}

/** Longer snippets are stored and not read. */
const longest = 20_000

/**
 * Reads the literal arguments of a model call in Python, JavaScript, TypeScript or JSON (curl). Names differ among libraries, so each
 * setting is looked up under all of them; what is computed elsewhere stays null.
 */
export function readSnippet(snippet: string): SnippetCall {
  const text = snippet.slice(0, longest)
  const messages = messagesOf(text)
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')?.content ?? valueOf(text, systemNames)
  const user = messages.findLast(({ role }) => role === 'user')?.content ?? valueOf(text, promptNames)
  const effort = Effort.safeParse(plain(valueOf(text, effortNames)))
  return {
    model: plain(valueOf(text, modelNames)) ?? wrappedModel(text),
    effort: effort.success ? effort.data : null,
    temperature: numberOf(text, temperatureNames, 2),
    maxOutputTokens: numberOf(text, tokenNames, 10_000_000),
    systemPrompt: plain(system ?? null),
    promptTemplate: user === undefined || user === null ? null : templateOf(user),
  }
}

const modelNames = ['model', 'model_name', 'modelName', 'model_id', 'modelId']
const effortNames = ['reasoning_effort', 'reasoningEffort', 'effort']
const temperatureNames = ['temperature']
const tokenNames = ['max_tokens', 'max_output_tokens', 'max_completion_tokens', 'maxTokens', 'maxOutputTokens', 'max_new_tokens']
const systemNames = ['system_prompt', 'systemPrompt', 'system_instruction', 'systemInstruction', 'system', 'instructions']
const promptNames = ['prompt', 'input', 'contents']

/** A text literal, with the variables that are put into it, or one variable alone. */
interface Value {
  /** Literal texts in turn with the names between them, which are objects. */
  readonly parts: readonly (string | { readonly variable: string })[]
}

const tripled = /^([fFrRbBuU]*)("""|''')([\s\S]*?)\2/
const quoted = /^([fFrRbBuU]*)(["'`])((?:\\[\s\S]|(?!\2)[^\\])*)\2/
const named = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[(?:\d+|"[^"]*"|'[^']*')\])*/

/** Texts and variables that are joined by `+`, or by standing beside each other, from the beginning of `text`. */
function readValue(text: string): Value | null {
  const parts: Value['parts'][number][] = []
  let rest = text.trimStart()
  if (rest.startsWith('(')) rest = rest.slice(1).trimStart()
  for (;;) {
    const literal = tripled.exec(rest) ?? quoted.exec(rest)
    const name = literal ? null : named.exec(rest)
    const found = literal ?? name
    if (!found) return null
    rest = rest.slice(found[0].length).trimStart()
    if (literal) {
      const [, prefix = '', mark = '', body = ''] = literal
      const isFormatted = /f/i.test(prefix) || rest.startsWith('.format(')
      const language = mark === '`' ? 'javascript' : isFormatted ? 'python' : null
      parts.push(...interpolated(mark.length === 3 ? body : unescaped(body), language))
      if (rest.startsWith('.format(')) return { parts }
    } else parts.push({ variable: found[0] })
    // A call or an operator: its result is not known.
    if (name && /^[([*/%-]/.test(rest)) return null
    if (rest.startsWith('+')) rest = rest.slice(1).trimStart()
    else if (!literal || !quoted.test(rest)) break
  }
  // A text that is changed before it is sent.
  return rest.startsWith('.') || rest.startsWith('%') ? null : { parts }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescaped(body: string): string {
  return body.replaceAll(/\\(u[\da-fA-F]{4}|[\s\S])/g, (_, escape: string) =>
    escape.length === 5 ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : escape === '\n' ? '' : (escapes[escape] ?? escape),
  )
}

function interpolated(body: string, language: 'python' | 'javascript' | null): Value['parts'] {
  if (language === null) return [body]
  const hole = language === 'python' ? /\{\{|\}\}|\{([^{}]+)\}/g : /\$\{([^{}]+)\}/g
  const parts: Value['parts'][number][] = []
  let from = 0
  for (const match of body.matchAll(hole)) {
    parts.push(body.slice(from, match.index))
    parts.push(match[1] === undefined ? match[0].slice(1) : { variable: match[1].replace(/[!:][^!:]*$/, '').trim() })
    from = match.index + match[0].length
  }
  return [...parts, body.slice(from)]
}

/** Where a setting of one of these names gets its value: `name=`, `name:`, `"name":`. */
function assignments(text: string, names: readonly string[]): string[] {
  return names.flatMap(name =>
    [...text.matchAll(new RegExp(String.raw`(?<![\w$.-])(["']?)${name}\1\s*(?::|=(?!=))\s*`, 'g'))].map(({ 0: found, index }) =>
      text.slice(index + found.length),
    ),
  )
}

function valueOf(text: string, names: readonly string[]): Value | null {
  for (const rest of assignments(text, names)) {
    const value = resolved(text, readValue(rest))
    if (value && holdsText(value)) return value
  }
  return null
}

function holdsText({ parts }: Value): boolean {
  return parts.some(part => typeof part === 'string')
}

/** Follows names to the texts that the snippet gives them, a few steps far. */
function resolved(text: string, value: Value | null, steps = 3): Value | null {
  if (value === null || steps === 0) return value
  const parts = value.parts.flatMap((part): Value['parts'] => {
    if (typeof part === 'string' || !/^\w+$/.test(part.variable)) return [part]
    const given = assignments(text, [part.variable])
      .map(readValue)
      .find(one => one !== null && holdsText(one))
    return given ? (resolved(text, given, steps - 1)?.parts ?? [part]) : [part]
  })
  return { parts }
}

/** A model's name inside the provider's function: `model: openai('gpt-6')`. */
function wrappedModel(text: string): string | null {
  const found = assignments(text, modelNames).map(rest => /^[\w.]+\(\s*(["'`])([^"'`\n]{1,200})\1\s*\)/.exec(rest)?.[2])
  return found.find(name => name !== undefined) ?? null
}

function numberOf(text: string, names: readonly string[], most: number): number | null {
  for (const rest of assignments(text, names)) {
    const found = Number(/^\d[\d_]*(?:\.\d+)?(?![\w.])/.exec(rest)?.[0].replaceAll('_', '') ?? Number.NaN)
    if (found <= most) return found
  }
  return null
}

/** Messages with a literal role, each with the content given next to it. */
function messagesOf(text: string): { readonly role: string; readonly content: Value | null }[] {
  return [...text.matchAll(/(["']?)role\1\s*[:=]\s*(["'])(system|developer|user|assistant)\2/g)].map(match => {
    const [found, , , role = ''] = match
    // The content follows its role, before the next message begins.
    const after = text.slice(match.index + found.length)
    const next = /(["']?)role\1\s*[:=]/.exec(after)?.index ?? after.length
    const [rest] = assignments(after.slice(0, next), ['content', 'text'])
    return { role, content: rest === undefined ? null : resolved(text, readValue(rest)) }
  })
}

/** A text without variables. */
function plain(value: Value | null): string | null {
  const texts = value?.parts.filter(part => typeof part === 'string') ?? []
  return value === null || texts.length < value.parts.length ? null : texts.join('')
}

/** Null where more than one variable, or none, could be the input of a case. */
function templateOf({ parts }: Value): string | null {
  const variables = new Set(parts.flatMap(part => (typeof part === 'string' ? [] : [part.variable])))
  const template = parts.map(part => (typeof part === 'string' ? part : '{input}')).join('')
  return variables.size < 2 && template.includes('{input}') ? template : null
}
