import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { type ChoiceList, flagsOf } from './choice-list.ts'

/** How the right choice of a multiple-choice file is written. In the order in which they are preferred where all of them agree. */
export const answerKeyForms = ['text', 'label', 'letter', 'zero_based', 'one_based', 'flags'] as const
export type AnswerKeyForm = (typeof answerKeyForms)[number]

/** One way to read a file's keys, on one of its rows. */
export interface KeyExample {
  readonly line: number
  readonly target: string
  /** Position of the choice from 0. */
  readonly choice: number
  readonly text: string
}

export interface KeyReading {
  readonly form: AnswerKeyForm
  readonly examples: readonly KeyExample[]
}

/** How the keys of a whole file are read. `form` is null while two readings fit and disagree. */
export interface AnswerKey {
  readonly form: AnswerKeyForm | null
  readonly chosenBy: 'file' | 'user'
  /** Every form that fits all rows; examples are of rows on which they differ where they do. */
  readonly readings: readonly KeyReading[]
}

const shownExamples = 3
/** Rows from which equal places are not chance. */
const fewestForPlaces = 10
const shownCharacters = 200

/** Position of the right choice when a key is read as `form`; null when it cannot be. */
export function readKey(form: AnswerKeyForm, target: unknown, choices: ChoiceList): number | null {
  const { texts, labels, flags, columns = null } = choices
  if (form === 'flags') return positionOf(flags ?? (Array.isArray(target) ? flagsOf(target, texts.length) : null))
  const [key] = Array.isArray(target) ? target : [target]
  if ((Array.isArray(target) && target.length !== 1) || !isScalar(key)) return null
  const text = String(key).trim()
  switch (form) {
    case 'text':
      return onlyMatch(texts, text)
    case 'label': {
      const names = labels ?? columns
      return names && onlyMatch(names, text)
    }
    case 'letter':
      return labels ? null : letterOf(text, texts)
    case 'zero_based':
      return isLabel(text, labels) ? null : wholeNumber(text, texts.length)
    case 'one_based': {
      const position = isLabel(text, labels) ? null : wholeNumber(text, texts.length + 1)
      return position === null || position === 0 ? null : position - 1
    }
  }
}

/** Collects, row by row, which forms fit; says at the end which one the file is written in. */
export class KeySurvey {
  private readonly fitting = new Map<AnswerKeyForm, number>(answerKeyForms.map(form => [form, 0]))
  private readonly first: KeyRow[] = []
  /** A row on which two forms disagree, by the two. */
  private readonly conflicts = new Map<string, KeyRow[]>()
  /** Places of the right choices, as each form reads them. */
  private readonly places = new Map<AnswerKeyForm, Set<number>>()
  /** The first key with words of no choice after its letter. */
  private worded: KeyRow | null = null
  private rows = 0

  add(line: number, target: unknown, choices: ChoiceList): void {
    this.rows++
    const row = { line, target, choices }
    if (typeof target === 'string' && hasOtherWords(target.trim(), choices.texts)) this.worded ??= row
    const read = answerKeyForms.flatMap(form => {
      const position = readKey(form, target, choices)
      return position === null ? [] : [{ form, position }]
    })
    for (const { form, position } of read) this.places.set(form, (this.places.get(form) ?? new Set()).add(position))
    for (const { form } of read) this.fitting.set(form, (this.fitting.get(form) ?? 0) + 1)
    if (this.first.length < shownExamples && read.length > 0) this.first.push(row)
    for (const [i, a] of read.entries()) {
      for (const b of read.slice(i + 1)) {
        if (a.position === b.position) continue
        const key = `${a.form} ${b.form}`
        const known = this.conflicts.get(key) ?? []
        if (known.length < shownExamples) this.conflicts.set(key, [...known, row])
      }
    }
  }

  /** What is sound and yet makes a poor benchmark. */
  warnings(decided: AnswerKey | null): string[] {
    const worded =
      decided?.form === 'letter' && this.worded !== null
        ? [
            `Only the letter of a key is compared, not the words after it: "${shown(this.worded.target).slice(0, 60)}" on line ${this.worded.line}.`,
          ]
        : []
    return [...worded, ...this.onePlace(decided)]
  }

  private onePlace(decided: AnswerKey | null): string[] {
    if (decided?.form == null || this.rows < fewestForPlaces) return []
    const places = this.places.get(decided.form)
    const [only, other] = [...(places ?? [])]
    if (only === undefined || other !== undefined) return []
    const letter = choiceLabel(only)
    return [
      `The right choice is ${letter} in all ${this.rows} rows, so a model that always answers ${letter} is right every time. Shuffle the choices before importing.`,
    ]
  }

  /** Null where no row has choices. @param chosen what the user says the keys are */
  decide(chosen: AnswerKeyForm | undefined): AnswerKey | null {
    if (this.rows === 0) return null
    if (chosen) return { form: chosen, chosenBy: 'user', readings: [readingOf(chosen, this.first)] }
    const most = Math.max(...this.fitting.values())
    if (most === 0) return { form: null, chosenBy: 'file', readings: [] }
    const candidates = answerKeyForms.filter(form => this.fitting.get(form) === most)
    const conflict = candidates
      .flatMap((a, i) => candidates.slice(i + 1).map(b => ({ a, b, rows: this.conflicts.get(`${a} ${b}`) })))
      .find(({ rows }) => rows !== undefined)
    const [best = 'text'] = candidates
    if (!conflict) return { form: best, chosenBy: 'file', readings: [readingOf(best, this.first)] }
    const rows = conflict.rows ?? []
    return { form: null, chosenBy: 'file', readings: candidates.map(form => readingOf(form, rows)) }
  }
}

interface KeyRow {
  readonly line: number
  readonly target: unknown
  readonly choices: ChoiceList
}

function readingOf(form: AnswerKeyForm, rows: readonly KeyRow[]): KeyReading {
  const examples = rows.flatMap(({ line, target, choices }) => {
    const choice = readKey(form, target, choices)
    return choice === null ? [] : [{ line, target: shown(target), choice, text: shown(choices.texts[choice]) }]
  })
  return { form, examples }
}

const formNames: Readonly<Record<AnswerKeyForm, string>> = {
  text: 'the text of the right choice',
  label: 'the label that the file gives to the right choice',
  letter: 'its letter (A is the first choice)',
  zero_based: 'its position counted from 0',
  one_based: 'its position counted from 1',
  flags: 'a 1 at the right choice and 0 at the others',
}

export function describeKeyForm(form: AnswerKeyForm): string {
  return formNames[form]
}

/** Why a file needs a choice before import; null where its answer keys are unambiguous. */
export function undecidedKey({ form, readings }: AnswerKey): string | null {
  if (form !== null || readings.length === 0) return null
  const [line] = readings.flatMap(({ examples }) => examples.map(example => example.line))
  const target = readings[0]?.examples[0]?.target ?? ''
  const each = readings.map(reading => {
    const [example] = reading.examples
    const meaning = example ? `${choiceLabel(example.choice)}, "${example.text.slice(0, 60)}"` : 'nothing'
    return `"${reading.form}" (${describeKeyForm(reading.form)}) means ${meaning}`
  })
  return (
    `The answer keys can be read in ${readings.length} ways that give different answers. Line ${line}, key "${target.slice(0, 60)}": ${each.join('; ')}. ` +
    'Choose one as "answer_key" in "mapping".'
  )
}

/** Position of the one text that is the key: exactly, else without regard to case. */
function onlyMatch(texts: readonly string[], key: string): number | null {
  for (const same of [(text: string) => text.trim() === key, (text: string) => text.trim().toLowerCase() === key.toLowerCase()]) {
    const found = texts.flatMap((text, i) => (same(text) ? [i] : []))
    if (found.length === 1) return found[0] ?? null
    if (found.length > 1) return null
  }
  return null
}

/** Labels of the file's own say what a number means before any counting does. */
function isLabel(key: string, labels: readonly string[] | null): boolean {
  return labels !== null && onlyMatch(labels, key) !== null
}

const letterAndWords = /^\(?([A-Za-z])(?:[).:](.*))?$/s

function hasOtherWords(key: string, texts: readonly string[]): boolean {
  const words = letterAndWords.exec(key)?.[2]?.trim() ?? ''
  return words !== '' && onlyMatch(texts, words) === null
}

/** A letter, alone or before the text of its choice ("B) Paris"), or before words that are of no other choice. */
function letterOf(key: string, texts: readonly string[]): number | null {
  const [, letter, words = ''] = letterAndWords.exec(key) ?? []
  if (letter === undefined) return null
  const position = letter.toUpperCase().charCodeAt(0) - 65
  const other = words.trim() === '' ? null : onlyMatch(texts, words.trim())
  return position < texts.length && (other === null || other === position) ? position : null
}

/** A number below `end`, as JSON, CSV or pandas ("2.0") write it. */
function wholeNumber(text: string, end: number): number | null {
  if (!/^\d{1,3}(?:\.0)?$/.test(text)) return null
  const position = Number(text)
  return position < end ? position : null
}

function positionOf(flags: readonly boolean[] | null): number | null {
  return flags ? flags.indexOf(true) : null
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function shown(value: unknown): string {
  const text = isScalar(value) ? String(value) : (JSON.stringify(value) ?? '')
  return text.slice(0, shownCharacters).toWellFormed()
}
