import { looksLikeFiles } from '../media/media-cell.ts'
import type { Row } from './row.ts'
import { referenceNames } from './usual-columns.ts'
import { cellsOf, rowOfCells } from './written-numbers.ts'

type Fields = Row['value']

/** Objects in which platforms keep the named fields of an example. */
const inputs = ['inputs', 'input']
/** In a row with a reference, even an empty one, what a model said. */
const outputs = ['outputs', 'output']

/**
 * A row out of what some publishers put around it: Hugging Face’s viewer, WMT’s `{translation: {de, en}}`, AI2’s `{question: {stem, choices}}`, and
 * `{inputs: {question}, outputs: {answer}}` as LangSmith, Phoenix, Langfuse and MLflow keep examples. A name that is there twice has its object before it, and
 * so has what a model said where the row has a reference beside it.
 */
export function flatRow(value: Fields): Fields {
  const { row, question, translation } = value
  if (isRecord(row) && Object.hasOwn(value, 'row_idx')) return flatRow(row)
  if (isRecord(question) && typeof question['stem'] === 'string') {
    const { stem, ...others } = question
    return { ...value, ...others, question: stem }
  }
  if (isRecord(translation) && Object.keys(value).length === 1) return translation
  return holdsFields(value['inputs']) || holdsFields(value['input']) ? withHeldFields(value) : value
}

function withHeldFields(value: Fields): Fields {
  const references = Object.keys(value).filter(name => referenceNames.has(name.toLowerCase()))
  const isReferenced = references.length > 0
  const isOutput = (name: string): boolean => isReferenced && outputs.includes(name)
  const held = [...inputs, ...references, ...outputs].flatMap(holder => {
    const fields = value[holder]
    return holdsFields(fields) ? [{ holder, fields }] : []
  })
  const cells = cellsOf(value, name => (isOutput(name) ? `${name}.text` : name)).filter(
    ({ key }) => !held.some(({ holder }) => holder === key),
  )
  for (const { holder, fields } of held) {
    const taken = new Set(cells.map(({ name }) => name))
    cells.push(...cellsOf(fields, name => (isOutput(holder) || taken.has(name) ? `${holder}.${name}` : name)))
  }
  return rowOfCells(cells)
}

/** Neither a message nor a file. */
function holdsFields(value: unknown): value is Fields {
  return isRecord(value) && !Object.hasOwn(value, 'role') && !looksLikeFiles(value)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
