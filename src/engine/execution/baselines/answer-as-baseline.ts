import { contentText } from '../../../contract/messages/message-text.ts'
import type { Task } from '../../tasks/task.ts'
import type { Turn } from '../../clients/model-client.ts'
import { answerForm, inTemplate, numbersIn, wordsIn } from './answer-form.ts'
import { findBaseline, hastyChances, hastyPatienceWords, oraclePercent } from './baseline-routes.ts'
import { type Draw, drawFor } from './draw.ts'
import { retrieve } from './retrieve.ts'
import { wrongAnswer } from './wrong-answer.ts'

export interface BaselineQuestion {
  readonly task: Task
  readonly prompt: readonly Turn[]
  readonly seed: number
  readonly epoch: number
  /** What `assay/majority` says, see `majorityTarget`. Null or absent: it says nothing. */
  readonly majorityTarget?: string | null
}

/**
 * What a baseline says to a task, in the form that the benchmark asks for. The same question gets the same answer everywhere.
 *
 * From the targets every baseline but the oracles and the hasty reader takes only their form: a letter, a number, or text.
 * @throws RangeError for a route that is not a baseline.
 */
export function answerAsBaseline(routeId: string, question: BaselineQuestion): string {
  if (findBaseline(routeId) === null) throw new RangeError(`“${routeId}” is no baseline.`)
  const { task, prompt, seed, epoch } = question
  const draw = drawFor(seed, task.id, epoch)
  const message = contentText(prompt.findLast(({ role }) => role === 'user')?.content ?? '')
  const fields = Object.values(task.fields).join('\n')
  const text = fields === '' ? message : fields
  const chance = chanceOfRight(routeId, text)
  if (chance !== null) return draw.chance < chance ? rightOutput(task) : wrongOutput(task, text, draw)
  switch (routeId) {
    case 'assay/echo':
      return message
    case 'assay/retrieval':
      return retrieve(task, text, message)
    case 'assay/majority':
      return question.majorityTarget == null ? '' : inTemplate(task, question.majorityTarget)
    case 'assay/first-option':
      return inTemplate(task, possibleAnswers(task, text)[0] ?? '')
    default: {
      const possible = possibleAnswers(task, text)
      return inTemplate(task, possible[draw.pick(possible.length)] ?? '')
    }
  }
}

/** The target that most tasks share, the first of equals; null where no task has one. */
export function majorityTarget(tasks: readonly Pick<Task, 'targets'>[]): string | null {
  const counts = new Map<string, number>()
  for (const { targets } of tasks) {
    const [target] = targets
    if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  let best: string | null = null
  for (const [target, count] of counts) {
    if (best === null || count > (counts.get(best) ?? 0)) best = target
  }
  return best
}

/** What an answer could be, as far as the task itself shows: its choices, its numbers, or its words. */
function possibleAnswers(task: Task, text: string): readonly string[] {
  const form = answerForm(task)
  switch (form.kind) {
    case 'choice':
      return form.options
    case 'number':
      return numbersIn(text)
    case 'text':
      return wordsIn(text)
  }
}

/** Of a baseline that knows the references; null for every other. */
function chanceOfRight(routeId: string, text: string): number | null {
  if (routeId === 'assay/hasty') return wordsIn(text).length > hastyPatienceWords ? hastyChances.long : hastyChances.short
  const percent = oraclePercent(routeId)
  return percent === null ? null : percent / 100
}

/** `reference_output` where correctness is more than a target, e.g. for instructions to follow. */
function rightOutput(task: Task): string {
  const { reference_output: reference } = task.metadata
  return typeof reference === 'string' ? reference : inTemplate(task, task.targets[0] ?? '')
}

function wrongOutput(task: Task, text: string, draw: Draw): string {
  const { wrong_output: wrong } = task.metadata
  return typeof wrong === 'string' ? wrong : inTemplate(task, wrongAnswer(task, text, draw))
}
