import type { PyValue } from './values.ts'

interface ReadString {
  readonly value: PyValue
  /** Position after the closing quote. */
  readonly end: number
}

const opening = /([rbuRBU]{0,2})('''|"""|'|")/y
const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\x07',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  '\n': '',
}

/** The string or bytes literal at a position, or null when there is none. JSON has double quotes only and no prefix. */
export function readString(text: string, at: number, isJson: boolean): ReadString | null {
  opening.lastIndex = at
  const [whole = '', prefix = '', quote = ''] = opening.exec(text) ?? []
  if (whole === '' || (isJson && whole !== '"')) return null
  const isRaw = prefix.toLowerCase().includes('r')
  let value = ''
  for (let i = at + whole.length; i < text.length; ) {
    if (text.startsWith(quote, i))
      return { value: { type: prefix.toLowerCase().includes('b') ? 'bytes' : 'str', value }, end: i + quote.length }
    const char = text.charAt(i)
    if (char === '\n' && quote.length === 1) return null
    if (isJson && char < ' ') return null
    const escape = char === '\\' ? readEscape(text, i, isJson) : null
    if (char === '\\' && isJson && !escape) return null
    value += escape && !isRaw ? escape.text : char === '\\' ? text.slice(i, i + 2) : char
    i += char === '\\' ? (isRaw ? 2 : (escape?.length ?? 2)) : 1
  }
  return null
}

/** The escape at a backslash; null for a literal backslash. */
function readEscape(text: string, at: number, isJson: boolean): { text: string; length: number } | null {
  const next = text.charAt(at + 1)
  const simple = simpleEscapes[next]
  if (simple !== undefined && !(isJson ? "av'\n" : '/').includes(next)) return { text: simple, length: 2 }
  const width = next === 'u' ? 4 : isJson ? 0 : next === 'x' ? 2 : next === 'U' ? 8 : 0
  const digits = text.slice(at + 2, at + 2 + width)
  if (width > 0 && digits.length === width && /^[0-9a-fA-F]+$/.test(digits)) {
    const code = Number.parseInt(digits, 16)
    return code > 0x10ffff ? null : { text: String.fromCodePoint(code), length: 2 + width }
  }
  const octal = isJson ? null : /^\\[0-7]{1,3}/.exec(text.slice(at, at + 4))
  return octal ? { text: String.fromCharCode(Number.parseInt(octal[0].slice(1), 8)), length: octal[0].length } : null
}
