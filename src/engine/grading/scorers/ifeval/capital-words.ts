import { isUpper, splitWords } from '../python/strings.ts'

// The rules of the Treebank tokenizer that can change how many words in capitals a text has. Hyphenated words and words with a
// slash stay one; a contraction becomes two.
const rules: readonly (readonly [RegExp, string])[] = [
  [/([«“‘„»”’`"]|'')/g, ' $1 '],
  [/([ ([{<])(')/g, '$1 $2 '],
  [/(?:^|(?<=\s))'(?!(?:re|ve|ll|m|t|s|d|n))(\w)\b/gi, "' $1"],
  [/([:,])([^\d])/g, ' $1 $2'],
  [/([:,])$/g, ' $1 '],
  [/\.{2,}/g, ' $& '],
  [/[;@#$%&?!*\][(){}<>]|--/g, ' $& '],
  [/([^' ])('s|'m|'d|'ll|'re|'ve|n't|')(?=\s|$)/gi, '$1 $2 '],
  [/\b(can)(not)\b/gi, ' $1 $2 '],
  [/\b(gim|lem)(me)\b/gi, ' $1 $2 '],
  [/\b(gon|wan)(na)\b/gi, ' $1 $2 '],
  [/\b(got)(ta)\b/gi, ' $1 $2 '],
]

/** Words whose cased letters are all capitals, as NLTK's `word_tokenize` splits words: "I'M" has two, "NASA-ESA" one. */
export function countCapitalWords(text: string): number {
  const spaced = rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
  return splitWords(spaced).filter(isUpper).length
}
