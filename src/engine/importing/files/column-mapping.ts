import { nameFew } from '../../../lib/format/name-few.ts'
import { writtenCell } from './written-numbers.ts'
import { createHash } from 'node:crypto'
import type { Message } from '../../../contract/messages/messages.schemas.ts'
import type { Task } from '../../tasks/task.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { type AnswerKeyForm, describeKeyForm, readKey } from './answer-key.ts'
import { type ChoiceList, choiceSeries, readChoices } from './choice-list.ts'
import { shownChoices } from './shown-choices.ts'
import { clusterKey, dateKey } from './own-profile.ts'
import type { MediaIntake } from '../media/media-intake.ts'
import { type HoldsFiles, type MediaColumn, mediaOf, usualMedia, withMedia } from '../media/media-columns.ts'
import { placeMedia } from '../media/place-media.ts'
import { checkConversation, conversationIn, isConversation, readConversation, taskInput } from '../messages/read-conversation.ts'
import { idsField, presentField, scalarText, textField, textsField } from './row-fields.ts'
import { readTargets } from './read-targets.ts'
import { type MissingColumn, type Row, RowError } from './row.ts'
import { turnTargetsKey } from '../../grading/scorers/native/each-turn.scorer.ts'
import { scriptedTurns, turnTargets } from './scripted-turns.ts'
import { columnCalled, usualColumn, usualNames } from './usual-columns.ts'

/** Which column of a file holds what. */
export interface Columns {
  readonly input: string
  /** Null: the choices say themselves which one is right. */
  readonly target: string | null
  /** Tasks without reference answers, as the user says. */
  readonly isUnreferenced?: boolean
  /** One column with a list, or several with a choice each. Null: open answers. */
  readonly choices: readonly string[] | null
  /** Null: tasks are numbered. */
  readonly id: string | null
  /** Results are broken down by them. */
  readonly groups: readonly string[]
  readonly dependsOn: string | null
  /** What the user says after each answer: a text or a list. */
  readonly turns?: string | undefined
  /** The turns begin with the row's question, as those of MT-Bench's rows do where they repeat it. */
  readonly repeatsQuestion?: boolean
  /** Reference answers of each turn, where all are graded. */
  readonly turnTargets?: string | undefined
  /** Equal values mark dependent tasks. */
  readonly cluster: string | null
  readonly date: string | null
  readonly split: Split | null
  /** Columns with files, by the field that a mark or the template names. */
  readonly media: readonly MediaColumn[]
}

/** Which rows are tasks, and which are worked examples. */
interface Split {
  readonly column: string
  /** All but the examples when absent. */
  readonly tasks?: readonly string[] | undefined
  readonly examples?: readonly string[] | undefined
}

/** What the user says of a file's columns; `null` says that there is none, absence leaves it to the usual names. */
export interface WantedColumns {
  readonly input?: string | undefined
  readonly target?: string | null | undefined
  readonly choices?: string | readonly string[] | null | undefined
  readonly id?: string | null | undefined
  readonly answer_key?: AnswerKeyForm | undefined
  readonly groups?: readonly string[] | undefined
  readonly depends_on?: string | null | undefined
  readonly turns?: string | null | undefined
  readonly turn_targets?: string | null | undefined
  readonly cluster?: string | null | undefined
  readonly date?: string | null | undefined
  readonly split?: Split | null | undefined
  readonly media?: Readonly<Record<string, string>> | null | undefined
}

/**
 * Settles the columns: what the user says, and the usual names for the rest.
 * @param looksLike whether a column of the first row has files in it or names them
 * @param first the first row
 * @throws RowError when a named column is not there, or input or target cannot be determined
 */
export function settleColumns(
  names: readonly string[],
  wanted: WantedColumns,
  looksLike: HoldsFiles = () => null,
  first: Row['value'] = {},
): Columns {
  const given = (part: string, name: string): string => {
    const found = columnCalled(name, names)
    if (found === undefined) throw new RowError(`There is no column "${name}" for ${part}; the file has ${listed(names)}.`)
    return found
  }
  const find = (part: 'input' | 'target' | 'id'): string | null => {
    const name = wanted[part]
    return name === undefined ? usualColumn(part, names) : name && given(part, name)
  }
  const missing = (part: MissingColumn): RowError =>
    new RowError(
      `No column has a usual name for the ${part} (${usualNames[part].slice(0, 5).join(', ')}); the file has ${listed(names)}. Name it as "${part}" in "mapping"${part === 'target' ? ', or set it to null for tasks without reference answers' : ''}.`,
      part,
    )
  const input = find('input')
  if (input === null) throw missing('input')
  const repeating = wanted.input === undefined && wanted.turns === undefined ? turnsFrom(input, first) : undefined
  const found = wanted.turn_targets ? (wanted.target ? given('target', wanted.target) : null) : find('target')
  // The answer at the end of a conversation goes before a column whose name says less.
  const isDoubtful =
    conversationNames.has(input.toLowerCase()) && wanted.target === undefined && vagueTargets.has(found?.toLowerCase() ?? '')
  const target = isDoubtful ? null : found
  const others = names.filter(name => name !== input && name !== target)
  const choices =
    wanted.choices === undefined
      ? (usualChoices(others, target, wanted.target === null) ?? besideDistractors(target, others))
      : wantedChoices(wanted.choices, given)
  if (wanted.turn_targets && (target !== null || choices !== null))
    throw new RowError(
      `"turn_targets" has the reference answers of all turns. Leave "target" and "choices" out of "mapping", or set them to null.`,
    )
  if (target === null && choices === null && wanted.target !== null && !wanted.turn_targets && !conversationNames.has(input.toLowerCase()))
    throw missing('target')
  const id = find('id')
  return {
    input,
    target,
    ...(wanted.target === null && { isUnreferenced: true }),
    choices,
    id,
    groups: (wanted.groups ?? []).map(name => given('groups', name)),
    dependsOn: wanted.depends_on ? given('depends_on', wanted.depends_on) : null,
    ...(wanted.turns ? { turns: given('turns', wanted.turns) } : {}),
    ...(repeating !== undefined && { turns: repeating, repeatsQuestion: true }),
    ...(wanted.turn_targets ? { turnTargets: given('turn_targets', wanted.turn_targets) } : {}),
    cluster: wanted.cluster ? given('cluster', wanted.cluster) : null,
    date: wanted.date ? given('date', wanted.date) : null,
    split: wanted.split ? { ...wanted.split, column: given('split', wanted.split.column) } : null,
    media:
      wanted.media === undefined
        ? usualMedia(
            names.filter(name => ![input, target, id, ...(choices ?? [])].includes(name)),
            looksLike,
          )
        : Object.entries(wanted.media ?? {}).map(([field, name]) => ({ field, column: given('media', name) })),
  }
}

/** The column of turns beside a text, with which they begin in the first row, or are null there. */
function turnsFrom(question: string, row: Row['value']): string | undefined {
  const text = row[question]
  const begins = (value: unknown) => value === null || (Array.isArray(value) && value.length > 1 && value[0] === text)
  return typeof text === 'string' ? Object.keys(row).find(name => name !== question && isTurns(name) && begins(row[name])) : undefined
}

const isTurns = (column: string): boolean => column.toLowerCase() === 'turns'

/** Names of a reference answer only where nothing else is one. */
const vagueTargets: ReadonlySet<string> = new Set(['summary', 'highlights'])

/** Their last answer is the reference where there is no other. */
const conversationNames: ReadonlySet<string> = new Set(['messages', 'conversations', 'conversation'])

/** A series of columns without a key beside it, such as `answer_0` to `answer_9`, has the reference answers. */
function usualChoices(others: readonly string[], target: string | null, isUnreferenced: boolean): readonly string[] | null {
  const column = usualColumn('choices', others)
  if (column !== null) return [column]
  if (target === null) return isUnreferenced ? choiceSeries(others) : null
  return choiceSeries([...others, target])?.includes(target) === true ? null : choiceSeries(others)
}

/** The right answer and the wrong ones, where a file keeps them in columns apart, as GPQA and SciQ do. */
function besideDistractors(target: string | null, names: readonly string[]): readonly string[] | null {
  if (target === null) return null
  const wrong = names.filter(name => /^(?:distractor|(?:incorrect|wrong)[ _](?:answer|choice|option))[ _]?\d$/i.test(name))
  return wrong.length === 0 ? null : [target, ...wrong.toSorted()]
}

function wantedChoices(
  wanted: NonNullable<WantedColumns['choices']> | null,
  given: (part: string, name: string) => string,
): readonly string[] | null {
  if (wanted === null) return null
  return (typeof wanted === 'string' ? [wanted] : wanted).map(name => given('choices', name))
}

/**
 * @param form how the file's answer keys are read; null where they are not decided
 * @param shown columns that prompts show beside the question
 * @param intake takes the files of the columns for media
 * @param placed the field of media that the template itself places; null where the question does
 */
export function readMappedTask(
  row: Row,
  columns: Columns,
  form: AnswerKeyForm | null,
  shown: readonly string[] = [],
  intake: MediaIntake | null = null,
  placed: string | null = null,
): Task {
  const isChoice = columns.choices !== null
  const question = readQuestion(row, columns, intake, placed)
  const turns = scriptedTurns(row, columns.turns, columns.repeatsQuestion ? columns.input : null, question.turns)
  const answer = columns.choices === null ? null : choiceAnswer(row, columns, form, intake)
  const byTurn = columns.turnTargets === undefined ? null : turnTargets(row, columns.turnTargets, (turns.turns?.length ?? 0) + 1)
  return {
    id: columns.id === null ? `row-${String(row.position).padStart(4, '0')}` : readId(row, columns.id),
    split: 'test',
    ...question.input,
    ...turns,
    fields: { ...question.input.fields, ...shownFields(row, shown) },
    ...(byTurn ? { targets: byTurn.at(-1) ?? [], choices: null } : (answer ?? openAnswer(row, columns, question.answer))),
    ...(answer?.conversations && { conversations: { ...question.input.conversations, ...answer.conversations } }),
    metadata: {
      ...(byTurn && { [turnTargetsKey]: byTurn }),
      ...(isChoice ? { answer_template: 'ANSWER: {answer}' } : {}),
      ...groupsOf(row, columns),
      ...markOf(row, columns),
    },
    capabilities: [],
    dependsOn: columns.dependsOn === null ? [] : idsField(row, columns.dependsOn),
  }
}

/** The choices of a row; where one column holds the right one, in an order that its place says nothing about. @throws RowError */
export function choicesOf(row: Row, { input, target, choices }: Columns): ChoiceList {
  const found = readChoices(row, choices ?? [])
  if (target === null || choices === null || choices.length < 2 || !choices.includes(target)) return found
  const right = scalarText(presentField(row, target), target)
  const question = String(row.value[input])
  const drawn = found.texts
    .map((text, i) => ({ text, i, key: createHash('sha256').update(`${question}\n${i}\n${text}`).digest('hex') }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const place = found.texts.indexOf(right)
  return {
    texts: drawn.map(({ text }) => text),
    labels: null,
    flags: drawn.map(({ i }) => i === place),
    ...(found.cells && { cells: drawn.map(({ i }) => found.cells?.[i]) }),
  }
}

/** The value that says which choice is right; undefined where the choices say so themselves. */
export function keyOf(row: Row, { target }: Columns): unknown {
  return target === null ? undefined : presentField(row, target)
}

interface Question {
  readonly input: Pick<Task, 'fields' | 'conversations'>
  /** At the end of its conversation. */
  readonly answer: string | null
  /** Scripted, behind the first. */
  readonly turns?: readonly string[]
}

/** A question as text, or a conversation with the answer at its end, if it has one. */
function readQuestion(row: Row, columns: Columns, intake: MediaIntake | null, placed: string | null): Question {
  const { input: column, target, choices } = columns
  const value = conversationIn(row.value[column])
  const media = mediaOf(row.value, columns.media, intake)
  if (!isConversation(value)) {
    const [first = '', ...turns] = isTurns(column) && Array.isArray(value) ? textsField(row, column) : []
    if (turns.length > 0 && first.trim() === '') throw new RowError(`The first turn in "${column}" is empty.`)
    const text = first !== '' ? first : media.size > 0 && isEmpty(value) ? '' : questionText(row, column)
    if (media.size === 0) return { input: { fields: { input: text } }, answer: null, turns }
    if (placed !== null) {
      const shown: readonly Message[] = [{ role: 'user', content: [...(media.get(placed) ?? [])] }]
      checkConversation(shown, placed)
      return {
        input: { fields: { input: text, [placed]: '' }, conversations: { [placed]: shown } },
        answer: null,
        turns,
      }
    }
    return { input: taskInput([{ role: 'user', content: placeMedia(text, media) }]), answer: null, turns }
  }
  const { messages: given, answer, left } = readConversation(value, column, intake ? found => intake.reference(found, column) : undefined)
  intake?.leave(left)
  const messages = media.size === 0 ? given : withMedia(given, media)
  if (answer !== null && (target !== null || choices !== null))
    throw new RowError(
      `The conversation in "${column}" ends with an answer, and ${target === null ? 'there are choices' : `"${target}" has one too`}. Remove one of them, or set "target" to null in "mapping" to use the conversation's.`,
    )
  return { input: taskInput(messages), answer }
}

/** Text, or a number as the file writes it. @throws RowError */
function questionText(row: Row, column: string): string {
  const value = writtenCell(row.value, column)
  return typeof value === 'number' ? scalarText(value, column) : textField({ ...row, value: { ...row.value, [column]: value } }, column)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** @param answered at the end of the question's conversation */
function openAnswer(row: Row, { target, isUnreferenced = false }: Columns, answered: string | null): Pick<Task, 'targets' | 'choices'> {
  if (answered !== null) return { targets: [answered], choices: null }
  if (target === null && isUnreferenced) return { targets: [], choices: null }
  if (target === null)
    throw new RowError(
      'The conversation doesn’t end with an answer. Name a column as "target" in "mapping", or set it to null for tasks without reference answers.',
    )
  return { targets: readTargets(row, target), choices: null }
}

type ChoiceAnswer = Pick<Task, 'targets' | 'choices' | 'conversations'>

function choiceAnswer(row: Row, columns: Columns, form: AnswerKeyForm | null, intake: MediaIntake | null): ChoiceAnswer {
  const choices = choicesOf(row, columns)
  const key = keyOf(row, columns)
  if (columns.target !== null && !Array.isArray(key)) readTargets(row, columns.target)
  const position = form === null ? null : readKey(form, key, choices)
  if (position === null && Array.isArray(key) && key.length > 1 && form !== 'flags')
    throw new RowError(`A task with choices has one right answer here, but ${key.length} are given.`)
  if (form === null) throw new RowError(`${described(key)} does not identify one of the ${choices.texts.length} choices.`)
  if (position === null)
    throw new RowError(`The key ${described(key)} is not ${describeKeyForm(form)}, as the other keys of this file are.`)
  const shown = choices.cells && intake ? shownChoices(choices, intake) : null
  return { targets: [choiceLabel(position)], choices: choices.texts, ...shown }
}

/** What a prompt shows beside the question; empty where the row has nothing there. */
function shownFields(row: Row, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map(name => {
      const value = writtenCell(row.value, name)
      return [name, value === undefined || value === null ? '' : scalarText(value, name)]
    }),
  )
}

function markOf(row: Row, { cluster, date }: Columns): Record<string, string> {
  const texts = groupsOf(row, { groups: [cluster, date].filter(name => name !== null) })
  const of = (name: string | null): string | undefined => (name === null ? undefined : texts[name])
  const given = of(date)
  const group = of(cluster)
  return { ...(group !== undefined && { [clusterKey]: group }), ...(given !== undefined && { [dateKey]: dayOf(given, date ?? '') }) }
}

/** @throws RowError for anything but a date */
function dayOf(text: string, name: string): string {
  const [, month, day = '01'] = /^(\d{4}-\d{2})(?:-(\d{2}))?(?:[T ].*)?$/.exec(text.trim()) ?? []
  if (month === undefined || Number.isNaN(Date.parse(`${month}-${day}`)))
    throw new RowError(`The date "${text.slice(0, 40)}" in "${name}" must begin like 2024-05-31 or be a month like 2024-05.`)
  return `${month}-${day}`
}

/** Where a row of a table belongs; null where it is left out. */
export function placeOf(row: Pick<Row, 'value'>, { split }: Pick<Columns, 'split'>): 'task' | 'shot' | null {
  if (split === null) return 'task'
  const value = splitValue(row, split)
  if (split.examples?.includes(value)) return 'shot'
  return split.tasks === undefined || split.tasks.includes(value) ? 'task' : null
}

/** The value of the split column as text. */
export function splitValue(row: Pick<Row, 'value'>, { column }: Pick<Split, 'column'>): string {
  const value = row.value[column]
  return value === undefined || value === null ? '' : scalarText(value, column)
}

function groupsOf(row: Row, { groups }: Pick<Columns, 'groups'>): Record<string, string> {
  return Object.fromEntries(
    groups.flatMap(name => {
      const value = row.value[name]
      return value === undefined || value === null || value === '' ? [] : [[name, scalarText(value, name).slice(0, 200)]]
    }),
  )
}

function readId(row: Row, column: string): string {
  const id = scalarText(presentField(row, column), column).trim()
  if (id === '' || id.length > 200 || /\p{Cc}/u.test(id))
    throw new RowError(`The id in "${column}" must be 1 to 200 characters without control characters.`)
  return id
}

function described(key: unknown): string {
  return key === undefined ? 'no column' : (JSON.stringify(key) ?? '').slice(0, 60)
}

function listed(names: readonly string[]): string {
  return nameFew(
    names.map(name => `"${name.slice(0, 60)}"`),
    20,
  )
}
