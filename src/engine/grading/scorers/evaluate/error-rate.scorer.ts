import { defineScorer } from '../define-scorer.ts'
import type { Scorer } from '../scorer.ts'
import { errorCounts, errorRate } from '../text/error-counts.ts'
import { measured, onlyFilters } from '../text/measured.ts'

function errorRateScorer(id: string, short: string, unit: 'word' | 'character'): Scorer {
  return defineScorer({
    id,
    version: 1,
    title: `1 − ${short} (evaluate)`,
    description: `${unit === 'word' ? 'Word' : 'Character'} error rate, subtracted from 1 so that higher is better: ${unit}s that are substituted, left out or added, per ${unit} of the reference, with case and punctuation. 0 where there are more errors than ${unit}s. A run’s figure adds up errors and ${unit}s over all samples.`,
    options: onlyFilters,
    prepare: options =>
      measured(options, ({ output, targets }) => {
        const counts = errorCounts(unit, output, targets)
        const rate = errorRate(counts)
        return { value: Math.max(0, 1 - rate), shown: `${short} is ${(rate * 100).toFixed(2)} %`, counts: { ...counts } }
      }),
  })
}

export const evaluateScorers: readonly Scorer[] = [
  errorRateScorer('evaluate/wer', 'WER', 'word'),
  errorRateScorer('evaluate/cer', 'CER', 'character'),
]
