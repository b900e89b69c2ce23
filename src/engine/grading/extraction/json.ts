import { codeBlocks } from './code-blocks.ts'

/** Numbers that a double cannot hold are `bigint`s. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

/** The JSON value of a text with whole numbers of any size exact, or undefined when it is not JSON. */
export function parseExactJson(text: string): unknown {
  try {
    // Only a number of 16 digits or more can be one that a double cannot hold.
    return /\d{16}/.test(text) ? JSON.parse(text, exactWhole) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function exactWhole(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/**
 * The JSON that an output is, or that its only block of JSON holds. Bare, or in a fence of any form (`~~~`, four backticks, on one line,
 * never closed), or within a sentence; a byte order mark and text around it are ignored. Of several that differ the last, where what
 * precedes it says that it replaces the others ("Final:", "Corrected:"); null otherwise, and for none.
 */
export function findJson(output: string): FoundJson | null {
  const bare = output.replace(/^[\s\ufeff\u200b]+/, '').trimEnd()
  const whole = found(bare)
  if (whole) return whole
  const blocks = codeBlocks(bare).flatMap(({ code, start, end }) => {
    const one = found(code.trim())
    return one ? [{ ...one, start, end }] : []
  })
  const all = blocks.length > 0 ? blocks : enclosed(bare).flatMap(text => found(text) ?? [])
  const texts = new Set(all.map(({ text }) => text))
  const [before, last] = blocks.slice(-2)
  if (texts.size > 1 && before && last && replacing.test(bare.slice(before.end, last.start))) return { text: last.text, value: last.value }
  return texts.size === 1 ? (all[0] ?? null) : null
}

const replacing =
  /(?:^|[\n.])(?![^\n.]*\b(?:unlike|not|than)\b)[^\n.]{0,60}\b(?:final(?:ly)?|corrected|correction|fixed|updated|revised)\b(?: [a-z]+){0,3} ?[*_]{0,3}[:.]?[*_]{0,3}\s*$/i

/** Stretches from an opening bracket to the one that closes it; brackets in texts between quotes on one line do not count. */
function enclosed(text: string): string[] {
  const stretches: string[] = []
  const closing = text.includes('"') ? closingQuotes(text) : null
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const token = text[at]
    if (token === '"') at = Math.max(at, closing?.[at + 1] ?? at)
    else if (token === '{' || token === '[') {
      if (depth === 0) start = at
      depth++
    } else if ((token === '}' || token === ']') && depth > 0) {
      depth--
      if (depth === 0) stretches.push(text.slice(start, at + 1))
    }
  }
  return stretches
}

const isLineEnd = (char: string | undefined) => char === undefined || /[\n\r\u2028\u2029]/.test(char)

/** For each place, where a text in quotes that continues there ends; -1: it is never closed. From the end, so that each is found at once. */
function closingQuotes(text: string): Int32Array {
  const closing = new Int32Array(text.length + 2).fill(-1)
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at]
    if (char === '"') closing[at] = at
    else if (char === '\\') closing[at] = isLineEnd(text[at + 1]) ? -1 : (closing[at + 2] ?? -1)
    else if (char !== '\n') closing[at] = closing[at + 1] ?? -1
  }
  return closing
}

function found(text: string): FoundJson | null {
  const value = parseExactJson(text)
  return value === undefined ? null : { text, value }
}

/** As JSON text, whole numbers of any size exact. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`)
    .join(',')}}`
}
