import { nameFew } from '../../../lib/format/name-few.ts'
import { type AnswerKey, KeySurvey, undecidedKey } from './answer-key.ts'
import type { Shot, Task } from '../../tasks/task.ts'
import { letteredChoices } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { choicesOf, type Columns, keyOf, placeOf, readMappedTask, settleColumns, splitValue, type WantedColumns } from './column-mapping.ts'
import type { FileContent, ImportSource, RowFormat } from './import-source.ts'
import { flatRow } from './flat-row.ts'
import { looksLike } from './looks-like.ts'
import { type ProfileSettings, shownColumns, templateFault, unknownPlaceholders } from './own-profile.ts'
import type { ImportLimits } from './limits.ts'
import { filesInCell, looksLikeFiles } from '../media/media-cell.ts'
import type { HoldsFiles } from '../media/media-columns.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import { conversationIn } from '../messages/read-conversation.ts'
import { sourceRows } from './read-items.ts'
import { NullAnswers } from './row-fields.ts'
import { type Row, RowError } from './row.ts'

/** What only all rows of a table together tell, found before any of them becomes a task. */
export interface Survey {
  /** Null where they could not be settled. */
  readonly columns: Columns | null
  /** Null where the tasks have no choices. */
  readonly answerKey: AnswerKey | null
  /** Values of the split column and how many rows have each. */
  readonly splits: readonly { readonly value: string; readonly rows: number }[]
  readonly warnings: readonly string[]
  /** Why nothing can be imported yet; null otherwise. */
  readonly fault: string | null
}

export interface MappedTable {
  readonly content: FileContent
  /** A row as a task, whatever part of the data it belongs to. */
  readTask(row: Row): Task
  /** As the first row settled them; null before. */
  columns(): Columns | null
  /** The part of the rows that is not imported, once they were read. */
  noted(): readonly string[]
  survey(source: ImportSource, limits: ImportLimits): Promise<Survey>
}

const listedSplits = 50
/** Rows by which a well-known data set is recognized. */
const likeRows = 5

/** Tasks from a file of the user's own, by its columns. The first row settles the columns, all rows the form of the answer keys. */
export function mappedTable(
  format: RowFormat,
  wanted: WantedColumns,
  settings: ProfileSettings = {},
  { intake = null, leaveOut = false }: { readonly intake?: MediaIntake | null; readonly leaveOut?: boolean } = {},
): MappedTable {
  let columns: Columns | null = null
  let shown: readonly string[] = []
  let names: readonly string[] = []
  let placed: string | null = null
  let dropped: readonly string[] = []
  let answerKey: AnswerKey | null = null
  const nulls = new NullAnswers()
  let conversations = 0
  const settle = (value: Row['value']): Columns => {
    names = Object.keys(value)
    columns = settleColumns(names, wanted, intake ? column => holdsFiles(column, value[column]) : undefined, value)
    const files = new Set(columns.media.map(({ column }) => column))
    shown = shownColumns(names, columns, settings).filter(name => !files.has(name))
    placed = placedField(columns, settings)
    const used = new Set<string | null>([columns.input, columns.target, ...(columns.choices ?? [])])
    dropped = names.filter(name => !files.has(name) && !used.has(name) && hasFiles(name, value[name]))
    return columns
  }
  const columnsOf = (row: Pick<Row, 'value' | 'line'>): Columns => columns ?? settle(row.value)
  /** Without a split the first rows are the examples. */
  const isShot = (row: Row): boolean =>
    wanted.split?.examples === undefined ? row.position <= (settings.shots ?? 0) : placeOf(row, columnsOf(row)) === 'shot'
  const readTask = (row: Row): Task => readMappedTask(row, columnsOf(row), answerKey?.form ?? null, shown, intake, placed)
  return {
    readTask,
    content: {
      format,
      holds: 'both',
      leaveOut,
      expand: (row: Row) => {
        const value = flatRow(row.value)
        return wanted.split && placeOf({ value }, columnsOf({ ...row, value })) === null ? [] : [value]
      },
      read: row => {
        const task = readTask(row)
        const { input, target } = columnsOf(row)
        nulls.look(row, target)
        if (conversationIn(row.value[input]) !== row.value[input]) conversations++
        return isShot(row) ? { shot: toShot(task) } : { task }
      },
    },
    columns: () => columns,
    noted: () => [
      ...nulls.noted(),
      ...(conversations === 0
        ? []
        : [
            `${conversations === 1 ? 'One question is a list of messages as JSON and is' : `${conversations} questions are lists of messages as JSON and are`} asked as ${conversations === 1 ? 'a conversation' : 'conversations'}.`,
          ]),
    ],
    survey: async (source, limits) => {
      const keys = new KeySurvey()
      const unread = new UnreadChoices()
      const first: Row['value'][] = []
      const splits = new Map<string, number>()
      let rows = 0
      let open = 0
      const whole: ImportSource = {
        ...source,
        content: { format, holds: 'tasks', expand: ({ value }) => [flatRow(value)], read: () => refuse() },
      }
      for await (const read of sourceRows(whole, limits)) {
        if (read.kind !== 'row') continue
        const { row } = read
        if (first.length < likeRows) first.push(row.value)
        try {
          const settled = columnsOf(row)
          if (settled.split) {
            const value = splitValue(row, settled.split)
            if (splits.has(value) || splits.size < listedSplits) splits.set(value, (splits.get(value) ?? 0) + 1)
            if (placeOf(row, settled) === null) continue
          }
          rows++
          if (wanted.choices === undefined && lacksChoices(row, settled)) open++
          else if (settled.choices !== null) keys.add(row.line, keyOf(row, settled), choicesOf(row, settled))
          else if (!unread.add(row, settled) && settled.split === null && !remembers(row, settled)) break
          if (intake && remembers(row, settled)) intake.remember(String(row.value['index']), row.value[settled.media[0]?.column ?? ''])
        } catch (error) {
          // The row is refused with its line when it is read as a task.
          if (!(error instanceof RowError)) throw error
        }
      }
      answerKey = keys.decide(wanted.answer_key)
      const [unshown = null] = columns?.choices ?? []
      if (columns && open > 0 && (answerKey === null || answerKey.form === 'text')) {
        columns = { ...columns, choices: null }
        answerKey = null
      }
      const unknown = unknownPlaceholders([...names, ...(columns?.media ?? []).map(({ field }) => field)], settings)
      const fault =
        (answerKey && undecidedKey(answerKey)) ??
        (columns && (templateFault(columns, settings) ?? placementFault(columns, settings) ?? splitFault(columns, splits)))
      return {
        columns,
        answerKey,
        splits: [...splits].map(([value, rows]) => ({ value, rows })),
        warnings: [
          ...dataAsHeading(names, columns, format.kind === 'csv' ? [wanted.input, wanted.target] : []),
          ...looksLike(first, columns && columns.choices === null && settings.metrics === undefined ? columns.target : null),
          ...(columns ? unread.warnings(names, columns) : []),
          ...keys.warnings(answerKey),
          ...(open > 0 && columns?.choices === null && unshown !== null ? [openRows(unshown, open, rows)] : []),
          ...(dropped.length === 0
            ? []
            : [
                `${dropped.map(name => `"${name}"`).join(', ')} ${dropped.length === 1 ? 'holds files and is' : 'hold files and are'} not imported. Name the column under "media" in "mapping" to show it.`,
              ]),
          ...(columns ? [...unreferenced(columns, settings), ...drawnOrder(columns), ...unsentTexts(names, columns, shown)] : []),
          ...(columns ? unusedColumns(names, columns, [...shown, ...dropped]) : []),
          ...(unknown.length === 0 ? [] : [`No column is called ${unknown.map(name => `{${name}}`).join(', ')}; it is sent unchanged.`]),
        ],
        fault,
      }
    },
  }
}

/** Whether a column is called as a cell of a table that has no names for its columns: a number, or a question. */
const isCell = (name: string): boolean => /^-?\d+(?:\.\d+)?$|\?$/.test(name.trim())

/** Whether a column that no rule knows is called by a phrase, as a question or an answer may be. */
const isPhrase = (name: string): boolean => /\S\s+\S+\s+\S/.test(name)

/**
 * Said also once the columns are chosen: the first task would be missing.
 * @param chosen of a table whose first line may be a row, by a person
 */
function dataAsHeading(names: readonly string[], columns: Columns | null, chosen: readonly (string | null | undefined)[]): string[] {
  const heading =
    (columns === null ? names : [columns.input, columns.target ?? '']).find(isCell) ??
    chosen.find(name => typeof name === 'string' && isPhrase(name))
  return typeof heading !== 'string'
    ? []
    : [
        `The column "${heading.slice(0, 60)}" seems to be named by a value. If the first line is a row of the table, put a line with the names of its columns above it.`,
      ]
}

/** Names that columns of files have where the first row has none. */
const usualFiles = /^(?:images?|image_\d+|image_urls?|decoded_image|picture|photo|audio|document|pdf)$/i

function holdsFiles(column: string, value: unknown): ReturnType<HoldsFiles> {
  if (value === null || value === undefined || value === '') return usualFiles.test(column) ? 'empty' : null
  const files = filesInCell(value) ?? []
  // An address need not end as a file's name does.
  const isAddress = usualFiles.test(column) && files.length > 0 && files.every(({ kind }) => kind === 'address')
  if (!isAddress && !looksLikeFiles(value)) return null
  return files.some(({ kind }) => kind === 'bytes') ? 'inside' : 'named'
}

function hasFiles(column: string, value: unknown): boolean {
  const holds = holdsFiles(column, value)
  return holds === 'inside' || holds === 'named'
}

const listedColumns = 20

/** Columns of which a task keeps nothing. @param named those that are shown, or named already */
function unusedColumns(
  names: readonly string[],
  { input, target, choices, id, groups, dependsOn, turns, turnTargets, cluster, date, split, media }: Columns,
  named: readonly string[],
): string[] {
  const used = new Set<string | null | undefined>([
    input,
    target,
    id,
    dependsOn,
    turns,
    turnTargets,
    cluster,
    date,
    split?.column,
    ...(choices ?? []),
    ...groups,
    ...media.map(({ column }) => column),
    ...named,
  ])
  const unused = names.filter(name => !used.has(name)).map(name => `"${name.slice(0, 60)}"`)
  if (unused.length === 0) return []
  return [`Columns that are not imported: ${nameFew(unused, listedColumns)}.`]
}

/** VLMEvalKit's rows refer to each other's pictures by their index. */
function remembers({ value }: Row, { media }: Columns): boolean {
  const { index } = value
  return media.length === 1 && (typeof index === 'string' || typeof index === 'number')
}

/** The one field of media that the template names; null where it names none. */
function placedField({ media }: Columns, { prompt_template: template = '' }: ProfileSettings): string | null {
  const named = media.filter(({ field }) => template.includes(`{${field}}`))
  return named.length === 1 && media.length === 1 ? (named[0]?.field ?? null) : null
}

function placementFault(columns: Columns, settings: ProfileSettings): string | null {
  const named = columns.media.filter(({ field }) => (settings.prompt_template ?? '').includes(`{${field}}`))
  if (named.length === 0 || placedField(columns, settings) !== null) return null
  return `The prompt template places {${named[0]?.field ?? ''}}, and a task has ${columns.media.length} columns of media. Write marks such as <image 1> in the question instead.`
}

function unreferenced({ target, choices, isUnreferenced = false }: Columns, { metrics }: ProfileSettings): string[] {
  if (!isUnreferenced || target !== null || choices !== null || metrics !== undefined) return []
  return [
    'Tasks without a reference answer get their scores from files (a "score" column of imported outputs) or from the evaluators of a run.',
  ]
}

function drawnOrder({ choices, target }: Columns): string[] {
  if (choices === null || target === null || choices.length < 2 || !choices.includes(target)) return []
  return [`"${target}" holds the right choice and the other columns the wrong ones; they are shown in an order drawn from each question.`]
}

/** Columns that a question is mostly about. */
const contexts = [
  'passage',
  'context',
  'article',
  'premise',
  'paragraph',
  'story',
  'support',
  'table',
  'document',
  'body',
  'instruction',
  'narrative',
  'background',
  'code',
]

function unsentTexts(names: readonly string[], { input, target }: Columns, shown: readonly string[]): string[] {
  const unsent = names.filter(name => contexts.includes(name.toLowerCase()) && name !== input && name !== target && !shown.includes(name))
  const [first] = unsent
  if (first === undefined) return []
  return [
    `The model is sent "${input}" without ${unsent.map(name => `"${name}"`).join(' and ')}. To show it, write {${first}} in the prompt template.`,
  ]
}

/** Whether a question has no choices in a file where others may. */
function lacksChoices({ value }: Row, { choices, target }: Columns): boolean {
  const [column = '', other] = choices ?? []
  const list = value[column]
  return choices !== null && target !== null && other === undefined && (list == null || (Array.isArray(list) && list.length === 0))
}

function openRows(column: string, open: number, rows: number): string {
  return `${open === rows ? 'No row has' : `${open} of ${rows} rows have no`} choices in "${column}", so all are imported as open questions and the model does not see choices.`
}

function refuse(): never {
  throw new Error('Rows of a survey are not read as tasks.')
}

function splitFault({ split }: Columns, found: ReadonlyMap<string, number>): string | null {
  if (!split) return null
  const absent = [...(split.tasks ?? []), ...(split.examples ?? [])].filter(value => !found.has(value))
  if (absent.length === 0) return null
  const there = [...found.keys()].slice(0, 10).map(value => `"${value.slice(0, 40)}"`)
  return `No row has "${absent[0] ?? ''}" in the column "${split.column}"; there are ${there.join(', ')}.`
}

/** A task as a worked example. @throws RowError where the row shows more than text, which a worked example cannot */
function toShot({ fields, targets, choices, conversations, turns }: Task): Shot {
  if (conversations || turns?.length)
    throw new RowError(
      'This row is a worked example, and has files or several messages. Worked examples are text: set "shots" to 0, or choose other rows with "split".',
    )
  return { fields: { ...fields, target: targets[0] ?? '', ...(choices && { choices: letteredChoices(choices) }) } }
}

const looked = 200

/** Detects choices in the text of the question or in a column that was not taken for them, so that tasks are read as open questions. */
class UnreadChoices {
  private rows = 0
  private inProse = 0
  private readonly inColumns = new Map<string, number>()

  /** False when enough was seen. */
  add(row: Row, { input, target, turns }: Columns): boolean {
    this.rows++
    const text = row.value[input]
    const key = target === null ? null : row.value[target]
    if (isKey(key)) {
      if (typeof text === 'string' && /(?:^|\s)\(?A[).:]\s*\S[^]*\s\(?B[).:]\s*\S/.test(text.slice(0, 20_000))) this.inProse++
      for (const [name, value] of Object.entries(row.value))
        if (name !== turns && Array.isArray(value) && value.length > 1 && value.every(item => typeof item === 'string'))
          this.inColumns.set(name, (this.inColumns.get(name) ?? 0) + 1)
    }
    return this.rows < looked
  }

  warnings(names: readonly string[], { target, choices }: Columns): string[] {
    if (choices !== null) return []
    const [column] = [...this.inColumns].find(([, rows]) => rows * 2 >= this.rows) ?? []
    const wrong = names.find(name => /^(?:distractors|(?:incorrect|wrong)[ _](?:answers|choices|options))$/i.test(name))
    if (column !== undefined)
      return [
        `The column "${column}" looks like the choices of each question; the tasks are imported as open questions. For multiple choice, name it as "choices".`,
      ]
    if (wrong !== undefined && target !== null)
      return [
        `"${wrong}" looks like wrong choices; the tasks are imported as open questions. For multiple choice, name "${target}" and "${wrong}" as "choices", if they hold one choice or a list.`,
      ]
    if (this.inProse === 0 || this.inProse * 2 < this.rows) return []
    return [
      'The questions look like multiple choice, with the choices inside their text and a letter or number as answer. They are imported as open questions: ' +
        'answers are compared as text and guessing is not accounted for. For multiple choice, put the choices in a column of their own and name it "choices" in "mapping".',
    ]
  }
}

function isKey(key: unknown): boolean {
  return typeof key === 'number' ? Number.isInteger(key) && key >= 0 && key < 10 : /^\s*\(?[A-Ja-j0-9][).]?\s*$/.test(String(key))
}
