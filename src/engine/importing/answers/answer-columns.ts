import { z } from 'zod'
import { writtenCell } from '../files/written-numbers.ts'
import { presentField, scalarText } from '../files/row-fields.ts'
import { type Row, RowError } from '../files/row.ts'
import { columnCalled } from '../files/usual-columns.ts'
import { repliedText } from './batch-row.ts'
import { noFacts, type ReferringAnswer, type TaskReference } from './given-answer.ts'

const parts = [
  'task_id',
  'question',
  'group',
  'index',
  'output',
  'reasoning',
  'finish_reason',
  'model',
  'epoch',
  'score',
  'error',
  'input_tokens',
  'output_tokens',
  'latency_ms',
] as const
export type AnswerPart = (typeof parts)[number]

/** A column with scores, and under which name they are kept. */
export interface ScoreColumn {
  readonly column: string
  readonly lowest?: number | undefined
  readonly highest?: number | undefined
  readonly binary?: boolean | undefined
  /** Verdicts in words, and the value of each. */
  readonly words?: Readonly<Record<string, number>> | undefined
}

/** A recorded score that a profile shows. */
export interface ShownScore extends ScoreColumn {
  /** Of the metric. */
  readonly id: string
}

export interface ScoreRange {
  readonly scores?: readonly ScoreColumn[] | undefined
  readonly lowest_score?: number | undefined
  readonly highest_score?: number | undefined
  readonly binary_score?: boolean | undefined
}
export type WantedAnswerColumns = { readonly [Part in AnswerPart]?: string | undefined } & ScoreRange & {
    readonly index_base?: 0 | 1 | undefined
    readonly numeric_ids?: boolean | undefined
  }
export type AnswerColumns = { readonly [Part in AnswerPart]?: string } & ScoreRange

/** Names that other tools give to the columns, without regard to case; the first that a file has is taken. */
const usual: Readonly<Record<AnswerPart, readonly string[]>> = {
  task_id: ['task_id', 'id', 'sample_id', 'question_id', 'key', 'doc_id', 'uid'],
  question: ['question', 'input', 'prompt', 'query', 'problem'],
  group: ['group', 'task', 'subtask', 'subject', 'exam'],
  index: ['index', 'position', 'idx'],
  // An "answer" or "solution" beside one of the others is mostly the reference.
  output: [
    'output',
    'response',
    'completion',
    'prediction',
    'generation',
    'generated_text',
    'model_output',
    'model_response',
    'model_answer',
    'predicted',
    'pred',
    'outputs',
    'output_list',
    'answer',
    'solution',
    'text',
  ],
  reasoning: ['reasoning', 'reasoning_content', 'thinking'],
  finish_reason: ['finish_reason', 'stop_reason'],
  model: ['model', 'model_name', 'generator'],
  epoch: ['epoch', 'repeat', 'attempt', 'run'],
  // A column of this name need not be a score of the output, so that it is taken only where the user says so.
  score: [],
  error: ['error', 'error_message', 'error_code'],
  input_tokens: ['input_tokens', 'prompt_tokens'],
  output_tokens: ['output_tokens', 'completion_tokens'],
  latency_ms: ['latency_ms', 'latencyms'],
}

/** The column that a question is expected in; null where there is none. */
export function usualQuestion(names: readonly string[]): string | null {
  return usual.question.map(candidate => names.find(one => one.toLowerCase() === candidate)).find(one => one !== undefined) ?? null
}

/** Determines the columns of a table of outputs. @throws RowError naming the column that is ambiguous or missing */
export function settleAnswerColumns(
  names: readonly string[],
  wanted: WantedAnswerColumns,
  shown: readonly ShownScore[] = [],
): AnswerColumns {
  const columns: { [Part in AnswerPart]?: string } = {}
  for (const part of parts) {
    const name = wanted[part]
    const called = name === undefined ? undefined : columnCalled(name, names)
    if (name !== undefined && called === undefined)
      throw new RowError(`There is no column "${name}" for ${part}; the file has ${names.slice(0, 20).join(', ')}.`)
    const found =
      called ??
      usual[part]
        .map(candidate => names.find(one => one.toLowerCase() === candidate))
        .find(one => one !== undefined && !Object.values(columns).includes(one))
    if (found !== undefined) columns[part] = found
  }
  if (columns.output === undefined)
    throw new RowError(
      `No column has a usual name for the output (${usual.output.slice(0, 5).join(', ')}); the file has ${names.slice(0, 20).join(', ')}. Name it as "output" in "mapping".`,
    )
  const { lowest_score: lowest = 0, highest_score: highest = 1, binary_score: binary = false } = wanted
  const range = columns.score === undefined ? {} : { lowest_score: lowest, highest_score: highest, binary_score: binary }
  const scores = scoreColumns(names, wanted.scores ?? [], shown)
  return { ...withOneReference(columns, wanted), output: columns.output, ...range, ...(scores.length > 0 && { scores }) }
}

/** Those that the user names, and those that the profile's recorded scores are named after. */
function scoreColumns(names: readonly string[], wanted: readonly ScoreColumn[], shown: readonly ShownScore[]): ScoreColumn[] {
  const missing = wanted.find(({ column }) => !names.includes(column))
  if (missing) throw new RowError(`There is no column "${missing.column}" for scores; the file has ${names.slice(0, 20).join(', ')}.`)
  const others = shown.filter(({ column }) => names.includes(column) && !wanted.some(one => one.column === column))
  return [...wanted, ...others.map(({ id: _, ...column }) => column)]
}

/** A task is named in one way: what the user says, else the id, else the place, else the question. */
function withOneReference(columns: AnswerColumns, wanted: WantedAnswerColumns): AnswerColumns {
  const { task_id: id, index, group, question, ...rest } = columns
  const chosen = (['task_id', 'index', 'question'] as const).find(part => wanted[part] !== undefined)
  if (id !== undefined && (chosen === 'task_id' || chosen === undefined)) return { ...rest, task_id: id }
  if (index !== undefined && (chosen === 'index' || chosen === undefined))
    return { ...rest, index, ...(group === undefined ? {} : { group }) }
  if (question !== undefined) return { ...rest, question }
  throw new RowError('No column says which task a row answers. Name a "task_id", an "index" or a "question" in "mapping".')
}

/** How a table's lists are read where no row says so. */
export type ListsAre = 'epochs' | 'one output'

/** The outputs in a row: one, or one for each epoch where its output is a list of them. @throws RowError */
export function readAnswers(row: Row, columns: AnswerColumns, listsAre: ListsAre = 'epochs'): ReferringAnswer[] {
  const given = presentField(row, columns.output ?? '')
  const list = listIn(row, columns)
  const isOne = list === 'reply' || list === 'calls' || (list !== 'epochs' && list !== null && listsAre === 'one output')
  const value = isOne ? outputText(given, columns.output ?? '') : writtenCell(row.value, columns.output ?? '')
  const text = (part: AnswerPart): string | null => {
    const cell = columns[part] === undefined ? null : (row.value[columns[part]] ?? null)
    return cell === null || cell === '' ? null : scalarText(cell, columns[part] ?? part)
  }
  const shared = {
    ...noFacts,
    line: row.line,
    task: referenceOf(row, columns),
    model: text('model'),
    reasoning: text('reasoning'),
    finishReason: text('finish_reason'),
    error: text('error'),
    inputTokens: wholeNumber(text('input_tokens'), 'input_tokens'),
    outputTokens: wholeNumber(text('output_tokens'), 'output_tokens'),
    latencyMs: amount(text('latency_ms'), 'latency_ms'),
  }
  // A table of text has no null: an empty output beside an error is a missing output.
  const isMissing = value === null || (value === '' && shared.error !== null)
  if (!Array.isArray(value)) {
    const epoch = wholeNumber(text('epoch'), 'epoch')
    if (epoch !== null && (epoch < 1 || epoch > mostEpochs)) throw new RowError(`The epoch ${epoch} is not between 1 and ${mostEpochs}.`)
    return [
      {
        ...shared,
        epoch,
        output: isMissing ? null : outputText(value, columns.output ?? ''),
        ...allScores(list === 'calls' ? withoutLists(row) : row, columns, null),
      },
    ]
  }
  if (value.length > mostEpochs) throw new RowError(`The row has ${value.length} outputs; at most ${mostEpochs} are taken.`)
  return value.map((item: unknown, i) => ({
    ...shared,
    epoch: i + 1,
    output: item === null ? null : outputText(item, columns.output ?? ''),
    ...allScores(row, columns, { epoch: i + 1, of: value.length }),
  }))
}

/** Calls of tools, as protocols and programs write them; what else has a name may be an answer. */
const Calls = z.array(
  z.union([
    z.looseObject({ type: z.enum(['function', 'function_call', 'tool_call', 'tool_use']) }),
    z.looseObject({ function: z.union([z.string(), z.looseObject({ name: z.string() })]) }),
    z
      .strictObject({
        name: z.string(),
        id: z.string(),
        arguments: z.unknown(),
        args: z.unknown(),
        input: z.unknown(),
        parameters: z.unknown(),
      })
      .partial({ id: true, arguments: true, args: true, input: true, parameters: true }),
  ]),
)

const withoutLists = (row: Row): Row => ({
  ...row,
  value: Object.fromEntries(Object.entries(row.value).filter(([, cell]) => !Array.isArray(cell))),
})

/** What a row shows of the list that is its output: a reply in parts or messages, calls of tools with a score for each, an output for each of its scores, or only what its items are; null for any other output. */
export function listIn(
  { value }: Row,
  { output = '', score, scores = [] }: AnswerColumns,
): 'reply' | 'calls' | 'epochs' | 'scalars' | 'objects' | null {
  const list: unknown = value[output]
  if (!Array.isArray(list)) return null
  const isScored = [score, ...scores.map(({ column }) => column)].some(name => {
    const cell = name === undefined ? null : value[name]
    return Array.isArray(cell) && cell.length > 0 && cell.length === list.length
  })
  if (isScored) return Calls.safeParse(list).success ? 'calls' : 'epochs'
  if (repliedText(list) !== null) return 'reply'
  return list.every(item => typeof item === 'object' && item !== null) ? 'objects' : 'scalars'
}

/** Name under which a table's score is kept. */
export const scoreName = 'score'

interface EpochPlace {
  readonly epoch: number
  readonly of: number
}

/** The scores of an output, and the words of those that are words. */
function allScores(row: Row, { score, scores = [], ...range }: AnswerColumns, place: EpochPlace | null) {
  const main =
    score === undefined ? [] : [{ column: score, lowest: range.lowest_score, highest: range.highest_score, binary: range.binary_score }]
  const stated = [
    ...main.flatMap(column => scoreIn(row, column, place).map(one => ({ name: scoreName, ...one }))),
    ...scores.flatMap(column => scoreIn(row, column, place).map(one => ({ name: column.column, ...one }))),
  ]
  return {
    scores: Object.fromEntries(stated.map(({ name, value }) => [name, value])),
    labels: Object.fromEntries(stated.flatMap(({ name, label }) => (label === null ? [] : [[name, label]]))),
  }
}

/** The score that a row states, of one of its outputs where it has several; none where it is missing. @throws RowError when it is not within its range */
function scoreIn(
  row: Row,
  { column: name, lowest = 0, highest = 1, binary: isBinary = false, words = {} }: ScoreColumn,
  place: EpochPlace | null,
): { readonly value: number; readonly label: string | null }[] {
  const cell: unknown = row.value[name] ?? null
  if (place && (!Array.isArray(cell) || cell.length !== place.of))
    throw new RowError(`The field "${name}" must be a list of ${place.of} scores, one for each output.`)
  const given: unknown = place && Array.isArray(cell) ? cell[place.epoch - 1] : cell
  if (given === null || given === '' || Number.isNaN(given) || (typeof given === 'string' && /^nan$/i.test(given.trim()))) return []
  const text = typeof given === 'boolean' ? '' : scalarText(given, name).trim()
  const label = Object.hasOwn(words, text) ? text : null
  const value =
    label !== null
      ? (words[label] ?? Number.NaN)
      : typeof given === 'boolean'
        ? Number(given)
        : /^(?:true|false)$/i.test(text)
          ? Number(text.toLowerCase() === 'true')
          : Number(text)
  if (!Number.isFinite(value))
    throw new RowError(
      `The field "${name}" must be a number, not "${text.slice(0, 40)}". State the values of words with "words" in "scores".`,
    )
  if (value < lowest || value > highest)
    throw new RowError(
      `The score ${value} is not between ${lowest} and ${highest}. State its range with "lowest_score" and "highest_score", or "lowest" and "highest" in "scores".`,
    )
  if (isBinary && value !== lowest && value !== highest)
    throw new RowError(`The score ${value} is neither ${lowest} nor ${highest}, but the scores were said to be right or wrong.`)
  return [{ value, label }]
}

/** As many as a run can have. */
export const mostEpochs = 100

function outputText(value: unknown, name: string): string {
  if (typeof value !== 'object') return scalarText(value, name)
  return repliedText(Array.isArray(value) ? value : [value]) ?? JSON.stringify(value)
}

function referenceOf(row: Row, columns: AnswerColumns): TaskReference {
  if (columns.task_id !== undefined) return { by: 'id', id: scalarText(presentField(row, columns.task_id), columns.task_id).trim() }
  if (columns.index !== undefined) {
    const index = wholeNumber(scalarText(presentField(row, columns.index), columns.index), columns.index)
    if (index === null) throw new RowError(`The field "${columns.index}" is empty.`)
    const group = columns.group === undefined ? null : scalarText(presentField(row, columns.group), columns.group).trim()
    return { by: 'index', index, group }
  }
  const name = columns.question ?? ''
  return { by: 'question', question: scalarText(presentField(row, name), name) }
}

function wholeNumber(text: string | null, name: string): number | null {
  if (text === null) return null
  if (!/^\d{1,12}(?:\.0)?$/.test(text.trim())) throw new RowError(`The field "${name}" must be a whole number, not "${text.slice(0, 40)}".`)
  return Number(text)
}

function amount(text: string | null, name: string): number | null {
  if (text === null) return null
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new RowError(`The field "${name}" must be a number, not "${text.slice(0, 40)}".`)
  return value
}
