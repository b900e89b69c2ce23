/** Where a text stops being JSON, in UTF-16 code units, and what mends it. */
interface JsonFault {
  readonly index: number
  readonly mend: string
}

/** What mends a text that JSON.parse refused, and where: `Put a "," or "}" at line 2, column 5. The JSON breaks off there.` */
export function mendJson(text: string): string {
  if (text.startsWith('\uFEFF')) return 'Save it without a byte order mark at column 1. The JSON breaks off there.'
  const { index, mend } = locateJsonError(text)
  const before = text.slice(0, index).split('\n')
  const line = text.includes('\n') ? `line ${before.length}, ` : ''
  const end = index >= text.length ? ', where the text ends' : ''
  return `${mend} at ${line}column ${(before.at(-1)?.length ?? 0) + 1}${end}. The JSON breaks off there.`
}

const whitespace = /[ \t\n\r]*/y
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const escape = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing'

/**
 * Finds the first fault of a text that JSON.parse refused, whose own messages do not always say where. Looks at each character once and
 * does not recurse.
 */
export function locateJsonError(text: string): JsonFault {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let i = 0
  for (;;) {
    i = skip(whitespace, text, i) ?? i
    const char = text[i]
    const fault = (mend: string): JsonFault => ({ index: i, mend })
    const inner = open.at(-1)
    if (expected === 'nothing') return fault('Remove what follows the value')
    if (expected === 'colon') {
      if (char !== ':') return fault('Put a ":" after the key')
      expected = 'value'
      i++
    } else if (expected === 'comma or end') {
      if (char === ',') expected = inner === '{' ? 'key' : 'value'
      else if (char === (inner === '{' ? '}' : ']')) {
        open.pop()
        expected = open.length > 0 ? 'comma or end' : 'nothing'
      } else return fault(`Put a "," or "${inner === '{' ? '}' : ']'}"`)
      i++
    } else if ((expected === 'key or }' && char === '}') || (expected === 'value or ]' && char === ']')) {
      open.pop()
      expected = open.length > 0 ? 'comma or end' : 'nothing'
      i++
    } else if (expected === 'key' || expected === 'key or }') {
      if (char !== '"') return fault('Put a key in double quotes')
      const end = endOfString(text, i)
      if (typeof end !== 'number') return end
      i = end
      expected = 'colon'
    } else if (char === '{' || char === '[') {
      open.push(char)
      expected = char === '{' ? 'key or }' : 'value or ]'
      i++
    } else {
      const end = char === '"' ? endOfString(text, i) : (skip(numberPattern, text, i) ?? skip(word, text, i))
      if (end === null) return fault('Put a value, texts in double quotes,')
      if (typeof end !== 'number') return end
      i = end
      expected = open.length > 0 ? 'comma or end' : 'nothing'
    }
  }
}

/** The index after a string that begins at `start`, or the fault in it. */
function endOfString(text: string, start: number): number | JsonFault {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) return i + 1
    if (code < 0x20) return { index: i, mend: 'Escape the control character of the text, as in \\n or \\t,' }
    if (code !== 0x5c) continue
    const end = skip(escape, text, i + 1)
    if (end === null) return { index: i, mend: 'Double the backslash' }
    i = end - 1
  }
  return { index: text.length, mend: 'Close the text with double quotes' }
}

/** The index after a match at `index`; null where the pattern does not match there. */
function skip(pattern: RegExp, text: string, index: number): number | null {
  pattern.lastIndex = index
  return pattern.test(text) ? pattern.lastIndex : null
}
