/**
 * Characters that change how text reads without being seen, made visible. Model output, data sets and file names are untrusted:
 * a right-to-left override can turn `exe.fdp` round, a zero-width space can hide a word from search, a NUL can cut a string.
 */

/**
 * Every control other than tab and line ends, every format, default-ignorable and non-character, and halves of surrogate pairs.
 * A carriage return alone can overwrite a line, so only the one of a line end is left. Joiners and emoji selectors stay where
 * they build an emoji, and only there.
 */
const hidden = new RegExp(
  [
    '\\r(?!\\n)',
    '(?<!\\p{Emoji})[\\ufe0e\\ufe0f]',
    '(?<!\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d',
    '\\u200d(?!\\p{Extended_Pictographic})',
    '(?![\\t\\n\\r\\ufe0e\\ufe0f\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]',
  ].join('|'),
  'gu',
)

/** A stretch of text to show as it is, or one hidden character to show as a marked escape. */
export interface TextSegment {
  readonly kind: 'text' | 'hidden'
  /** For a hidden character its name, `⟨U+202E⟩`. */
  readonly text: string
}

/** Splits text into stretches to show as they are and hidden characters to mark; each hidden character is a separate segment. */
export function textSegments(text: string): TextSegment[] {
  const segments: TextSegment[] = []
  let shown = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > shown) segments.push({ kind: 'text', text: text.slice(shown, match.index) })
    segments.push({ kind: 'hidden', text: escapeName(match[0]) })
    shown = match.index + match[0].length
  }
  if (shown < text.length) segments.push({ kind: 'text', text: text.slice(shown) })
  return segments
}

/** The text with each hidden character replaced by its marked escape, where only a plain string fits. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, escapeName)
}

/** Text as a search compares it: without hidden characters, composed, in lower case. */
export function searchable(text: string): string {
  return text.replaceAll(hidden, '').normalize('NFC').toLowerCase()
}

function escapeName(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
