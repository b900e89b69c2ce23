import { z } from 'zod'
import { isObject } from '../../lib/json-value.ts'

/**
 * JSON Schema of a tool's input, shortened: a list of tools is read by every agent at the start of every conversation. Left out is what
 * the service checks and explains anyway (patterns beside a format, lengths of text, the largest safe integer) and what the protocol
 * takes for granted (the dialect).
 */
export function shortSchema(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return shortened(schema)
}

const dropped = new Set(['pattern', 'minLength', 'maxLength', 'example'])

function shortened(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !dropped.has(key) && !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER))
      .map(([key, value]) => [key, key === 'properties' || key === '$defs' ? eachOf(value) : inner(value)]),
  )
}

/** Names here are the input's own: a property called `pattern` stays. */
function eachOf(named: unknown): unknown {
  return isObject(named) ? Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, inner(schema)])) : named
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner)
  return isObject(value) ? shortened(value) : value
}
