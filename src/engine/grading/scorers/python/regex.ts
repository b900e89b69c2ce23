/** Python's notation for regular expressions written for RE2, which lacks Python's Unicode classes and its `\Z` and `$`. */

// The inside of RE2 character classes for what Python's \d, \w and \s accept in text, and for their complements.
const classes: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  w: String.raw`\p{L}\p{N}_`,
  W: String.raw`\p{M}\p{S}\p{Z}\p{C}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\x{203f}\x{2040}\x{2054}\x{fe33}\x{fe34}\x{fe4d}-\x{fe4f}\x{ff3f}`,
  s: String.raw`\t-\r\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`,
  S: String.raw`\x{0}-\x{8}\x{e}-\x{1b}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}`,
}

/**
 * @param multiline whether `$` ends every line (the flag; an `(?m)` at the start of the pattern counts too)
 * @throws Error for what RE2 would silently read differently
 */
export function pythonToRe2(source: string, multiline: boolean): string {
  const lineEnds = multiline || /^\(\?[aiLmsux]*m/.test(source)
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i)
    if (char === '\\') {
      const escape = /^\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/.exec(source.slice(i, i + 10))
      if (!escape) throw new Error('it ends in a backslash')
      out += escaped(escape[1] ?? escape[2], escape[3] ?? '', inClass)
      i += escape[0].length - 1
    } else if (inClass) {
      inClass = char !== ']' || isClassStart(source, i)
      out += char === '[' ? String.raw`\[` : char
    } else if (char === '[') {
      inClass = true
      out += char
    } else if (char === '$' && !lineEnds) out += String.raw`(?:\n?\z)`
    else if (char === '{' && /^\{,\d+\}/.test(source.slice(i))) out += '{0'
    else if (source.startsWith('(?#', i)) i = source.indexOf(')', i)
    else out += char
    if (i < 0) throw new Error('a comment is not closed')
  }
  return out
}

/** Whether the `]` at `i` is the first character of its class, where it is literal. */
function isClassStart(source: string, i: number): boolean {
  const before = source.slice(Math.max(0, i - 2), i)
  return before.endsWith('[') || before === '[^'
}

function escaped(codePoint: string | undefined, char: string, inClass: boolean): string {
  if (codePoint !== undefined) return String.raw`\x{${codePoint}}`
  const inside = classes[char]
  if (inside !== undefined) return inClass ? inside : `[${inside}]`
  if (char === 'Z' && !inClass) return String.raw`\z`
  if (char === 'b' && inClass) return String.raw`\x{8}`
  if (char === '0') return String.raw`\x{0}`
  return `\\${char}`
}
