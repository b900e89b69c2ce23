import type { EvidenceRow } from './evidence-file.ts'

/** A task of the suite that evidence is read for. */
export interface SuiteTask {
  readonly group: string
  readonly sourceRef: string
  readonly taskId: string
  /** Its question as text; empty where it has none. */
  readonly text: string
}

export interface Place {
  readonly group: string | null
  readonly sourceRef: string | null
  readonly taskId: string
}

/** How a row's task was found: its text is the task's, or a name that is more than a position is the task's id. */
export interface Match {
  readonly place: Place
  readonly by: 'text' | 'id'
  /** The file's text that is or contains the task's; null where the file shows none. */
  readonly fileText: string | null
  readonly taskText: string
  /** Whether the file shows a text that is another than the task's. Only an id that was named as such is believed then. */
  readonly differs: boolean
}

/**
 * Finds rows among the tasks of a suite: by the text of the question, else by id or `source_ref#id`. A row that is known by its position
 * alone matches nothing, nor does an id whose question is another, unless the request names the field of the ids.
 * @param named whether the request names the field of the ids
 */
export function taskMatcher(suite: readonly SuiteTask[], named: boolean): (row: EvidenceRow) => Match | string {
  const byName = new Map<string, SuiteTask | null>()
  const byText = new Map<string, SuiteTask | null>()
  for (const task of suite) {
    byName.set(`${task.sourceRef}#${task.taskId}`, task)
    byName.set(task.taskId, byName.has(task.taskId) ? null : task)
    const text = plain(task.text)
    if (text !== '') byText.set(text, byText.has(text) ? null : task)
  }
  return row => {
    const byId = byName.get(row.task)
    if (named && byId) return matched(byId, row, 'id')
    const texts = row.texts.map(text => byText.get(plain(text)))
    const found = new Set(texts.filter(task => task !== undefined && task !== null))
    const [only] = found
    if (found.size === 1 && only) return matched(only, row, 'text')
    if (byId && !row.isPlace) {
      const match = matched(byId, row, 'id')
      return match.differs ? 'The task of this id has another question.' : match
    }
    if (found.size > 1 || texts.includes(null)) return 'Several tasks of the suite have this question. Set task_field to name them by id.'
    if (byId === null) return 'Several sources of the suite have a task of this id; write it as source_ref#task_id.'
    if (row.texts.length > 0) return 'No task of the suite has this question.'
    return row.isPlace
      ? 'The file names its tasks by position only, which does not show that they are the suite’s. Set task_field to the field of their ids.'
      : 'The suite has no task of this id.'
  }
}

function matched(task: SuiteTask, row: EvidenceRow, by: Match['by']): Match {
  const own = plain(task.text)
  const same = row.texts.find(text => own !== '' && (plain(text).includes(own) || (plain(text) !== '' && own.includes(plain(text)))))
  const { group, sourceRef, taskId } = task
  return {
    place: { group, sourceRef, taskId },
    by,
    fileText: same ?? row.texts[0] ?? null,
    taskText: task.text,
    differs: own !== '' && row.texts.length > 0 && same === undefined,
  }
}

/** Compared without regard to the form of characters and to white space. */
function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
