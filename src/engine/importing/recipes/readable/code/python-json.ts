import { RowError } from '../../../files/row.ts'
import { type Encoded, fromPython } from '../../../../grading/sandbox/encoded-value.ts'
import { parseJsonLiteral } from '../../../../grading/scorers/python/literal.ts'

/** Fields whose values are arguments of calls: they keep what JSON here would lose, such as the point of 1.0 and every digit. */
const exact = new Set(['base_input', 'plus_input'])

/**
 * A line as Python's `json` writes it, with NaN and Infinity. The arguments come as the sandbox takes them, everything else as usual.
 * @throws RowError when the line is not that
 */
export function parsePythonJson(text: string): unknown {
  const value = parseJsonLiteral(text)
  if (value?.type !== 'dict') throw new RowError('The line is no JSON object.')
  return Object.fromEntries(
    value.entries.map(([key, item]) => {
      const name = key.type === 'str' ? key.value : ''
      if (exact.has(name))
        return [name, item.type === 'list' ? item.items.map(args => ('items' in args ? args.items.map(fromPython) : args)) : []]
      return [name, plain(fromPython(item))]
    }),
  )
}

function plain(value: Encoded): unknown {
  if (typeof value !== 'object' || value === null || !('t' in value) || !('v' in value)) return value
  if (value.t === 'int' || value.t === 'float') return Number(value.v)
  return Array.isArray(value.v) ? value.v : null
}
