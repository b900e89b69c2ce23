import { jsonText } from '../../grading/extraction/json.ts'
import { presentField, scalarText, textsField, withoutNulls } from './row-fields.ts'
import { type Row, RowError } from './row.ts'
import { writtenCell, writtenItems } from './written-numbers.ts'

/** The answers of SQuAD (`{text: […]}`) and TriviaQA (`{value, aliases: […]}`); any other value as it is. */
function answersIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { text, value: main, aliases } = value as Readonly<Record<string, unknown>> // an object that is not a list
  if (Array.isArray(text)) return [...new Set(writtenItems(text))]
  return typeof main === 'string' && Array.isArray(aliases) ? [...new Set([main, ...aliases])] : value
}

/** Objects in a list of references as their JSON, such as the calls of a function. */
function jsonTexts(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return withoutNulls(value).map((item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? jsonText(item) : item,
  )
}

/** Accepted answers of a row. @throws RowError for an empty one */
export function readTargets(row: Row, column: string): string[] {
  presentField(row, column)
  const value = jsonTexts(answersIn(writtenCell(row.value, column)))
  const targets = Array.isArray(value) ? textsField({ ...row, value: { [column]: value } }, column) : [scalarText(value, column)]
  if (targets.some(target => target.trim() === '')) throw new RowError(`The field "${column}" is empty.`)
  return targets
}
