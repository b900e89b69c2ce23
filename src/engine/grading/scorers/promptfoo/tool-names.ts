import { jsonBlocks } from './json-blocks.ts'
import { isObject, jsonIn } from '../../../../lib/json-value.ts'

/**
 * Called tools in an output: JSON in the forms of several providers, or text with such JSON on lines of its own.
 * @throws TooMalformedError
 */
export function toolNames(output: string): ReadonlySet<string> {
  const whole = jsonIn(output)
  if (whole === undefined) return new Set([...jsonBlocks(output)].flatMap(value => namesIn(value)))
  return typeof whole === 'string' ? toolNames(whole) : new Set(namesIn(whole))
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(item => (isObject(item) ? nameOfItem(item) : []))
  if (!isObject(value)) return []
  const { tool_calls: calls, type, functionCall, toolCall } = value
  if (Array.isArray(calls)) return calls.flatMap(call => (isObject(call) ? [...named(call['function']), ...named(call)] : []))
  if ((type === 'tool_use' || type === 'function_call') && typeof value['name'] === 'string') return named(value)
  if (isObject(functionCall)) return named(functionCall)
  if (!isObject(toolCall)) return []
  return Array.isArray(toolCall['functionCalls']) ? toolCall['functionCalls'].flatMap(named) : []
}

/** A block of content, a call, or just its name. */
function nameOfItem(item: Readonly<Record<string, unknown>>): readonly string[] {
  if (item['type'] === 'tool_use' && typeof item['name'] === 'string') return named(item)
  const holder = [item['functionCall'], item['function']].find(isObject)
  return named(holder ?? item)
}

function named(value: unknown): readonly string[] {
  return isObject(value) && typeof value['name'] === 'string' ? [value['name']] : []
}
