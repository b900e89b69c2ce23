import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { fuzzyMatch } from '../text/squad.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { dropScores } from './drop.ts'
import { answerText, choiceLetter, isMgsmCorrect, mgsmAnswer } from './extract.ts'

export const simpleEvalsMcq = defineScorer({
  id: 'simple_evals/mcq',
  version: 1,
  title: 'simple-evals multiple choice',
  description: 'The letter A to D after the first "Answer:" of the output equals the target.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const letter = choiceLetter(output)
      if (!letter) return judged(false, { answer: null, explanation: 'The output holds no "Answer: <letter>".' })
      const explanation = `The letter is ${letter.text}; ${describeTargets(targets)}.`
      return judged(targets.includes(letter.text), { answer: letter.text, span: { start: letter.start, end: letter.end }, explanation })
    }
  },
})

export const simpleEvalsMgsm = defineScorer({
  id: 'simple_evals/mgsm',
  version: 1,
  title: 'simple-evals MGSM',
  description: 'The last number after the answer prefix of the language equals the target; a minus sign is lost, as in the original.',
  options: z.strictObject({ answer_prefix: z.string().min(1).max(100).default('Answer') }),
  prepare({ answer_prefix: prefix }) {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const answer = mgsmAnswer(output, prefix)
      const isCorrect = targets.some(target => isMgsmCorrect(target, answer))
      return judged(isCorrect, {
        answer: answer === '' ? null : answer,
        explanation: `The number is ${quote(answer)}; ${describeTargets(targets)}.`,
      })
    }
  },
})

export const simpleEvalsDrop = defineScorer({
  id: 'simple_evals/drop',
  version: 1,
  title: 'simple-evals DROP',
  description: 'The answer or a reference holds the other after normalizing; exact match (0 or 1) and F1 (0 to 100) are in the values.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      const { text, start, end } = answerText(output) ?? { text: output, start: 0, end: output.length }
      const scores = dropScores(text, targets)
      if (!scores) return unscored('Every reference of the task is blank.')
      const isMatch = targets.some(target => fuzzyMatch(text, target))
      const explanation = `The answer is ${quote(text)}; ${describeTargets(targets)}.`
      return judged(isMatch, { answer: text, span: { start, end }, values: { em: scores.em, f1: scores.f1 }, explanation })
    }
  },
})
