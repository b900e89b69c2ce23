import { writtenCell } from '../files/written-numbers.ts'
import type { DatasetMapping, ImportedLabel } from '../../../contract/datasets/dataset-imports.schemas.ts'
import { ExampleExpected, ExampleInput, ExamplePair, type LabelValue } from '../../../contract/datasets/examples.schemas.ts'
import { JsonObject } from '../../../contract/primitives.ts'
import { checkExample, checkLabel, type DatasetRules } from '../../content/datasets/check-example.ts'
import type { ExampleContent } from '../../content/datasets/example-content.ts'
import { presentField, scalarText } from '../files/row-fields.ts'
import { type Row, RowError } from '../files/row.ts'

/** What a row of a file has become. */
export interface ImportedExample {
  readonly content: ExampleContent
  readonly labels: readonly ImportedLabel[]
  /** The item's own id, where the file has one. */
  readonly id: string | null
}

/** A row by its columns. @throws RowError naming what does not fit */
export function exampleOfRow(row: Row, mapping: DatasetMapping, rules: DatasetRules): ImportedExample {
  const { input, output, output_a: a, output_b: b, expected, id, metadata, labels = {} } = mapping
  const content: ExampleContent = {
    input: typeof input === 'string' ? inputOf(presentField(row, input), input) : namedFields(row, input),
    output: a !== undefined && b !== undefined ? { a: outputText(row, a), b: outputText(row, b) } : outputOf(row, output, rules),
    expected: expected === undefined ? null : expectedOf(writtenCell(row.value, expected), expected),
    metadata:
      metadata === undefined ? restOf(row, [...[input].flat(), output, a, b, expected, ...Object.values(labels)]) : objectOf(row, metadata),
  }
  return fitting(rules, {
    content,
    labels: Object.entries(labels).flatMap(([annotator, column]) => labelOf(row, annotator, column, mapping, rules)),
    id: id === undefined ? null : idOf(row, id),
  })
}

/** @throws RowError where the dataset cannot hold it */
export function fitting(rules: DatasetRules, example: ImportedExample): ImportedExample {
  const misfit = checkExample(rules, example.content)
  if (misfit) throw new RowError(`The ${misfit.field} ${misfit.message}.`)
  return example
}

/** Text, messages or fields. @throws RowError */
export function inputOf(value: unknown, column: string): ExampleContent['input'] {
  const parsed = ExampleInput.safeParse(typeof value === 'object' && value !== null ? value : scalarText(value, column))
  if (parsed.success) return parsed.data
  throw new RowError(
    Array.isArray(value)
      ? `The list "${column}" must hold messages with "role" and "content".`
      : `The field "${column}" is empty, and an example needs an input.`,
  )
}

/** @throws RowError for what is not an object; an empty cell is an empty one */
function objectOf(row: Row, column: string): ExampleContent['metadata'] {
  const parsed = JsonObject.safeParse(presentField(row, column) ?? {})
  if (parsed.success) return parsed.data
  throw new RowError(`The field "${column}" must be an object, which is the metadata of the example.`)
}

function namedFields(row: Row, columns: readonly string[]): ExampleContent['input'] {
  return Object.fromEntries(columns.map(column => [column, presentField(row, column)]))
}

/** Of a pairwise dataset the column holds both outputs, as an export writes them. @throws RowError for anything else there */
function outputOf(row: Row, column: string | undefined, { task }: DatasetRules): ExampleContent['output'] {
  if (column === undefined) return null
  if (task === 'pairwise') {
    const both = ExamplePair.safeParse(presentField(row, column))
    if (both.success) return both.data
    throw new RowError(`The field "${column}" must be an object with the texts "a" and "b", which are the two outputs.`)
  }
  if (row.value[column] === null || row.value[column] === undefined) return null
  return textOf(writtenCell(row.value, column))
}

function outputText(row: Row, column: string): string {
  presentField(row, column)
  const value = writtenCell(row.value, column)
  if (value === null) throw new RowError(`The field "${column}" is missing: both outputs are needed.`)
  return textOf(value)
}

/** A reference answer, or a list of which any counts. @throws RowError */
export function expectedOf(value: unknown, column: string): ExampleContent['expected'] {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return scalarText(value, column)
  const parsed = ExampleExpected.safeParse(Array.isArray(value) ? value.map(textOf) : value)
  return parsed.success ? parsed.data : null
}

/** Text as it is; numbers, truth values, lists and objects as their JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Columns that have no part of their own. */
export function restOf(row: Row, used: readonly (string | undefined)[]): ExampleContent['metadata'] {
  return JsonObject.parse(Object.fromEntries(Object.entries(row.value).filter(([name]) => !used.includes(name))))
}

export function idOf(row: Row, column: string): string | null {
  const value = row.value[column]
  return value === null || value === undefined ? null : scalarText(value, column).slice(0, 200)
}

function labelOf(
  row: Row,
  annotator: string,
  column: string,
  { label_values: values }: DatasetMapping,
  rules: DatasetRules,
): ImportedLabel[] {
  const given = presentField(row, column)
  if (given === null || given === '') return []
  const text = scalarText(given, column).trim()
  const value = values && Object.hasOwn(values, text) ? (values[text] ?? text) : ownValue(text, rules)
  const fault = checkLabel(rules, value)
  if (fault) {
    const hint = rules.menu === null ? '' : ' Set the value in the file for each label.'
    throw new RowError(`The label in "${column}" ${fault}.${hint}`)
  }
  return [{ annotator, value }]
}

function ownValue(text: string, { menu }: DatasetRules): LabelValue {
  return menu === null && text !== '' ? Number(text) : text
}
