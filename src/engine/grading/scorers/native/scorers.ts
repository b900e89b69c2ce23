import type { Scorer } from '../scorer.ts'
import { choice } from './choice.scorer.ts'
import { date } from './date.scorer.ts'
import { environmentGoal } from './environment.scorer.ts'
import { exactMatch } from './exact-match.scorer.ts'
import { jsonPath, jsonSchema } from './json.scorer.ts'
import { numberOrText, numeric } from './numeric.scorer.ts'
import { recordedScore } from './recorded-score.scorer.ts'
import { recordedVerdict } from './recorded-verdict.scorer.ts'
import { bleu, chrf, editScore, f1, rouge } from './similarity.scorer.ts'
import { includes, pattern, setMatch } from './text-match.scorer.ts'

export const nativeScorers: readonly Scorer[] = [
  exactMatch,
  includes,
  pattern,
  numeric,
  numberOrText,
  choice,
  date,
  f1,
  rouge,
  bleu,
  chrf,
  editScore,
  setMatch,
  jsonSchema,
  jsonPath,
  environmentGoal,
  recordedScore,
  recordedVerdict,
]
