import { looksLikeFiles } from '../media/media-cell.ts'
import type { Row } from './row.ts'
import { cellsOf, rowOfCells } from './written-numbers.ts'

type Fields = Row['value']

/** Objects in which platforms keep the named fields of an example, the question's first. */
const holders = [
  'inputs',
  'input',
  'outputs',
  'output',
  'expected_output',
  'expectedOutput',
  'reference_outputs',
  'expected',
  'expectations',
]

/**
 * A row out of what some publishers put around it: Hugging Face’s viewer, WMT’s `{translation: {de, en}}`, AI2’s `{question: {stem, choices}}`, and
 * `{inputs: {question}, outputs: {answer}}` as LangSmith, Phoenix, Langfuse and MLflow keep examples. A name that is there twice has its object before it.
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
  const held = holders.flatMap(holder => {
    const fields = value[holder]
    return holdsFields(fields) ? [{ holder, fields }] : []
  })
  const cells = cellsOf(value).filter(({ name }) => !held.some(({ holder }) => holder === name))
  for (const { holder, fields } of held) {
    const taken = new Set(cells.map(({ name }) => name))
    cells.push(...cellsOf(fields, name => (taken.has(name) ? `${holder}.${name}` : name)))
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
