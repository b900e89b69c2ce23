import type { Task } from '../../tasks/task.ts'
import { answerForm, wordsIn } from './answer-form.ts'
import type { Draw } from './draw.ts'

const opposites: Readonly<Record<string, string>> = {
  yes: 'no',
  no: 'yes',
  true: 'false',
  false: 'true',
  valid: 'invalid',
  invalid: 'valid',
}

/** Where nothing plausible is at hand. */
const noIdea = 'I do not know.'

/**
 * An answer that could be meant but is not right: another choice, a near number, the opposite, or words of the task in place of the right ones.
 * @param text The task's own text.
 */
export function wrongAnswer(task: Task, text: string, draw: Draw): string {
  const form = answerForm(task)
  switch (form.kind) {
    case 'choice':
      return pickFrom(form.options, task.targets, draw)
    case 'number':
      return pickFrom(nearNumbers(task.targets[0] ?? ''), task.targets, draw)
    case 'text':
      return wrongText(task.targets, text, draw)
  }
}

function pickFrom(candidates: readonly string[], targets: readonly string[], draw: Draw): string {
  const wrong = candidates.filter(candidate => !targets.some(target => sameAnswer(candidate, target)))
  return wrong[draw.pick(wrong.length)] ?? noIdea
}

/** The nine numbers that differ in the last digit: written alike, and not far off. */
function nearNumbers(target: string): string[] {
  return Array.from({ length: 9 }, (_, i) => target.replace(/\d(?=\D*$)/, digit => String((Number(digit) + i + 1) % 10)))
}

function wrongText(targets: readonly string[], text: string, draw: Draw): string {
  const [target = ''] = targets
  const opposite = opposites[target.toLowerCase()]
  if (opposite !== undefined) return inCaseOf(target, opposite)
  const words = wordsIn(text)
  const length = Math.max(1, wordsIn(target).length)
  const passages = words.slice(0, Math.max(0, words.length - length + 1)).map((_, i) => words.slice(i, i + length).join(' '))
  const wrong = passages.filter(passage => !targets.some(right => overlaps(passage, right)))
  return wrong[draw.pick(wrong.length)] ?? noIdea
}

function inCaseOf(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase()
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word
}

const plain = (answer: string): string => answer.toLowerCase().replaceAll(/[\s,$€£%]/g, '')

function sameAnswer(a: string, b: string): boolean {
  if (plain(a) === plain(b)) return true
  const value = Number(plain(a))
  // Beyond that, numbers that differ can come out equal.
  return plain(a) !== '' && plain(b) !== '' && Math.abs(value) <= Number.MAX_SAFE_INTEGER && value === Number(plain(b))
}

/** Scorers that look for the target anywhere in an answer would find it. */
const overlaps = (passage: string, target: string): boolean =>
  plain(passage).includes(plain(target)) || plain(target).includes(plain(passage))
