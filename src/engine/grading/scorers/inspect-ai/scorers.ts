import type { Scorer } from '../scorer.ts'
import { inspectChoice } from './choice.scorer.ts'
import { inspectExact, inspectF1 } from './classification.scorer.ts'
import { inspectIncludes, inspectMatch } from './match.scorer.ts'
import { inspectMath } from './math/math.scorer.ts'
import { inspectAnswer, inspectPattern } from './pattern.scorer.ts'

export const inspectScorers: readonly Scorer[] = [
  inspectMatch,
  inspectIncludes,
  inspectPattern,
  inspectAnswer,
  inspectChoice,
  inspectExact,
  inspectF1,
  inspectMath,
]
