import { fill } from '../samples/render-prompt.ts'
import type { Task } from '../../tasks/task.ts'

/** What an answer to a task looks like, without what it is. `options` are the choices as an answer names them. */
export type AnswerForm =
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'number' }
  | { readonly kind: 'text' }

const numeral = /^[-+]?[$€£]?\d[\d,]*(?:\.\d+)?%?$/
const letterLabel = /^(\(?)([A-Za-z])(\)?)$/

export function answerForm(task: Task): AnswerForm {
  if (task.choices) return { kind: 'choice', options: choiceOptions(task.choices, task.targets) }
  return { kind: task.targets.some(target => numeral.test(target.trim())) ? 'number' : 'text' }
}

/** Choices by their text where the targets are texts, else by the letters that the prompt gives them, in the targets' style. */
function choiceOptions(choices: readonly string[], targets: readonly string[]): readonly string[] {
  const [target] = targets
  if (target !== undefined && choices.includes(target)) return choices
  const [, open = '', letter = 'A', close = ''] = letterLabel.exec(target ?? '') ?? []
  const first = letter === letter.toLowerCase() ? 'a' : 'A'
  return choices.map((_, i) => `${open}${String.fromCharCode(first.charCodeAt(0) + i)}${close}`)
}

/** Wraps an answer as the task's `answer_template` says, e.g. `#### {answer}`. */
export function inTemplate(task: Task, answer: string): string {
  const { answer_template: template } = task.metadata
  return typeof template === 'string' ? fill(template, { answer }) : answer
}

export const numbersIn = (text: string): string[] => text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []

export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
