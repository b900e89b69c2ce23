import { z } from 'zod'
import { isEquiv } from '../../../engine/grading/scorers/hendrycks-math/is-equiv.ts'
import { postprocessors } from '../../../engine/grading/scorers/openai-evals/postprocessors.ts'
import { lastBoxed } from '../../../engine/grading/scorers/patterns/boxed.ts'
import { dropScores } from '../../../engine/grading/scorers/simple-evals/drop.ts'
import { answerText, choiceLetter, isMgsmCorrect, mgsmAnswer } from '../../../engine/grading/scorers/simple-evals/extract.ts'
import { healthbenchScore } from '../../../engine/grading/scorers/simple-evals/healthbench.ts'
import { fuzzyMatch, normalizeAnswer } from '../../../engine/grading/scorers/text/squad.ts'
import { numberList, option, scoreRow, targetTexts, textOutput } from './read-row.ts'
import type { RunVector, VectorFamily, VectorRow } from './vector-row.ts'

const isRight: RunVector = row => scoreRow(row).value === 1

function onlyTarget(row: VectorRow): string {
  const [target = ''] = targetTexts(row)
  return target
}

/** HELM's summary of a metric; its variance divides by n. */
function stat(row: VectorRow): unknown {
  const values = numberList(row.output)
  const sum = values.reduce((total, each) => total + each, 0)
  const mean = sum / values.length
  const variance = values.reduce((total, each) => total + (each - mean) ** 2, 0) / values.length
  return { sum, count: values.length, min: Math.min(...values), max: Math.max(...values), mean, variance, stddev: Math.sqrt(variance) }
}

/** The box with its command around it. */
function boxedCommand(text: string): string | null {
  const inside = lastBoxed(text)
  return inside && text.slice(text.lastIndexOf('\\', inside.start - 1), inside.end + 1)
}

export const answerVectors: VectorFamily = {
  runs: {
    'openai_evals/normalize': row => normalizeAnswer(textOutput(row)),
    'openai_evals/fuzzy_match': row => fuzzyMatch(textOutput(row), onlyTarget(row)) && fuzzyMatch(onlyTarget(row), textOutput(row)),
    'openai_evals/Match': isRight,
    'openai_evals/Includes': isRight,
    'openai_evals/JsonValidator': isRight,
    'openai_evals/JsonMatch': row => ({ accuracy: scoreRow(row).value }),
    'openai_evals/FuzzyMatch': row => {
      const score = scoreRow(row)
      return { accuracy: score.value, f1_score: score.values?.['f1_score'] }
    },
    'openai_evals/postprocessor.Strip': row => postprocessors.Strip(textOutput(row)),
    'openai_evals/postprocessor.RemoveQuotes': row => postprocessors.RemoveQuotes(textOutput(row)),
    'openai_evals/postprocessor.RemovePeriod': row => postprocessors.RemovePeriod(textOutput(row)),
    'openai_evals/postprocessor.Strip+RemoveQuotes+RemovePeriod': row =>
      postprocessors.RemovePeriod(postprocessors.RemoveQuotes(postprocessors.Strip(textOutput(row)))),
    'helm/Stat': stat,
    'hendrycks_math/is_equiv': row => isEquiv(textOutput(row), onlyTarget(row)),
    'hendrycks_math/last_boxed_only_string': row => boxedCommand(textOutput(row)),
    'simple_evals/mcq_extract': row => choiceLetter(textOutput(row))?.text ?? null,
    'simple_evals/answer_extract': row => answerText(textOutput(row))?.text ?? null,
    'simple_evals/mgsm.parse_answer': row => mgsmAnswer(textOutput(row), option(row, 'answer_prefix', z.string())),
    'simple_evals/mgsm.score': row => isMgsmCorrect(onlyTarget(row), textOutput(row)),
    'simple_evals/drop': row => dropScores(textOutput(row), targetTexts(row)),
    'simple_evals/healthbench.calculate_score': row =>
      healthbenchScore(numberList(row.options['points']), z.array(z.boolean()).parse(row.output)),
  },
}
