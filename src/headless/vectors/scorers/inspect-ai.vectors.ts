import { z } from 'zod'
import { maxExactScore, maxF1Score } from '../../../engine/grading/scorers/inspect-ai/classification.ts'
import { gradeMath, type MathStatus } from '../../../engine/grading/scorers/inspect-ai/math/grade-math.ts'
import { defaultPatternGrade, neutralizeDelimiters, offeredGrade } from '../../../engine/grading/scorers/inspect-ai/model-grade.ts'
import { parseAnswers } from '../../../engine/grading/scorers/inspect-ai/multiple-choice.ts'
import { valueToFloat } from '../../../engine/grading/scorers/inspect-ai/value-to-float.ts'
import { gradeOne } from '../../../engine/grading/scorers/registry.ts'
import type { Score } from '../../../engine/grading/scorers/scorer.ts'
import { inspectMetricVectors } from './inspect-ai-metrics.vectors.ts'
import { option, scoreRow, targetTexts, textOutput } from './read-row.ts'
import type { RunVector, VectorFamily, VectorRow } from './vector-row.ts'

const shuffledChoices = z.array(z.object({ value: z.string(), original_position: z.number() }))
const words = z.record(z.string(), z.string())

const letterOf: RunVector = row => inspectForm(scoreRow(row))

/** Inspect's own form of a score. */
function inspectForm({ label, value, answer }: Score): unknown {
  return { value: value === null ? 'NaN (unscored)' : (label ?? value), answer }
}

function choice(row: VectorRow): unknown {
  const choices = option(row, 'choices', shuffledChoices)
  const input = {
    output: textOutput(row),
    targets: targetTexts(row),
    choices: choices.map(({ value }) => value),
    metadata: { original_positions: choices.map(({ original_position: position }) => position) },
  }
  return inspectForm(gradeOne({ scorer: 'inspect_ai/choice', options: { multiple_correct: true } }, input))
}

function math(row: VectorRow): unknown {
  const { status } = gradeMath(textOutput(row), targetTexts(row))
  return { value: inspectValues[status], metadata: { math_scorer_status: status } }
}

const inspectValues: Readonly<Record<MathStatus, string>> = {
  correct: 'C',
  incorrect: 'I',
  answer_parse_error: 'I',
  answer_limit: 'I',
  target_parse_error: 'NaN (unscored)',
}

/** A judge's verdict; custom instructions leave the menu to the default pattern. */
function modelGraded(row: VectorRow): unknown {
  const reply = textOutput(row)
  const grade =
    row.options['instructions'] === undefined ? offeredGrade(reply, option(row, 'partial_credit', z.boolean())) : defaultPatternGrade(reply)
  return grade === null ? { value: 'NaN (unscored)', metadata: { unscored_reason: 'grade_parse_failure' } } : { value: grade }
}

export const inspectVectors: VectorFamily = {
  runs: {
    'inspect_ai/answer': letterOf,
    'inspect_ai/choice': choice,
    'inspect_ai/exact': letterOf,
    'inspect_ai/f1': letterOf,
    'inspect_ai/includes': letterOf,
    'inspect_ai/match': letterOf,
    'inspect_ai/pattern': letterOf,
    'inspect_ai/math': math,
    'inspect_ai/max_exact_score': row => maxExactScore(textOutput(row), targetTexts(row)),
    'inspect_ai/max_f1_score': row => maxF1Score(textOutput(row), targetTexts(row)),
    'inspect_ai/multiple_choice.parse_answers': row =>
      parseAnswers(textOutput(row), option(row, 'n_choices', z.number()), option(row, 'multiple_correct', z.boolean())),
    'inspect_ai/value_to_float': row => valueToFloat(row.output, words.parse(row.options)),
    'inspect_ai/neutralize_structural_delimiters': row => neutralizeDelimiters(textOutput(row)),
    'inspect_ai/model_graded.DEFAULT_GRADE_PATTERN': row => defaultPatternGrade(textOutput(row)),
    'inspect_ai/model_graded_fact': modelGraded,
    'inspect_ai/model_graded_qa': modelGraded,
    ...inspectMetricVectors,
  },
}
