import { presentField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'

/** Arguments of calls: a list of lists. */
export function inputsField(row: Row, name: string): unknown[][] {
  const value = presentField(row, name)
  // Some releases write `{}` where there are none.
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0) return []
  if (!Array.isArray(value)) throw new RowError(`The field "${name}" must be a list of argument lists.`)
  return value.map((args: unknown, i) => {
    if (!Array.isArray(args)) throw new RowError(`Entry ${i + 1} of "${name}" must be a list of arguments.`)
    return args
  })
}

/** The absolute tolerance of a task; 0 where it states none. */
export function toleranceField(row: Row): number {
  const { atol = 0 } = row.value
  if (typeof atol !== 'number' || atol < 0) throw new RowError('The field "atol" must be a number that is not negative.')
  return atol
}

/** A list of texts that may be empty or absent. */
export function optionalTexts(row: Row, name: string): string[] {
  const value = row.value[name] ?? []
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string'))
    throw new RowError(`The field "${name}" must be a list of texts.`)
  return value
}
