import type { Task } from '../../tasks/task.ts'
import { answerForm, inTemplate, numbersIn } from './answer-form.ts'
import { nearestPassage } from './nearest.ts'

/** Where the answer of a worked example begins. */
const answerMark = /^(?:a|answer|solution|output|response)\s*:[^\S\n]*/gim

/**
 * Answers without knowing anything: with the nearest choice; else as the nearest worked example of the prompt did; else with the sentence of the
 * task that is nearest to its question.
 * @param text The task's own text. @param prompt The user message.
 */
export function retrieve(task: Task, text: string, prompt: string): string {
  const form = answerForm(task)
  if (form.kind === 'choice') {
    const choices = task.choices ?? []
    const nearest = choices.indexOf(nearestPassage(choices, text) ?? '')
    return inTemplate(task, form.options[nearest] ?? '')
  }
  const blocks = prompt.split(/\n\s*\n/).filter(block => block.trim() !== '')
  const query = blocks.pop() ?? ''
  const example = nearestPassage(blocks.filter(hasAnswer), query)
  return example === null ? fromSentences(task, text, form.kind) : answerOf(example)
}

const hasAnswer = (block: string): boolean => answerOf(block) !== ''

/** What follows the last answer mark of a worked example. */
function answerOf(block: string): string {
  const mark = [...block.matchAll(answerMark)].at(-1)
  return mark ? block.slice(mark.index + mark[0].length).trim() : ''
}

function fromSentences(task: Task, text: string, kind: 'number' | 'text'): string {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')
  const question = sentences.pop() ?? ''
  const sentence = nearestPassage(sentences, question) ?? question
  return inTemplate(task, kind === 'number' ? (numbersIn(sentence).at(-1) ?? numbersIn(text).at(-1) ?? '0') : sentence)
}
