import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { describeNumber } from '../../extraction/exact-number.ts'
import { findAnswerText } from '../../extraction/find-answer-text.ts'
import { findChoice } from '../../extraction/find-choice.ts'
import { findNumber } from '../../extraction/find-number.ts'
import { defineScorer } from '../define-scorer.ts'
import type { ScoreInput } from '../scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'

/** As MathVista's tasks say it. */
const Kind = z.looseObject({
  answer_type: z.enum(['text', 'integer', 'float', 'list']),
  precision: z.coerce.number().int().min(0).max(20).nullish(),
})

export const mathvistaAnswer = defineScorer({
  id: 'mathvista/answer',
  version: 1,
  title: 'MathVista answer',
  description:
    'Normalizes an answer as MathVista’s evaluation does: a choice by its letter or the nearest text, a whole number by cutting, a decimal by rounding to the task’s places. Where the original has a model extract the answer from a longer output, Assay reads it itself.',
  options: z.strictObject({}),
  prepare: () => input => {
    const { targets, metadata = {} } = input
    const kind = Kind.safeParse(metadata)
    if (targets.length === 0 || !kind.success)
      return unscored('The task has no target, or not the fields of MathVista (answer_type, precision).')
    const answer = normalized(input, kind.data)
    if (answer === null) return judged(false, { answer: null, explanation: `No answer could be extracted; ${describeTargets(targets)}.` })
    return judged(targets.includes(answer), { answer, explanation: `The answer is ${quote(answer)}; ${describeTargets(targets)}.` })
  },
})

function normalized({ output, choices = [] }: ScoreInput, { answer_type: type, precision }: z.output<typeof Kind>): string | null {
  if (choices.length > 0) return chosenText(output, choices)
  if (type === 'integer' || type === 'float') {
    const value = numberIn(output)
    if (value === null) return null
    return type === 'integer' ? String(Math.trunc(value)) : pythonFloat(Number(value.toFixed(precision ?? 1)))
  }
  return findAnswerText(output)?.text ?? (output.trim() === '' ? null : output.trim())
}

/** The choice that the output states; of a short output that states none, the one whose text is nearest, the first of several. */
function chosenText(output: string, choices: readonly string[]): string | null {
  const said = output.trim()
  if (choices.includes(said)) return said
  const found = findChoice(output, choices)
  if (found.kind === 'chosen') return choices[found.positions[0] ?? -1] ?? null
  const text = findAnswerText(output)?.text
  if (found.kind === 'ambiguous' || text === undefined) return null
  const [nearest] = choices.toSorted((a, b) => distance(text, a) - distance(text, b))
  return nearest ?? null
}

function numberIn(output: string): number | null {
  const said = output.trim()
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(said)) return Number(said)
  const found = findNumber(output, 'final_answer')
  return found.kind === 'found' ? Number(describeNumber(found.number.value)) : null
}

/** As Python writes it: 5.0, not 5. */
function pythonFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}
