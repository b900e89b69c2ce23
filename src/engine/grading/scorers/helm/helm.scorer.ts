import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { strip } from '../python/strings.ts'
import type { Scorer } from '../scorer.ts'
import { normaliseAnswer } from '../text/squad.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'

type Compare = (gold: string, output: string) => boolean

const options = z.strictObject({})
const numbers = /-?[\p{Nd},]+(?:.\p{Nd}+)?/gu

/** HELM never credits an empty output. */
const isExact: Compare = (gold, output) => output !== '' && strip(gold) === strip(output)
const isQuasiExact: Compare = (gold, output) => output !== '' && normaliseAnswer(gold) === normaliseAnswer(output)
const isPrefix: Compare = (gold, output) => output !== '' && strip(output).startsWith(strip(gold))
const isQuasiPrefix: Compare = (gold, output) => output !== '' && normaliseAnswer(output).startsWith(normaliseAnswer(gold))

export const helmScorers: readonly Scorer[] = [
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

function helm(name: string, title: string, description: string, compare: Compare): Scorer<z.output<typeof options>> {
  return defineScorer({
    id: `helm/${name}`,
    version: 1,
    title: `HELM ${title}`,
    description,
    options,
    prepare: () => {
      return ({ output, targets }) => {
        if (targets.length === 0) return unscored('The task has no reference to compare with.')
        const isMatch = targets.some(target => compare(target, output))
        return judged(isMatch, { answer: output, explanation: `${isMatch ? 'A' : 'No'} reference matches; ${describeTargets(targets)}.` })
      }
    },
  })
}

function lastWord(text: string): string {
  return strip(text.split(' ').at(-1) ?? '')
}

function finalNumber(text: string): string {
  return (text.match(numbers)?.at(-1) ?? '').replaceAll(',', '')
}
