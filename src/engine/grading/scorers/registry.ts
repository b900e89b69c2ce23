import { describeFirst } from '../../../contract/describe-issue.ts'
import { distance } from 'fastest-levenshtein'
import { autoevalsScorers } from './autoevals/autoevals.scorer.ts'
import { bbhExactMatch } from './bbh/bbh.scorer.ts'
import { bfclCalls } from './bfcl/bfcl.scorer.ts'
import { ScorerConfigError } from './config-error.ts'
import { evaluateScorers } from './evaluate/error-rate.scorer.ts'
import { evalplusCheckOutput } from './evalplus/check-output.scorer.ts'
import { helmScorers } from './helm/helm.scorer.ts'
import { hendrycksIsEquiv } from './hendrycks-math/is-equiv.scorer.ts'
import { ifbenchScorers } from './ifbench/scorers.ts'
import { ifevalScorers } from './ifeval/scorers.ts'
import { inspectScorers } from './inspect-ai/scorers.ts'
import { callCompare, stdioCompare, testOutputPrediction } from './livecodebench/livecodebench.scorer.ts'
import { lmEvalScorers } from './lm-eval/scorers.ts'
import { multimodalScorers } from './multimodal/scorers.ts'
import { createEachTurn } from './native/each-turn.scorer.ts'
import { nativeScorers } from './native/scorers.ts'
import { openaiScorers } from './openai-evals/openai-evals.scorer.ts'
import { promptfooScorers } from './promptfoo/promptfoo.scorer.ts'
import { storedLabel } from './livecodebench/stored-label.scorer.ts'
import type { PreparedScorer, Score, ScoreInput, Scorer } from './scorer.ts'
import { rougeScore } from './rouge-score/rouge.scorer.ts'
import { sacrebleuScorers } from './sacrebleu/sacrebleu.scorer.ts'
import { simpleEvalsDrop, simpleEvalsMcq, simpleEvalsMgsm } from './simple-evals/simple-evals.scorer.ts'
import { cellCompare } from './spreadsheetbench/cell-compare.scorer.ts'
import { attackScorer } from '../worlds/attack.scorer.ts'
import { createWorldScorer } from '../worlds/world.scorer.ts'
import { PatternLimitError } from './patterns/pattern-limit.ts'
import { judged, tooSlow, unscored } from './verdict.ts'
import { messageOf } from '../../../lib/message-of.ts'

/** A scorer by id with options as the caller wrote them (missing means every default). */
export interface ScorerSpec {
  readonly scorer: string
  readonly options?: unknown
}

const all: readonly Scorer[] = [
  ...nativeScorers,
  ...inspectScorers,
  ...lmEvalScorers,
  ...ifevalScorers,
  ...ifbenchScorers,
  bbhExactMatch,
  bfclCalls,
  evalplusCheckOutput,
  stdioCompare,
  callCompare,
  testOutputPrediction,
  storedLabel,
  cellCompare,
  simpleEvalsMcq,
  simpleEvalsMgsm,
  simpleEvalsDrop,
  ...openaiScorers,
  ...helmScorers,
  hendrycksIsEquiv,
  ...autoevalsScorers,
  ...sacrebleuScorers,
  rougeScore,
  ...evaluateScorers,
  ...promptfooScorers,
  ...multimodalScorers,
  createEachTurn(spec => prepareScorer(spec)),
  createWorldScorer(spec => prepareScorer(spec)),
  attackScorer,
]

/** Every registered scorer by id, in the order in which a list shows them. */
export const scorers: ReadonlyMap<string, Scorer> = new Map(all.map(scorer => [scorer.id, scorer]))

/** @throws ScorerConfigError naming the closest ids when there is no such scorer. */
export function scorerById(id: string): Scorer {
  const scorer = scorers.get(id)
  if (scorer) return scorer
  const wanted = id.toLowerCase()
  const close = [...scorers.keys()].sort((a, b) => distance(a.toLowerCase(), wanted) - distance(b.toLowerCase(), wanted)).slice(0, 3)
  throw new ScorerConfigError(`There is no scorer ${JSON.stringify(id)}. The closest ids are ${close.join(', ')}.`)
}

/**
 * Finds the scorer, parses its options and compiles its patterns, once for a whole batch. What it returns never throws: an output on
 * which the scorer fails is wrong, one for which it fails whatever the output is unscored, and a pattern that takes too long makes it
 * too slow.
 * @throws ScorerConfigError for an unknown scorer or options that its schema refuses.
 */
export function prepareScorer(spec: ScorerSpec): PreparedScorer {
  const scorer = scorerById(spec.scorer)
  const parsed = scorer.options.safeParse(spec.options ?? {})
  if (!parsed.success)
    throw new ScorerConfigError(`Correct the options of ${scorer.id}: ${describeFirst(parsed.error.issues, '"options"')}.`)
  const options = parsed.data
  const score = scorer.prepare?.(options) ?? ((input: ScoreInput) => scorer.score(input, options))
  return input => {
    try {
      return score(input)
    } catch (error) {
      if (error instanceof PatternLimitError) return tooSlow(error.message)
      const detail = `The scorer ${scorer.id} failed on this output: ${messageOf(error)}`
      // Or an answer could choose to be left out of the mean.
      return isFault(score, input) ? unscored(detail) : judged(false, { answer: null, explanation: detail })
    }
  }
}

/** Whether the scorer fails on an empty output too, so that the output is not the cause. */
function isFault(score: PreparedScorer, input: ScoreInput): boolean {
  try {
    score({ ...input, output: '' })
    return false
  } catch {
    return true
  }
}

/** Grades one output; for many outputs of one task use `prepareScorer`. */
export function gradeOne(spec: ScorerSpec, input: ScoreInput): Score {
  return prepareScorer(spec)(input)
}
