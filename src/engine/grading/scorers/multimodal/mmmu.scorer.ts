import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { choiceLabel } from '../inspect-ai/multiple-choice.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { isOpenAnswer, parseChoice, parseOpen } from './mmmu-answer.ts'

export const mmmuAnswer = defineScorer({
  id: 'mmmu/answer',
  version: 1,
  title: 'MMMU answer',
  description:
    'Finds the chosen letter, or the candidates of an open answer, by the rules of MMMU’s evaluation. Where no letter is found the answer is wrong; the original draws one at random.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets, choices }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      if (choices && choices.length > 0) {
        const letter = parseChoice(
          output,
          choices.map((text, i) => ({ letter: choiceLabel(i), text })),
        )
        if (letter === null) return judged(false, { answer: null, label: 'unparsed', explanation: 'The output names none of the choices.' })
        return judged(targets.includes(letter), { answer: letter, explanation: `The choice is ${letter}; ${describeTargets(targets)}.` })
      }
      const candidates = parseOpen(output)
      const shown = [...new Set(candidates.map(String))].slice(0, 5)
      return judged(isOpenAnswer(candidates, targets), {
        answer: shown[0] ?? null,
        explanation: `The candidates are ${shown.map(quote).join(', ')}; ${describeTargets(targets)}.`,
      })
    }
  },
})
