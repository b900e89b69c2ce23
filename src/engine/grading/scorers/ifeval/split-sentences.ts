import { SPACE_CLASS, strip } from '../python/strings.ts'

/** Stand in for a full stop that ends nothing, and for the end of a sentence, while the rules are applied one after another. */
const kept = '\uE000'
const end = '\uE001'

const starters = `(Mr|Mrs|Ms|Dr|Prof|Capt|Cpt|Lt|${['He', 'She', 'It', 'They', 'Their', 'Our', 'We', 'But', 'However', 'That', 'This'].map(word => `${word}[${SPACE_CLASS}]`).join('|')}|Wherever)`

/** In this order; each marks full stops that belong to titles, names, numbers and abbreviations. */
const rules: readonly (readonly [pattern: RegExp, to: string | ((match: string) => string)])[] = [
  [/(Mr|St|Mrs|Ms|Dr)\./g, `$1${kept}`],
  [/\.(com|net|org|io|gov|edu|me)/g, `${kept}$1`],
  [/([0-9])\.([0-9])/g, `$1${kept}$2`],
  [/\.{2,}/g, match => kept.repeat(match.length) + end],
  [/Ph\.D\./g, `Ph${kept}D${kept}`],
  [new RegExp(`[${SPACE_CLASS}]([A-Za-z])\\. `, 'gu'), ` $1${kept} `],
  [new RegExp(`([A-Z]\\.[A-Z]\\.(?:[A-Z]\\.)?) ${starters}`, 'gu'), `$1${end} $2`],
  [/([A-Za-z])\.([A-Za-z])\.([A-Za-z])\./g, `$1${kept}$2${kept}$3${kept}`],
  [/([A-Za-z])\.([A-Za-z])\./g, `$1${kept}$2${kept}`],
  [new RegExp(` (Inc|Ltd|Jr|Sr|Co)\\. ${starters}`, 'gu'), ` $1${end} $2`],
  [/ (Inc|Ltd|Jr|Sr|Co)\./g, ` $1${kept}`],
  [/ ([A-Za-z])\./g, ` $1${kept}`],
  [/\.”/g, '”.'],
  [/\."/g, '".'],
  [/!"/g, '"!'],
  [/\?"/g, '"?'],
  [/[.?!]/g, match => match + end],
]

/** The sentences of a response as IFEval's `split_into_sentences` finds them, which is another rule than the one that counts them. */
export function splitSentences(text: string): string[] {
  let marked = ` ${text.replaceAll('\n', ' ')}  `
  for (const [pattern, to] of rules) marked = typeof to === 'string' ? marked.replace(pattern, to) : marked.replace(pattern, to)
  const sentences = marked
    .replaceAll(kept, '.')
    .split(end)
    .map(sentence => strip(sentence))
  return sentences.at(-1) === '' ? sentences.slice(0, -1) : sentences
}
