/** Endings and parts that the groups of vowels count too many or too few of. */
const silent = [/[^aeiou]e$/, /[^td]ed$/, /[^aeiouscxzgh]es$/, /(?:ely|eless|eful|ement)(?:s|ly)?$/]
const more = [/ia(?!n$|l$)/, /io(?!n|us)/, /ism$/, /[aeiou][^aeiou]+ea$/, /creat/, /eo(?!us)/, /[aeiouy]ing$/, /ua(?!l?$)/]

/** Words with a mark within: without it they are in no dictionary, and only their groups of vowels are counted. */
const joined = /[a-z][^a-z0-9\s]+[a-z]/i

/** Syllables of an English word, by its letters; 0 without any. */
export function countSyllables(text: string): number {
  const word = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (word === '') return 0
  const groups = word.match(/[aeiouy]+/g)?.length ?? 0
  if (joined.test(text)) return groups
  const less = silent.filter(pattern => pattern.test(word) && !/[^aeiou]le[sd]?$/.test(word)).length
  return Math.max(1, groups - less + more.filter(pattern => pattern.test(word)).length)
}
