/** One condition of a search in words. */
export interface QueryTerm {
  readonly typed: string
  /** Words of the text in the form of a search document, with one space between. */
  readonly words: string
  /** Whether longer words that begin with the last one match too. */
  readonly isPrefix: boolean
  readonly isExcluded: boolean
}

/** A search as a person typed it. */
export type TextQuery =
  /** Every term must be found, and no excluded one. */
  { readonly kind: 'words'; readonly terms: readonly QueryTerm[] } | { readonly kind: 'exact'; readonly text: string }

/** How the text of a search is read: as words, "phrases" and -exclusions, or as exact text. */
export type TextMatch = 'words' | 'exact'

/** Between the fields of a search document, so that a phrase never matches across two; a word of its own that no query can contain. */
export const fieldMark = '§'

/** Letters from which on a word also matches longer ones: shorter beginnings match almost everything. */
const fewestPrefixLetters = 3

/** Scripts that are written without spaces: each character is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Words in lower case without accents, with one space between; what is neither letter nor digit separates words. */
export function toWords(text: string): string {
  // oxlint-disable-next-line no-control-regex -- most texts are ASCII, which takes a tenth of the time
  if (/^[\u0000-\u007f]*$/.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(unspaced, ' $& ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The fields of one thing in the form that searches compare: words, with a mark between fields, spaces at both ends. */
export function toSearchDocument(fields: readonly string[]): string {
  return ` ${fieldMark} ${fields.map(toWords).join(` ${fieldMark} `)} `
}

/**
 * Reads a search: `words "a phrase" -excluded -"excluded phrase"`. Words of three letters or more also match longer words that begin with
 * them. A search without a letter or digit, such as `$` or `\`, is exact text, because it contains no word. Null where nothing is searched.
 */
export function parseTextQuery(text: string, match: TextMatch = 'words'): TextQuery | null {
  if (text.trim() === '') return null
  if (match === 'exact') return { kind: 'exact', text }
  const terms = rawTerms(text).flatMap(({ text: raw, isPhrase, isExcluded }) => {
    const words = toWords(raw)
    if (words === '') return []
    const isPrefix = !isPhrase && !isExcluded && isBeginning(words)
    return [{ typed: raw, words, isPrefix, isExcluded }]
  })
  return terms.length === 0 ? { kind: 'exact', text: text.trim() } : { kind: 'words', terms }
}

/** Whether the last of some words also matches longer ones. */
export function isBeginning(words: string): boolean {
  return new RegExp(`(?:^| )\\p{L}[^ ]{${fewestPrefixLetters - 1},}$`, 'u').test(words)
}

/** The same terms for lists of names, where any part of a text matches: in lower case, as typed. */
export function searchTerms(text: string): readonly { readonly text: string; readonly isPhrase: boolean; readonly isExcluded: boolean }[] {
  return rawTerms(text).flatMap(({ text: raw, ...term }) => (raw === '' || raw === '-' ? [] : [{ text: raw.toLowerCase(), ...term }]))
}

function rawTerms(text: string): { text: string; isPhrase: boolean; isExcluded: boolean }[] {
  return [...text.matchAll(/(?<minus>-?)(?:"(?<phrase>[^"]*)"?|(?<word>\S+))/g)].map(({ groups = {} }) => {
    const { minus, phrase, word = '' } = groups
    return { text: phrase ?? word, isPhrase: phrase !== undefined, isExcluded: minus === '-' }
  })
}

/** Whether fields match a search. Exact text is compared as it is, upper and lower case included. */
export function matchesText(query: TextQuery, fields: readonly string[]): boolean {
  if (query.kind === 'exact') return fields.some(field => field.includes(query.text))
  const document = toSearchDocument(fields)
  return query.terms.every(({ words, isPrefix, isExcluded }) => document.includes(` ${words}${isPrefix ? '' : ' '}`) !== isExcluded)
}

/**
 * The search as an expression of FTS5 over search documents; null where words cannot narrow it. Of an exact text only the words whose ends
 * it contains are known: the expression finds every sample with the text, and others.
 */
export function toIndexExpression(query: TextQuery): string | null {
  const quoted = (words: string, isPrefix = false) => `"${words}"${isPrefix ? ' *' : ''}`
  if (query.kind === 'exact') {
    const whole = wholeWordsOf(query.text)
    return whole.length === 0 ? null : quoted(whole.join(' '))
  }
  const wanted = query.terms.filter(term => !term.isExcluded).map(({ words, isPrefix }) => quoted(words, isPrefix))
  const excluded = query.terms.filter(term => term.isExcluded).map(({ words }) => quoted(words))
  // FTS5 excludes only from something: the mark is in every document.
  return [wanted.length === 0 ? quoted(fieldMark) : wanted.join(' AND '), ...excluded].join(' NOT ')
}

/** The first and last word may be cut by the ends of the text; only ASCII, where nothing combines with what follows. */
function wholeWordsOf(text: string): string[] {
  if (!/^[\u0020-\u007e]*$/.test(text)) return []
  const words = toWords(text).split(' ')
  return words.slice(/^[a-z0-9]/i.test(text) ? 1 : 0, /[a-z0-9]$/i.test(text) ? -1 : undefined).filter(word => word !== '')
}

/** The part of an exact text that an index of words knows. */
export interface ExactWords {
  readonly words: readonly string[]
  /** Whether the first word may be the end of a longer one. */
  readonly isCutBefore: boolean
  /** Whether the last word may be the beginning of a longer one. */
  readonly isCutAfter: boolean
}

/** The words of an exact text, each of which is in the search document of whatever contains the text; null where that is not certain. */
export function exactWords(text: string): ExactWords | null {
  const letters = text.normalize('NFKD')
  // The small letter of Σ depends on what follows; half a character is none of what it is half of.
  if (!text.isWellFormed() || letters.includes('Σ')) return null
  const words = toWords(text)
  return {
    words: words === '' ? [] : words.split(' '),
    isCutBefore: /^[\p{L}\p{N}\p{M}]/u.test(letters),
    isCutAfter: /[\p{L}\p{N}\p{M}]$/u.test(letters),
  }
}
