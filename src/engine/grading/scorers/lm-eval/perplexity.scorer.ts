import { z } from 'zod'
import { SPACE_CLASS } from '../python/strings.ts'
import { defineScorer } from '../define-scorer.ts'
import { graded, unscored } from '../verdict.ts'
import { measuredTextIn } from './measured-text.ts'

const options = z.strictObject({
  /** What the log-likelihood is divided by. */
  per: z.enum(['text', 'word', 'byte']).default('text'),
  /** Of the original figure: a perplexity, or bits. */
  unit: z.enum(['perplexity', 'bits']).default('perplexity'),
})
export type PerplexityOptions = z.infer<typeof options>

const gaps = new RegExp(`[${SPACE_CLASS}]+`, 'u')

/** As lm-eval counts: words by `re.split`, white space at an end included. */
const weightOf: Readonly<Record<PerplexityOptions['per'], (text: string) => number>> = {
  text: () => 1,
  word: text => text.split(gaps).length,
  byte: text => Buffer.byteLength(text),
}

export const lmEvalPerplexity = defineScorer({
  id: 'lm_eval/perplexity',
  version: 1,
  title: 'lm-eval perplexity',
  description:
    'The mean probability of a text per word or byte, or of a whole reference answer: 1 divided by the perplexity, so that more is better and nothing exceeds 1.',
  options,
  prepare({ per }) {
    return ({ output, choices = [] }) => {
      const measured = measuredTextIn(output)
      const [text] = choices
      if (!measured || text === undefined) return unscored('The sample has no log-likelihood of its text.')
      const weight = weightOf[per](text)
      const perplexity = Math.exp(-measured.likelihood / weight)
      const explanation = `The log-likelihood is ${measured.likelihood.toFixed(4)}${per === 'text' ? '' : ` over ${weight} ${per}s`}: perplexity ${perplexity.toPrecision(5)}.`
      return {
        ...graded(1 / perplexity, { answer: null, explanation, values: { loglikelihood: measured.likelihood, weight, perplexity } }),
        counts: { loglikelihood: measured.likelihood, weight },
      }
    }
  },
})
