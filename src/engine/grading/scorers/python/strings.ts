/** Python's string rules where they differ from JavaScript's. Positions are UTF-16 code units. */

/** `string.punctuation`: the 32 ASCII punctuation characters. */
export const ASCII_PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** What `\s` and `str.isspace` accept, as the inside of a character class for a JavaScript regular expression with the u flag. */
export const SPACE_CLASS = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

/** What `\w` accepts (letters, numbers of any kind and the underscore; no combining marks), likewise. */
export const WORD_CLASS = String.raw`\p{L}\p{N}_`

/** `str.isspace` of one UTF-16 code unit; unlike JavaScript it knows U+001C to U+001F and U+0085 and not U+FEFF. */
export function isSpaceCode(code: number): boolean {
  if (code < 0x80) return (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x20)
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** Where `str.strip` would cut: the span of the text without the characters at its ends that `drop` accepts. */
export function stripSpan(text: string, drop: (code: number) => boolean = isSpaceCode): { start: number; end: number } {
  let start = 0
  let end = text.length
  while (start < end && drop(text.charCodeAt(start))) start++
  while (end > start && drop(text.charCodeAt(end - 1))) end--
  return { start, end }
}

/** `str.strip()`, or `str.strip(chars)` for characters below U+10000. */
export function strip(text: string, chars?: string): string {
  const { start, end } = stripSpan(text, chars === undefined ? isSpaceCode : code => chars.includes(String.fromCharCode(code)))
  return text.slice(start, end)
}

/** `str.lstrip()` or `str.lstrip(chars)`. */
export function lstrip(text: string, chars?: string): string {
  const drop = chars === undefined ? isSpaceCode : (code: number) => chars.includes(String.fromCharCode(code))
  let start = 0
  while (start < text.length && drop(text.charCodeAt(start))) start++
  return text.slice(start)
}

/** `str.rstrip()` or `str.rstrip(chars)`. */
export function rstrip(text: string, chars?: string): string {
  const drop = chars === undefined ? isSpaceCode : (code: number) => chars.includes(String.fromCharCode(code))
  let end = text.length
  while (end > 0 && drop(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** `str.split()` without an argument: the runs between white space, never an empty one. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let start = -1
  for (let i = 0; i <= text.length; i++) {
    const isGap = i === text.length || isSpaceCode(text.charCodeAt(i))
    if (isGap && start >= 0) {
      words.push(text.slice(start, i))
      start = -1
    } else if (!isGap && start < 0) start = i
  }
  return words
}

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/u

/** `str.splitlines()`: more kinds of line ends than `\n`, and no empty last line. */
export function splitLines(text: string): string[] {
  const lines = text.split(lineEnd)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const ascii = /^[\x00-\x7f]*$/

/**
 * `str.casefold()`. Upper-casing and then lower-casing each code point on its own is the full case folding of Unicode, but for
 * two letters.
 */
export function casefold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += char === 'ı' ? char : char === 'ẞ' ? 'ss' : char.toUpperCase().toLowerCase()
  return folded
}

const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u

/** `str.isupper()`: at least one cased letter and none of them in lower or title case. */
export function isUpper(text: string): boolean {
  return cased.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text)
}

/** `str.islower()`: at least one cased letter and none of them in upper or title case. */
export function isLower(text: string): boolean {
  return cased.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text)
}

const punctuationCharacters = new RegExp(`[${ASCII_PUNCTUATION.replace(/[\\\]^-]/g, String.raw`\$&`)}]`, 'g')

/** Without every ASCII punctuation character (`str.translate` with `string.punctuation`). */
export function removeAsciiPunctuation(text: string): string {
  return text.replace(punctuationCharacters, '')
}

/** `str.removeprefix`. */
export function removePrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

/** `str.removesuffix`. */
export function removeSuffix(text: string, suffix: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
}
