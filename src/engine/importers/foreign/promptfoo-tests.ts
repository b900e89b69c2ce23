import type { TaskContent } from '../import-source.ts'
import { textField } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'
import { foreignTask } from './foreign-task.ts'

/** `type: value` or `type(0.8): value`; without a type the value must be equalled. */
const assertion = /^(?<type>(?:not-)?[a-z]+(?:-[a-z]+)*)(?:\([\d.]+\))?:\s*(?<value>[\s\S]*)$/

/** Assertions that one reference answer can stand for; every metric of an own benchmark is shown beside the others. */
const single = new Set(['equals', 'contains', 'icontains'])
const anyOf = new Set(['contains-any', 'icontains-any'])

/**
 * Test cases of promptfoo as CSV: a column a variable, `__expected` what must hold of the answer. The prompt itself stands in the
 * configuration, so one variable is the question.
 * @param input column of that variable; undefined where there is only one
 */
export function promptfooTests(input: string | undefined): TaskContent {
  return {
    format: { kind: 'csv' },
    holds: 'tasks',
    read: row => {
      const variable = input ?? onlyVariable(row)
      const wrapped = [cell(row, '__prefix'), textField(row, variable), cell(row, '__suffix')].join('')
      return foreignTask({ id: `row-${String(row.position).padStart(4, '0')}`, input: wrapped, targets: expected(row) })
    },
  }
}

function onlyVariable({ value }: Row): string {
  const variables = Object.keys(value).filter(name => !name.startsWith('__'))
  const [variable] = variables
  if (variable !== undefined && variables.length === 1) return variable
  throw new RowError(
    `There are ${variables.length} variables (${variables.slice(0, 10).join(', ')}). Say in "mapping" which one holds the question as "input".`,
  )
}

function expected(row: Row): string[] {
  const cells = Object.keys(row.value).filter(name => /^__expected\d*$/.test(name) && cell(row, name).trim() !== '')
  if (cells.length === 0) throw new RowError('The row has no "__expected".')
  if (cells.length > 1) throw new RowError(`The answer must meet ${cells.length} assertions at once; an import takes one a row.`)
  const text = cell(row, cells[0] ?? '').trim()
  const { type, value = '' } = assertion.exec(text)?.groups ?? {}
  if (type === undefined) return [text]
  if (anyOf.has(type)) return value.split(',').map(target => target.trim())
  if (!single.has(type))
    throw new RowError(`The assertion "${type.slice(0, 60)}" cannot be imported; there are ${[...single, ...anyOf].join(', ')}.`)
  if (value.trim() === '') throw new RowError(`The assertion "${type}" has no value.`)
  return [value.trim()]
}

function cell({ value }: Row, name: string): string {
  const found = Object.hasOwn(value, name) ? value[name] : ''
  return typeof found === 'string' ? found : ''
}
