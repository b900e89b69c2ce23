import { readCalls } from '../../grading/scorers/bfcl/read-calls.ts'
import type { PyValue } from '../../grading/scorers/python/values.ts'
import { RowError } from '../files/row.ts'

export interface PlainCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Of the user; absent: the first. */
  readonly turn?: number
}

/**
 * Calls written in Python, with JSON values.
 * @param parameters by function, the names of its parameters in their order
 * @throws RowError where it can’t be read as calls of these functions
 */
export function plainCalls(text: string, parameters: ReadonlyMap<string, readonly string[]>): PlainCall[] {
  const calls = readCalls(text)
  if (!calls) throw new RowError(`Couldn’t read the answer "${text.slice(0, 200)}" as a call in Python.`)
  return calls.map(({ name, args, positional = [] }) => {
    const names = parameters.get(name)
    if (!names || positional.length > names.length) throw new RowError(`The answer "${text.slice(0, 200)}" calls no documented function.`)
    return {
      name,
      arguments: Object.fromEntries([
        ...positional.map((value, i) => [names[i] ?? '', plainValue(value)] as const),
        ...[...args].map(([key, value]) => [key, plainValue(value)] as const),
      ]),
    }
  })
}

function plainValue(value: PyValue): unknown {
  switch (value.type) {
    case 'none':
      return null
    case 'bool':
    case 'float':
    case 'str':
      return value.value
    case 'int':
      return Number(value.value)
    case 'list':
    case 'tuple':
      return value.items.map(plainValue)
    case 'dict':
      return Object.fromEntries(value.entries.map(([key, item]) => [String(plainValue(key)), plainValue(item)]))
    default:
      throw new RowError(`A ${value.type} is no argument of a tool.`)
  }
}
