/** The code points of a Python character class, and the class for a JavaScript expression with the flag v. */

const inside: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  w: String.raw`\p{L}\p{N}_`,
  W: String.raw`[^\p{L}\p{N}_]`,
  s: String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`,
  S: String.raw`[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`,
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', '0': '\0' }

/** One escape of Python's notation. */
export interface Escape {
  /** Its length in the source, the backslash included. */
  readonly length: number
  /** The character that it stands for; null for a class or an anchor. */
  readonly char: string | null
  /** The letter after the backslash. */
  readonly letter: string
}

/** @throws Error for a backslash at the end */
export function readEscape(source: string, at: number): Escape {
  const coded = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(source.slice(at, at + 10))
  if (coded)
    return { length: coded[0].length, char: String.fromCodePoint(parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '', 16)), letter: 'x' }
  const [letter = ''] = source.slice(at + 1, at + 3)
  if (letter === '') throw new Error('it ends in a backslash')
  const isClass = Object.hasOwn(inside, letter)
  const isLiteral = !isClass && !/[A-Za-z1-9]/.test(letter)
  return { length: 1 + letter.length, char: controls[letter] ?? (isLiteral ? letter : null), letter }
}

/** A class of `\d`, `\w`, `\s` or their complements; null for another letter. */
export function classOf(letter: string): string | null {
  const found = inside[letter]
  return found === undefined ? null : `[${found}]`
}

/** A character as an escape that means itself everywhere. */
export function literal(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`
}

/** Reads the class that opens at `at`. @throws Error where it never closes */
export function readClass(source: string, at: number): { readonly text: string; readonly end: number } {
  const negated = source.charAt(at + 1) === '^'
  let out = negated ? '[^' : '['
  const first = at + (negated ? 2 : 1)
  for (let i = first; i < source.length; ) {
    const char = String.fromCodePoint(source.codePointAt(i) ?? 0)
    if (char === ']' && i > first) return { text: `${out}]`, end: i }
    const isRange = char === '-' && i > first && source.charAt(i + 1) !== ']' && !out.endsWith('-')
    if (char === '\\') {
      const escape = readEscape(source, i)
      const set = classOf(escape.letter)
      if (set === null && escape.char === null && escape.letter !== 'b') throw new Error(`"\\${escape.letter}" is not known in a class`)
      out += set ?? literal(escape.char ?? '\b')
      i += escape.length
    } else {
      out += isRange ? '-' : literal(char)
      i += char.length
    }
  }
  throw new Error('a class is not closed')
}
