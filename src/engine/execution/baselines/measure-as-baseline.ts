import type { ChoiceLoglikelihoods } from '../../clients/loglikelihood/score-choices.ts'
import { answerAsBaseline, type BaselineQuestion } from './answer-as-baseline.ts'

/** In nats; only their order means anything. */
const [taken, left] = [-1, -5]

/** Likelihoods by which the choice that the baseline would name comes first; all alike where it names none. */
export function measureAsBaseline(routeId: string, question: BaselineQuestion): string {
  const { answer_template: _, reference_output: __, wrong_output: ___, ...metadata } = question.task.metadata
  const answer = answerAsBaseline(routeId, { ...question, task: { ...question.task, metadata } })
  const choices = question.task.choices ?? []
  const byText = choices.indexOf(answer)
  const byLetter = /^\(?([A-Za-z])\)?$/.exec(answer.trim())?.[1]?.toUpperCase().charCodeAt(0) ?? Number.NaN
  const at = byText >= 0 ? byText : byLetter - 65
  const output: ChoiceLoglikelihoods = {
    loglikelihoods: choices.map((_choice, i) => (i === at ? taken : left)),
    greedy: choices.map((_choice, i) => i === at),
    choices,
  }
  return JSON.stringify(output)
}
