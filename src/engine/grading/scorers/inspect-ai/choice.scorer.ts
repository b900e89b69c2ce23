import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, unscored } from '../verdict.ts'
import { gradedAs } from './grade.ts'
import { choiceLabel, choicePosition, choiceReleases, parseAnswers } from './multiple-choice.ts'

/** Where each shown choice stood before shuffling; absent when the choices were shown as they are. */
const shuffledSchema = z.object({ original_positions: z.array(z.int().min(0)) })

export const inspectChoice = defineScorer({
  id: 'inspect_ai/choice',
  version: 1,
  title: 'Inspect multiple choice',
  description: 'The set of choices marked after "ANSWER:" against the set of letters in the target; one too many or too few is wrong.',
  options: z.strictObject({
    multiple_correct: z.boolean().default(false),
    /** Of Inspect, whose rule is followed. */
    release: z.enum(choiceReleases).default('0.3.260'),
  }),
  prepare({ multiple_correct: multiple, release }) {
    return ({ output, targets, choices, metadata }) => {
      if (!choices || choices.length === 0) return unscored('The task has no choices.')
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const originals = shuffledSchema.safeParse(metadata)
      const original = (position: number) => (originals.success ? (originals.data.original_positions[position] ?? position) : position)
      const shown = parseAnswers(output, choices.length, multiple, release)
      const marked = shown.map(label => original(choicePosition(label) ?? -1)).sort((a, b) => a - b)
      const wanted = [...targets.join('')].filter(char => char !== ',' && char !== ' ').map(choicePosition)
      if (wanted.includes(null)) return unscored(`The target is not a list of choice letters; ${describeTargets(targets)}.`)
      const isEqual = marked.length === new Set(wanted).size && marked.every(position => wanted.includes(position))
      const answer = marked.map(choiceLabel).join(', ')
      const explanation = `The output marks ${answer === '' ? 'no choice' : answer}; ${describeTargets(targets)}.`
      return gradedAs(isEqual ? 'C' : 'I', answer, explanation)
    }
  },
})
