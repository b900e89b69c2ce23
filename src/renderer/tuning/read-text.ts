/** Literal texts with the variables that are put between them. */
export type Text = readonly (string | { readonly variable: string })[]

/** Of one value; longer ones are not prompts. */
const mostParts = 100

const tripled = /([fFrRbBuU]*)("""|''')([\s\S]*?)\2/y
const quoted = /([fFrRbBuU]*)(["'`])((?:\\[\s\S]|(?!\2)[^\\])*)\2/y
const named = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:\d+|"[^"\n]*"|'[^'\n]*')\])*/uy
const blank = /\s*/y
/** What may follow a value that is whole. */
const ending = /(?:[,)\]};]|$)/y

/**
 * Texts and variables that are joined by `+`, or by standing beside each other, from a place of the code on. Null where it is anything
 * else, such as a call, a choice or a text that is changed before it is sent.
 * @param code the text with blanks for its comments, see `scanCode`
 */
export function readText(text: string, code: string, from: number): Text | null {
  const parts: Text[number][] = []
  let at = from
  const take = (pattern: RegExp, source: string) => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at += found[0].length
    return found
  }
  take(blank, code)
  if (text[at] === '(') {
    at++
    take(blank, code)
  }
  while (parts.length <= mostParts) {
    const literal = take(tripled, text) ?? take(quoted, text)
    const name = literal ? null : take(named, code)
    if (literal) {
      const [, prefix = '', mark = '', body = ''] = literal
      const isFormatted = text.startsWith('.format(', at)
      const content = partsOf(body, { prefix, mark, isFormatted })
      if (content === null) return null
      parts.push(...content)
      if (isFormatted) return parts
    } else if (name) parts.push({ variable: name[0] })
    else return null
    const end = at
    take(blank, code)
    const isNewLine = code.slice(end, at).includes('\n')
    if (text[at] === '+' && text[at + 1] !== '=' && text[at + 1] !== '+') {
      at++
      take(blank, code)
      continue
    }
    if (literal && /^[fFrRbBuU]{0,2}["'`]/.test(text.slice(at, at + 3))) continue
    ending.lastIndex = at
    // A line break ends the statement, unless the next line begins with a method or an operator.
    const isWhole = ending.test(code) || (isNewLine && !/^(?:[.?%*/&|-]|if\b|or\b|and\b)/.test(code.slice(at, at + 4)))
    return isWhole || isClosingQuote(text, at) ? parts : null
  }
  return null
}

/** Of the shell, after the body of a request. */
function isClosingQuote(text: string, at: number): boolean {
  return text[at] === "'" && /^'\s*(?:$|[\n\\|;>-])/.test(text.slice(at, at + 10))
}

interface Literal {
  readonly prefix: string
  readonly mark: string
  /** Python's `.format()` follows. */
  readonly isFormatted: boolean
}

function partsOf(body: string, { prefix, mark, isFormatted }: Literal): Text | null {
  const unescape = /r/i.test(prefix) ? (text: string) => text : unescaped
  const isPython = /f/i.test(prefix) || isFormatted
  if (!isPython && mark !== '`') return textParts([body], unescape)
  const hole = isPython ? /\{\{|\}\}|\{([^{}]*)\}/g : /(?<!\\)\$\{([^{}]+)\}/g
  const parts: Text[number][] = []
  let from = 0
  for (const { 0: found, 1: expression, index } of body.matchAll(hole)) {
    parts.push(body.slice(from, index))
    // A format or a conversion changes what is put in.
    if (expression !== undefined && isPython && /[!:=]/.test(expression)) return null
    parts.push(expression === undefined ? found.slice(1) : { variable: expression.trim() })
    from = index + found.length
  }
  parts.push(body.slice(from))
  // A hole with brackets in it.
  const rest = isPython ? /[{}]/ : /(?<!\\)\$\{/
  if (parts.some((part, i) => typeof part === 'string' && part !== '{' && part !== '}' && rest.test(part) && i % 2 === 0)) return null
  return textParts(parts, unescape)
}

function textParts(parts: Text, unescape: (text: string) => string | null): Text | null {
  const read: Text[number][] = []
  for (const part of parts) {
    const text = typeof part === 'string' ? unescape(part) : part
    if (text === null) return null
    read.push(text)
  }
  return read
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '\n': '' }
const escape = /\\(u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|U[\da-fA-F]{8}|x[\da-fA-F]{2}|[\s\S])/g

/** Null for escapes that languages read differently. */
function unescaped(body: string): string | null {
  let isKnown = true
  const text = body.replaceAll(escape, (_, found: string) => {
    if (found.length > 1) {
      const code = Number.parseInt(found.replaceAll(/[^\da-fA-F]/g, ''), 16)
      isKnown &&= code <= 0x10_ff_ff
      return isKnown ? String.fromCodePoint(code) : ''
    }
    isKnown &&= /["'`\\/$]/.test(found) || found in escapes
    return escapes[found] ?? found
  })
  return isKnown ? text : null
}
