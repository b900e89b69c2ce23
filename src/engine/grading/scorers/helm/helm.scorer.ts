import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { splitWords, strip } from '../python/strings.ts'
import type { Score, Scorer } from '../scorer.ts'
import { normalizeAnswer } from '../text/squad.ts'
import { countNgrams, sharedNgrams, totalNgrams } from '../text/ngrams.ts'
import { describeTargets, graded, judged, unscored } from '../verdict.ts'
import { wordTokens } from './word-tokens.ts'

type Compare = (gold: string, output: string) => boolean

const options = z.strictObject({})
const numbers = /-?[\p{Nd},]+(?:.\p{Nd}+)?/gu

/** HELM never credits an empty output. */
const isExact: Compare = (gold, output) => output !== '' && strip(gold) === strip(output)
const isQuasiExact: Compare = (gold, output) => output !== '' && normalizeAnswer(gold) === normalizeAnswer(output)
const isPrefix: Compare = (gold, output) => output !== '' && strip(output).startsWith(strip(gold))
const isQuasiPrefix: Compare = (gold, output) => output !== '' && normalizeAnswer(output).startsWith(normalizeAnswer(gold))

export const helmScorers: readonly Scorer[] = [
  similarity(
    'bleu_1',
    'BLEU-1',
    'Share of the words that a reference has too, less for outputs that are too short; NLTK’s words.',
    bleu(1),
  ),
  similarity(
    'bleu_4',
    'BLEU-4',
    'Share of the runs of four words that a reference has too, less for outputs that are too short; NLTK’s words.',
    bleu(4),
  ),
  similarity('f1_score', 'F1', 'F1 of the sets of words without case, punctuation and articles.', setF1),
  helm('exact_match', 'exact match', 'The output equals a reference but for white space at the ends.', isExact),
  helm('quasi_exact_match', 'quasi-exact match', 'As exact match, without case, punctuation and articles.', isQuasiExact),
  helm('prefix_exact_match', 'prefix match', 'The output begins with a reference.', isPrefix),
  helm('quasi_prefix_exact_match', 'quasi-prefix match', 'As prefix match, without case, punctuation and articles.', isQuasiPrefix),
  helm(
    'exact_match_indicator',
    'exact match of the last word',
    'The last word of the output equals the last word of a reference.',
    (gold, output) => isExact(lastWord(gold), lastWord(output)),
  ),
  helm(
    'final_number_exact_match',
    'final number',
    'The last number of the output equals the last number of a reference, commas removed.',
    (gold, output) => isExact(finalNumber(gold), finalNumber(output)),
  ),
]

function helm(name: string, title: string, description: string, compare: Compare) {
  return defineHelm(name, title, description, (output, targets) => {
    const isMatch = targets.some(target => compare(target, output))
    return judged(isMatch, { answer: output, explanation: `${isMatch ? 'A' : 'No'} reference matches; ${describeTargets(targets)}.` })
  })
}

/** The best over the references, as HELM takes it. */
function similarity(name: string, title: string, description: string, measure: (gold: string, output: string) => number) {
  return defineHelm(name, title, description, (output, targets) => {
    const value = Math.max(...targets.map(target => measure(target, output)))
    return graded(value, { answer: output, explanation: `The score is ${value.toFixed(4)}; ${describeTargets(targets)}.` })
  })
}

function defineHelm(name: string, title: string, description: string, grade: (output: string, targets: readonly string[]) => Score) {
  return defineScorer({
    id: `helm/${name}`,
    version: 1,
    title: `HELM ${title}`,
    description,
    options,
    prepare:
      () =>
      ({ output, targets }) =>
        targets.length === 0 ? unscored('The task has no reference to compare with.') : grade(output, targets),
  })
}

/** NLTK's sentence BLEU with all its weight on one order and without smoothing. */
function bleu(order: number) {
  return (gold: string, output: string): number => {
    const [wanted, words] = [wordTokens(gold), wordTokens(output)]
    // Without one shared word the precision of any order is 0.
    if (sharedNgrams(countNgrams(words, 1), countNgrams(wanted, 1)) === 0) return 0
    const counts = countNgrams(words, order)
    const shared = sharedNgrams(counts, countNgrams(wanted, order))
    const brevity = words.length > wanted.length ? 1 : Math.exp(1 - wanted.length / words.length)
    return shared === 0 ? 0 : (brevity * shared) / totalNgrams(counts)
  }
}

function setF1(gold: string, output: string): number {
  const [wanted, words] = [new Set(splitWords(normalizeAnswer(gold))), new Set(splitWords(normalizeAnswer(output)))]
  const shared = [...words].filter(word => wanted.has(word)).length
  return shared === 0 ? 0 : (2 * shared) / (words.size + wanted.size)
}

function lastWord(text: string): string {
  return strip(text.split(' ').at(-1) ?? '')
}

function finalNumber(text: string): string {
  return (text.match(numbers)?.at(-1) ?? '').replaceAll(',', '')
}
