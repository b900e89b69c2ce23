import type { AnswerImport, AnswerMapping } from '../../contract/answers/answers.schemas.ts'
import { blockedFiles, type Checked, type Sent } from '../catalog/blocked-import.ts'
import type { AnswerFields } from './answers.queries.ts'

type Setting = 'numeric_ids' | ScoreSetting
type ScoreSetting = 'lowest_score' | 'highest_score' | 'binary_score'
export type AnswerColumn = Exclude<keyof AnswerMapping, 'index_base' | 'numeric_ids' | 'scores' | ScoreSetting>

export const answerColumns: readonly { readonly column: AnswerColumn; readonly label: string; readonly help: string }[] = [
  { column: 'output', label: 'Output', help: 'A text, or a list with one text for each epoch.' },
  { column: 'task_id', label: 'Task id', help: 'Task id in the benchmark.' },
  { column: 'question', label: 'Question', help: 'For tables without task ids.' },
  { column: 'index', label: 'Place', help: 'Place of the task in the benchmark or its group.' },
  { column: 'group', label: 'Group of the place', help: 'For example, the subtask.' },
  { column: 'model', label: 'Model', help: 'Each model becomes a run.' },
  { column: 'epoch', label: 'Epoch', help: 'From 1.' },
  { column: 'score', label: 'Score', help: 'A score of the output, as a metric of its own.' },
  { column: 'error', label: 'Error', help: 'Why there is no output.' },
  { column: 'reasoning', label: 'Reasoning', help: 'If it is apart from the output.' },
  { column: 'finish_reason', label: 'Finish reason', help: 'Why the output ended.' },
  { column: 'input_tokens', label: 'Input tokens', help: 'Of the call.' },
  { column: 'output_tokens', label: 'Output tokens', help: 'Of the call.' },
  { column: 'latency_ms', label: 'Latency (ms)', help: 'Of the call.' },
]

/** A mapping with a setting changed; nothing takes it out. */
export function withSetting(mapping: AnswerMapping, setting: Pick<AnswerMapping, Setting>): AnswerMapping {
  return Object.fromEntries(Object.entries({ ...mapping, ...setting }).filter(([, value]) => value !== undefined))
}

/** Further columns with scores from 0 to 1. */
export function withScores(mapping: AnswerMapping, columns: readonly string[]): AnswerMapping {
  const { scores = [], ...rest } = mapping
  if (columns.length === 0) return rest
  return { ...rest, scores: columns.map(column => scores.find(one => one.column === column) ?? { column }) }
}

/** A mapping with the number of the first position; null leaves it to the rows. */
export function withIndexBase(mapping: AnswerMapping, base: string | null): AnswerMapping {
  const { index_base: _, ...others } = mapping
  return base === null ? others : { ...others, index_base: base === '1' ? 1 : 0 }
}

/** A mapping with one column changed; none takes it out. */
export function withColumn(mapping: AnswerMapping, column: AnswerColumn, name: string | null): AnswerMapping {
  const { [column]: _, ...others } = mapping
  return name === null ? others : { ...others, [column]: name }
}

type Words = Readonly<Record<string, number>>

/** "refused = 0, answered = 1"; null where nothing is stated, a text saying what is wrong. */
export function readWords(text: string): Words | string | null {
  const parts = text.split(',').filter(part => part.trim() !== '')
  const words: [string, number][] = []
  for (const part of parts) {
    const at = part.lastIndexOf('=')
    const [word, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    if (at < 1 || word === '' || value === '' || !Number.isFinite(Number(value)))
      return `Write “${part.trim().slice(0, 40)}” as a word, an equals sign and a number.`
    words.push([word, Number(value)])
  }
  return words.length === 0 ? null : Object.fromEntries(words)
}

export function writeWords(words: Words = {}): string {
  return Object.entries(words)
    .map(([word, value]) => `${word} = ${value}`)
    .join(', ')
}

/** A mapping with one further score changed. */
export function withScore(
  mapping: AnswerMapping,
  score: NonNullable<AnswerMapping['scores']>[number],
  all: AnswerMapping['scores'] = [],
): AnswerMapping {
  return { ...mapping, scores: all.map(one => (one.column === score.column ? score : one)) }
}

type Seen = Pick<AnswerImport, 'status' | 'error_count'>

/** Why the files on the page cannot be imported; null: they can. A host that is not chosen is no reason. */
export function blockedAnswers(
  preview: Checked<AnswerFields, Seen>,
  shown: Sent<AnswerFields>,
  landed: Pick<AnswerImport, 'status'> | null,
): string | null {
  if (landed?.status === 'imported') return 'These files were imported.'
  return blockedFiles(preview, shown, ({ error_count: errors }) => (errors > 0 ? 'Fix the errors in the files and add them again.' : null))
}
