import type { Task } from '../../tasks/task.ts'
import { inputOf } from '../../content/benchmarks/task-preview.ts'
import { mostEpochs } from './answer-columns.ts'
import type { MatchedAnswer, ReferringAnswer, TaskReference } from './given-answer.ts'

export interface Matching {
  readonly matched: readonly MatchedAnswer[]
  readonly unmatched: readonly { readonly line: number; readonly key: string }[]
  /** Ids of tasks that nothing answers. */
  readonly missing: readonly string[]
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  readonly warnings: readonly string[]
}

export interface MatchOptions {
  /** What the file's first index is; decided from all of them when absent. */
  readonly indexBase?: 0 | 1 | undefined
  /** Whether the user named the column with the places. */
  readonly isIndexChosen?: boolean | undefined
  /** Whether ids that are whole numbers match however they are written. */
  readonly numericIds?: boolean | undefined
  /** Of answers that do not name theirs. */
  readonly model: string
}

/** Finds the task of every answer and settles the epochs. */
export function matchAnswers(
  tasks: readonly Task[],
  given: readonly ReferringAnswer[],
  { indexBase, isIndexChosen = false, numericIds = false, model }: MatchOptions,
): Matching {
  const areIds = !isIndexChosen && indexBase === undefined && areIndexesIds(tasks, given)
  const answers = areIds ? given.map(answer => ({ ...answer, task: { by: 'id', id: keyOf(answer.task) } as const })) : given
  const base = baseOf(tasks, answers, indexBase)
  if (typeof base === 'string') return { matched: [], unmatched: [], missing: [], warnings: [], problems: [{ line: null, message: base }] }
  const find = finder(tasks, answers, base, numericIds)
  const unmatched: { line: number; key: string }[] = []
  const problems: { line: number | null; message: string }[] = []
  const matched: MatchedAnswer[] = []
  /** Epochs that a model has given of a task. */
  const epochs = new Map<string, Set<number>>()
  let repeated = 0
  for (const { task, ...answer } of answers) {
    const taskIndex = find(task)
    if (taskIndex === 'several') {
      problems.push({
        line: answer.line,
        message:
          task.by === 'id'
            ? `Several tasks have the number "${keyOf(task).slice(0, 80)}" as their id; write ids as the benchmark does.`
            : `Several tasks have the question "${keyOf(task).slice(0, 80)}"; name tasks by their id.`,
      })
      continue
    }
    if (taskIndex === null) {
      unmatched.push({ line: answer.line ?? 1, key: keyOf(task).slice(0, 200) })
      continue
    }
    const modelName = answer.model ?? model
    const place = `${taskIndex} ${modelName}`
    const taken = epochs.get(place) ?? new Set<number>()
    epochs.set(place, taken)
    const epoch = answer.epoch ?? taken.size + 1
    if (answer.epoch === null && epoch > 1) repeated = Math.max(repeated, epoch)
    if (taken.has(epoch) || epoch > mostEpochs) {
      const what = epoch > mostEpochs ? `has more than ${mostEpochs} outputs` : `has two outputs for epoch ${epoch}`
      problems.push({ line: answer.line, message: `The task "${tasks[taskIndex]?.id ?? ''}" ${what}.` })
      continue
    }
    taken.add(epoch)
    matched.push({ ...answer, taskIndex, epoch, model: modelName })
  }
  const answered = new Set(matched.map(({ taskIndex }) => taskIndex))
  return {
    matched: matched.sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : a.taskIndex - b.taskIndex || a.epoch - b.epoch)),
    unmatched,
    missing: tasks.filter((_, i) => !answered.has(i)).map(({ id }) => id),
    problems,
    warnings: [
      ...(areIds
        ? ['"index" was read as task ids, since each of its values is one. Where it counts places, name it as "index" in "mapping".']
        : []),
      ...(repeated > 0 ? [`Tasks occur up to ${repeated} times; their rows are taken as epochs, in the order of the file.`] : []),
    ],
  }
}

/**
 * Where every place is the id of a task, as VLMEvalKit and others call their ids, it is meant as one. Ids that count the tasks from 0 or 1
 * say nothing more than places do, and leave open from which of both a file counts.
 */
function areIndexesIds(tasks: readonly Task[], answers: readonly ReferringAnswer[]): boolean {
  const ids = new Set(tasks.map(({ id }) => id))
  const isCounted = [0, 1].some(base => tasks.every(({ id }, i) => id === String(i + base)))
  return (
    !isCounted &&
    answers.length > 0 &&
    answers.every(({ task }) => task.by === 'index' && task.group === null && ids.has(String(task.index)))
  )
}

type Find = (reference: TaskReference) => number | 'several' | null

function finder(tasks: readonly Task[], answers: readonly ReferringAnswer[], base: 0 | 1, numericIds: boolean): Find {
  const by = (kind: TaskReference['by']) => answers.some(({ task }) => task.by === kind)
  const ids = new Map(by('id') ? tasks.map(({ id }, i) => [id, i]) : [])
  const numbers = new Map<string, number | 'several'>()
  if (by('id') && numericIds)
    for (const [i, { id }] of tasks.entries()) {
      const number = wholeNumber(id)
      if (number !== null) numbers.set(number, numbers.has(number) ? 'several' : i)
    }
  const questions = new Map<string, number | 'several'>()
  if (by('question')) {
    for (const [i, task] of tasks.entries())
      for (const text of new Set([inputOf(task), ...Object.values(task.fields)].map(normal)))
        questions.set(text, questions.has(text) ? 'several' : i)
  }
  const groups = by('index') ? groupsOf(tasks) : new Map<string, number[]>()
  return reference => {
    if (reference.by === 'id') return ids.get(reference.id) ?? numbers.get(wholeNumber(reference.id) ?? '') ?? null
    if (reference.by === 'question') return questions.get(normal(reference.question)) ?? null
    const place = reference.index - base
    return (reference.group === null ? (place < tasks.length && place >= 0 ? place : null) : groups.get(reference.group)?.[place]) ?? null
  }
}

/** Places of the tasks of each group, by every value of the metadata that could name one. */
function groupsOf(tasks: readonly Task[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [i, { metadata }] of tasks.entries()) {
    for (const value of new Set(Object.values(metadata))) {
      if (typeof value !== 'string' || value.length > 200) continue
      const known = groups.get(value)
      if (known) known.push(i)
      else groups.set(value, [i])
    }
  }
  return groups
}

/** What the first place is called: 0 where a row says 0, 1 where a row says the number of tasks. Otherwise text that asks. */
function baseOf(tasks: readonly Task[], answers: readonly ReferringAnswer[], chosen: 0 | 1 | undefined): 0 | 1 | string {
  const indexes = answers.flatMap(({ task }) => (task.by === 'index' ? [task] : []))
  if (chosen !== undefined || indexes.length === 0) return chosen ?? 0
  if (indexes.some(({ index }) => index === 0)) return 0
  const groups = groupsOf(tasks)
  const sizeOf = (group: string | null): number => (group === null ? tasks.length : (groups.get(group)?.length ?? -1))
  if (indexes.some(({ index, group }) => index === sizeOf(group))) return 1
  return 'The index of no row is 0 and none is the last place, so that it is not clear whether places count from 0 or from 1. Choose the first place ("index_base" in "mapping").'
}

/** An id that is a whole number, as pandas ("1.0") and spreadsheets ("01") write it; null for any other. */
function wholeNumber(id: string): string | null {
  return /^0*(\d{1,30})(?:\.0+)?$/.exec(id)?.[1] ?? null
}

/** Rows whose id is that of a task only as a number. */
export function numericIdsWarning(tasks: readonly Task[], { unmatched }: Matching): string[] {
  const known = new Set(tasks.map(({ id }) => wholeNumber(id)))
  const found = unmatched.filter(({ key }) => known.has(wholeNumber(key) ?? ''))
  if (found.length === 0) return []
  return [
    `${found.length} ${found.length === 1 ? 'id is that of a task only as a number' : 'ids are those of tasks only as numbers'}, such as "${found[0]?.key ?? ''}". Set "numeric_ids" to true in "mapping" to match them.`,
  ]
}

function keyOf(reference: TaskReference): string {
  if (reference.by === 'id') return reference.id
  return reference.by === 'question' ? reference.question : [reference.group, reference.index].filter(part => part !== null).join(' ')
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
