import { splitSentencesOfText } from '../ifeval/sentences.ts'
import { SPACE_CLASS, splitWords, WORD_CLASS } from '../python/strings.ts'

const word = `[${WORD_CLASS}]`
const notWord = `(?!${word})`

/** The rules of the Penn Treebank as NLTK's word_tokenize applies them, in this order. */
const beforeEnds: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/([«“‘„]|`+)/g, ' $1 '],
  [/^"/g, '``'],
  [/(``)/g, ' $1 '],
  [/([ ([{<])("|'{2})/g, '$1 `` '],
  [new RegExp(`(?<!${word})'(?!(?:re|ve|ll|m|t|s|d|n)${notWord})(?=${word})`, 'giu'), "' "],
  [new RegExp(`([^.])(\\.)([\\])}>"'»”’ ]{0,100})[${SPACE_CLASS}]*$`, 'gu'), '$1 $2 $3 '],
  [/([:,])(\P{Nd})/gu, ' $1 $2'],
  [/([:,])$/g, ' $1 '],
  [/\.{2,}/g, ' $& '],
  [/[;@#$%&]/g, ' $& '],
  [/[\u2012-\u2015]/g, ' $& '],
  [/[?!]/g, ' $& '],
  [/([^'])' /g, "$1 ' "],
  [/\*/g, ' $& '],
  [/[\][(){}<>]/g, ' $& '],
  [/--/g, ' -- '],
]
const ends: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/([»”’])/g, ' $1 '],
  [/''/g, " '' "],
  [/"/g, " '' "],
  [new RegExp(`[${SPACE_CLASS}]+`, 'gu'), ' '],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /g, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, '$1 $2 '],
  ...['can|not', "d|'ye", 'gim|me', 'gon|na', 'got|ta', 'lem|me', "more|'n"].map(
    pair => [new RegExp(`(?<!${word})(${pair.replace('|', ')(')})${notWord}`, 'giu'), ' $1 $2 '] as const,
  ),
  [/(?<![\p{L}\p{N}_])(wan)(na)(?=\s)/giu, ' $1 $2 '],
  [new RegExp(` ('t)(is|was)${notWord}`, 'giu'), ' $1 $2 '],
]

/** Words and punctuation marks as NLTK's word_tokenize gives them: sentence by sentence, so that only a last full stop is split off. */
export function wordTokens(text: string): string[] {
  return splitSentencesOfText(text).flatMap(sentence => {
    let marked = sentence
    for (const [pattern, to] of beforeEnds) marked = marked.replace(pattern, to)
    marked = ` ${marked} `
    for (const [pattern, to] of ends) marked = marked.replace(pattern, to)
    return splitWords(marked)
  })
}
