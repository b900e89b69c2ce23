/** A text as a person reads it, with the position of each of its characters in the original. */
export interface Readable {
  readonly text: string
  /** The position in the original of a position in `text`, in UTF-16 code units. */
  origin(at: number): number
}

const plain = /^[\t\n\r -~]*$/
const pieces = /[\t\n -~]+(?!\p{M})|\r\n?|[⁰¹²³⁴-⁹⁺⁻]+|\P{M}\p{M}*|\p{M}+/gu
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'
const invisible = /^(?:[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f])+$/u
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u00b4]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d]/g, '"'],
  [/[\u2010\u2011\u2212\ufe63\uff0d]/g, '-'],
  [/[\u2028\u2029\u0085\v\f]/g, '\n'],
  [/[^\S\n]/g, ' '],
  [/\u2044/g, '/'],
  [/\u3002/g, '.'],
]

/**
 * The normalization that `assay/*` scorers apply unless told otherwise: NFKC (full-width and styled characters, ligatures), one form of
 * apostrophes, quotes, minus signs and spaces, line ends as `\n`, invisible characters left out. Superscripts become powers (`10⁻³` is
 * `10^-3`) and `2½` becomes `2 1/2`, which NFKC alone would read as 10-3 and 21/2.
 */
export function readable(original: string): Readable {
  if (plain.test(original) && !original.includes('\r')) return { text: original, origin: at => at }
  let text = ''
  const origins: number[] = []
  for (const { 0: piece, index } of original.matchAll(pieces)) {
    const shown = normalized(piece, text)
    // Runs that keep their length keep their positions; anything else is where it began.
    const isSame = shown.length === piece.length
    for (let i = 0; i < shown.length; i++) origins.push(isSame ? index + i : index)
    text += shown
  }
  return { text, origin: at => origins[at] ?? original.length }
}

/** The text alone, for comparing. */
export function normalizeText(text: string): string {
  return readable(text).text
}

function normalized(piece: string, before: string): string {
  if (plain.test(piece) && !piece.startsWith('\r')) return piece
  if (piece.startsWith('\r')) return '\n'
  if (invisible.test(piece)) return ''
  if (superscripts.includes(piece.charAt(0)))
    return `^${[...piece].map(char => '0123456789+-'.charAt(superscripts.indexOf(char))).join('')}`
  const enclosed = enclosedLetter(piece)
  if (enclosed !== null) return enclosed
  let shown = piece.normalize('NFKC')
  for (const [pattern, replacement] of replacements) shown = shown.replaceAll(pattern, replacement)
  return /^\d+\/\d+$/.test(shown) && /\d$/.test(before) ? ` ${shown}` : shown
}

/** White letters on black circles and squares, which have no compatibility form. */
function enclosedLetter(piece: string): string | null {
  const code = piece.codePointAt(0) ?? 0
  if (code >= 0x1f150 && code <= 0x1f169) return String.fromCharCode(65 + code - 0x1f150)
  return code >= 0x1f170 && code <= 0x1f189 ? String.fromCharCode(65 + code - 0x1f170) : null
}
