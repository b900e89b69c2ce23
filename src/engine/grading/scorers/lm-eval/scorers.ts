import type { Scorer } from '../scorer.ts'
import { lmEvalBrierScore } from './brier-score.scorer.ts'
import { lmEvalDrop } from './drop.scorer.ts'
import { gsm8kFlexible, gsm8kStrict, lmEvalExactMatch } from './exact-match.scorer.ts'
import { lmEvalLoglikelihood } from './loglikelihood.scorer.ts'
import { lmEvalMultipleChoice } from './multiple-choice.scorer.ts'
import { lmEvalPerplexity } from './perplexity.scorer.ts'

export const lmEvalScorers: readonly Scorer[] = [
  lmEvalExactMatch,
  gsm8kStrict,
  gsm8kFlexible,
  lmEvalMultipleChoice,
  lmEvalDrop,
  lmEvalLoglikelihood,
  lmEvalPerplexity,
  lmEvalBrierScore,
]
