type Rule = readonly [suffix: string, replacement: string]

/** Words that the rules would take apart wrongly, by NLTK's table. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['skies', 'sky'],
  ['sky', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['innings', 'inning'],
  ['inning', 'inning'],
  ['outings', 'outing'],
  ['outing', 'outing'],
  ['cannings', 'canning'],
  ['canning', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
])

const plurals: readonly Rule[] = [
  ['sses', 'ss'],
  ['ies', 'i'],
  ['ss', 'ss'],
  ['s', ''],
]

const doubled: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['fulli', 'ful'],
]

const endings: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

const last: readonly Rule[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
].map(suffix => [suffix, ''])

/**
 * The stem of an English word in lower case: Porter, "An algorithm for suffix stripping", Program 14.3 (1980), with the extensions of
 * NLTK's `PorterStemmer` in its default mode, which rouge-score uses.
 */
export function stemWord(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length <= 2) return word
  return withoutLastE(withoutLast(withoutEnding(withoutDoubled(withoutY(withoutPast(withoutPlural(word)))))))
}

/** For each letter whether it is a vowel: `y` is one after a consonant. */
function vowelsOf(word: string): readonly boolean[] {
  const vowels: boolean[] = []
  for (const letter of word) vowels.push('aeiou'.includes(letter) || (letter === 'y' && vowels.at(-1) === false))
  return vowels
}

/** Porter's m: how often a consonant follows a vowel. */
function measure(stem: string): number {
  const vowels = vowelsOf(stem)
  return vowels.filter((isVowel, i) => !isVowel && vowels[i - 1] === true).length
}

function endsInDoubleConsonant(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && vowelsOf(word).at(-1) === false
}

/** Porter's *o: consonant, vowel and a consonant that is not w, x or y; for NLTK also a word of vowel and consonant. */
function endsInShortSyllable(word: string): boolean {
  const [third, second, first] = [-3, -2, -1].map(at => vowelsOf(word).at(at))
  if (word.length === 2) return second === true && first === false
  return third === false && second === true && first === false && !'wxy'.includes(word.at(-1) ?? '')
}

/** The first rule whose suffix the word has decides, whether its condition is met or not. */
function replaced(word: string, rules: readonly Rule[], allows: (stem: string, suffix: string) => boolean): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const [suffix, replacement] = rule
  const stem = word.slice(0, word.length - suffix.length)
  return allows(stem, suffix) ? stem + replacement : word
}

function withoutPlural(word: string): string {
  if (word.length === 4 && word.endsWith('ies')) return word.slice(0, -1)
  return replaced(word, plurals, () => true)
}

function withoutPast(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find(one => word.endsWith(one) && vowelsOf(word.slice(0, -one.length)).includes(true))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDoubleConsonant(stem)) return 'lsz'.includes(stem.at(-1) ?? '') ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function withoutY(word: string): string {
  return replaced(word, [['y', 'i']], stem => stem.length > 1 && vowelsOf(stem).at(-1) === false)
}

function withoutDoubled(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) return withoutDoubled(word.slice(0, -2))
  if (word.endsWith('logi') && measure(word.slice(0, -3)) > 0) return word.slice(0, -1)
  return replaced(word, doubled, stem => measure(stem) > 0)
}

function withoutEnding(word: string): string {
  return replaced(word, endings, stem => measure(stem) > 0)
}

function withoutLast(word: string): string {
  return replaced(word, last, (stem, suffix) => measure(stem) > 1 && (suffix !== 'ion' || /[st]$/.test(stem)))
}

function withoutLastE(word: string): string {
  const stem = word.slice(0, -1)
  const without = word.endsWith('e') && (measure(stem) > 1 || (measure(stem) === 1 && !endsInShortSyllable(stem))) ? stem : word
  return without.endsWith('ll') && measure(without.slice(0, -1)) > 1 ? without.slice(0, -1) : without
}
