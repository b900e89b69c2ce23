import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { splitWords, strip } from '../python/strings.ts'
import { graded, quote, unscored } from '../verdict.ts'
import { contractions } from './contractions.ts'

export const vqaAccuracy = defineScorer({
  id: 'vqa/accuracy',
  version: 1,
  title: 'VQA accuracy',
  description:
    'How many of the annotators gave the answer: 1 from three on, averaged over leaving each of them out. Numbers, articles, punctuation and contractions are normalized as in the VQA challenge, except where all annotators agree to the letter.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length < 2)
        return unscored(`VQA accuracy needs the answers of several annotators; the task has ${targets.length === 0 ? 'none' : 'one'}.`)
      const { value, answer, equal } = accuracy(output, targets)
      return graded(value, { answer, explanation: `${quote(answer)} is the answer of ${equal} of ${targets.length} annotators.` })
    }
  },
})

function accuracy(output: string, targets: readonly string[]): { readonly value: number; readonly answer: string; readonly equal: number } {
  const plain = targets.map(onOneLine)
  const isAgreed = new Set(plain).size === 1
  const given = isAgreed ? onOneLine(output) : normalized(onOneLine(output))
  const answers = isAgreed ? plain : plain.map(normalized)
  const equal = answers.filter(answer => answer === given).length
  const sum = answers.reduce((total, answer) => total + Math.min(1, (equal - (answer === given ? 1 : 0)) / 3), 0)
  return { value: sum / answers.length, answer: given, equal }
}

function onOneLine(text: string): string {
  return strip(text.replaceAll('\n', ' ').replaceAll('\t', ' '))
}

const marks = [';', '/', '[', ']', '"', '{', '}', '(', ')', '=', '+', '\\', '_', '-', '>', '<', '@', '`', ',', '?', '!'] as const
const numbers = new Map(
  ['none', 'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, i) => [
    word,
    String(Math.max(0, i - 1)),
  ]),
)
const articles: ReadonlySet<string> = new Set(['a', 'an', 'the'])
/** Periods that the original removes at most: it passes a flag of 32 where the number of replacements belongs. */
const mostPeriods = 32

function normalized(text: string): string {
  const hasComma = /\p{Nd},\p{Nd}/u.test(text)
  let spaced = text
  for (const mark of marks) spaced = spaced.replaceAll(mark, hasComma || text.includes(`${mark} `) || text.includes(` ${mark}`) ? '' : ' ')
  let periods = 0
  const bare = spaced.replaceAll(/\.(?!\p{Nd})/gu, period => (++periods > mostPeriods ? period : ''))
  return splitWords(bare.toLowerCase())
    .map(word => numbers.get(word) ?? word)
    .filter(word => !articles.has(word))
    .map(word => contractions.get(word) ?? word)
    .join(' ')
}
