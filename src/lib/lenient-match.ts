import { toWords } from './text-query.ts'

const articles = new Set(['a', 'an', 'the'])
const negations = new Set(['no', 'not', 'never', 'neither', 'nor', 'isn', 'aren', 'wasn', 'don', 'doesn', 'cannot'])
/** Words of an answer up to which one that contains the target is taken as that answer in other words. */
const mostWords = 20
/** Letters from which on a target is not contained by accident. */
const fewestLetters = 3

/**
 * Whether an answer says the target in another form: the same words without case, accents, punctuation and articles; the same number
 * without currency, separators, percent sign and unit; or a short answer that contains the target and negates nothing. A hint for people
 * who look for the reason of a low score, never a verdict.
 */
export function matchesLeniently(answer: string, target: string): boolean {
  const [said, wanted] = [wordsOf(answer), wordsOf(target)]
  if (wanted === '') return false
  const number = onlyNumber(target)
  // A target that is more than its number is compared by its words alone.
  if (number !== null && /^[^\p{L}]*$/u.test(target)) return onlyNumber(answer) === number
  if (said === wanted) return true
  if (wanted.length < fewestLetters) return false
  const words = said.split(' ')
  return words.length <= mostWords && ` ${said} `.includes(` ${wanted} `) && !words.some(word => negations.has(word))
}

function wordsOf(text: string): string {
  const words = toWords(text)
  const meant = words.split(' ').filter(word => !articles.has(word))
  // The choice "A" is not an article.
  return meant.length === 0 ? words : meant.join(' ')
}

/** The number of a text with exactly one, thousands separators taken out; null otherwise. */
function onlyNumber(text: string): number | null {
  const found = text.match(/[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g) ?? []
  const [first, ...others] = found
  return first === undefined || others.length > 0 ? null : Number(first.replaceAll(',', '').replace('−', '-'))
}
