import { nameFew } from '../../../lib/format/name-few.ts'
import { type Row, RowError } from './row.ts'
import { writtenCell } from './written-numbers.ts'

/** The text of a field. @throws RowError when it is missing, empty or anything but text */
export function textField(row: Row, name: string): string {
  const value = presentField(row, name)
  if (typeof value !== 'string') throw new RowError(`The field "${name}" must be text but is ${kindOf(value)}.`)
  if (value.trim() === '') throw new RowError(`The field "${name}" is empty.`)
  return value
}

/** Text, or a number or truth value as text. @throws RowError as `textField` does, and for numbers that JSON does not keep exactly */
export function scalarText(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RowError(`The number in "${name}" is too large to be kept exactly; write it as text.`)
    return String(value)
  }
  throw new RowError(`The field "${name}" must be text or a number but is ${kindOf(value)}.`)
}

/** A list of texts; a text that is itself a JSON list counts as one, since CSV has no lists. @throws RowError when it is anything else or empty */
export function textsField(row: Row, name: string): string[] {
  const value = presentField(row, name)
  const list = typeof value === 'string' ? parseList(value, name) : writtenCell(row.value, name)
  if (!Array.isArray(list)) throw new RowError(`The field "${name}" must be a list but is ${kindOf(value)}.`)
  if (list.length === 0) throw new RowError(`The list "${name}" is empty.`)
  return list.map((item: unknown) => scalarText(item, name))
}

/** The answers in a list; null stands for none. */
export function withoutNulls(list: readonly unknown[]): unknown[] {
  return list.filter(item => item !== null)
}

/** Counts lists of answers that hold null, for a warning. */
export class NullAnswers {
  #rows = 0

  look({ value }: Row, column: string | null): void {
    const list = column === null ? null : value[column]
    if (Array.isArray(list) && list.includes(null)) this.#rows++
  }

  noted(): string[] {
    return this.#rows === 0
      ? []
      : [
          `${this.#rows === 1 ? 'The reference answers of one row hold' : `The reference answers of ${this.#rows} rows hold`} null, which is no answer and was left out.`,
        ]
  }
}

export function presentField(row: Row, name: string): unknown {
  if (!Object.hasOwn(row.value, name)) throw new RowError(`The field "${name}" is missing.`)
  return row.value[name]
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' ? 'a number' : 'a truth value'
}

function parseList(text: string, name: string): unknown {
  if (!text.trimStart().startsWith('[')) throw new RowError(`The field "${name}" must be a list such as ["one", "two"] but is text.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new RowError(`The list in the field "${name}" is not valid JSON.`)
  }
}

/** Ids of other tasks: a list, or a text with commas between them; empty where there are none. */
export function idsField(row: Row, column: string): string[] {
  const value = row.value[column]
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value) && value.length === 0) return []
  if (typeof value === 'string' && !value.trimStart().startsWith('['))
    return value
      .split(',')
      .map(id => id.trim())
      .filter(id => id !== '')
  return textsField(row, column)
}

/** What is said of a row whose fields have other names than a tool gives them. */
export function otherNamesThan(name: string, value: Row['value']): RowError {
  const names = Object.keys(value).map(one => `"${one.slice(0, 40)}"`)
  return new RowError(
    `There is no "${name}" among ${nameFew(names, 10)}. Choose JSON Lines, JSON or CSV as format, and say which columns are the question and the answer.`,
  )
}
