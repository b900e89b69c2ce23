import { type Json } from './mapped-span.ts'
import { asText, storedPartsOf } from './messages.ts'
import { selectValue } from './json-path.ts'
import { isObject } from '../../../lib/json-value.ts'

/** Paths into a source, by field of the example. */
export interface FieldPaths {
  readonly input?: string | undefined
  readonly output?: string | undefined
  readonly expected?: string | undefined
}

/** The fields of an example as its dataset takes them. */
export interface ExampleFields {
  /** Text, messages or named fields; null where there is nothing. */
  readonly input: string | readonly Json[] | Json | null
  readonly output: string | null
  readonly expected: string | readonly string[] | Json | null
}

/** @param usual the source's own places, for fields without a path */
export function exampleFields(
  document: unknown,
  paths: FieldPaths,
  usual: { input: unknown; output: unknown; expected: unknown },
): ExampleFields {
  const found = (name: keyof FieldPaths) => {
    const path = paths[name]
    return path === undefined ? usual[name] : selectValue(document, path)
  }
  return { input: toInput(found('input')), output: toOutput(found('output')), expected: toExpected(found('expected')) }
}

function toInput(value: unknown): ExampleFields['input'] {
  const inner = singleField(value)
  if (inner === undefined || inner === null || inner === '') return null
  if (typeof inner === 'string') return inner
  if (Array.isArray(inner) && inner.length > 0 && inner.every(each => isObject(each) && typeof each['role'] === 'string'))
    return inner.filter(isObject).map(withStoredFiles)
  if (isObject(inner)) return Object.keys(inner).length > 0 ? inner : null
  return JSON.stringify(inner)
}

/** A message whose files are parts as they are stored here, whatever form its provider has for them. */
function withStoredFiles(message: Json): Json {
  const { content } = message
  if (!Array.isArray(content)) return message
  return { ...message, content: content.flatMap(withStoredFile) }
}

function withStoredFile(part: unknown): unknown[] {
  // What is stored already, and what holds parts of its own, such as the result of a tool, stays as it is.
  if (!isObject(part) || typeof part['media'] === 'string' || Array.isArray(part['content']) || isToolResult(part)) return [part]
  const stored = storedPartsOf(part)
  return stored.length > 0 ? stored : [part]
}

const isToolResult = (part: Json): boolean => ['tool_call_id', 'toolCallId', 'tool_use_id'].some(name => name in part)

function toOutput(value: unknown): string | null {
  const inner = singleField(value)
  return inner === undefined || inner === null ? null : asText(lastContent(inner))
}

function toExpected(value: unknown): ExampleFields['expected'] {
  const inner = singleField(value)
  if (inner === undefined || inner === null) return null
  if (typeof inner === 'string') return inner
  if (Array.isArray(inner))
    return inner.length > 0 && inner.every(each => typeof each === 'string') ? inner.map(String) : JSON.stringify(inner)
  return isObject(inner) ? inner : JSON.stringify(inner)
}

/** An object that holds one text under one of the usual names is that text. */
function singleField(value: unknown): unknown {
  if (!isObject(value)) return value
  const names = Object.keys(value)
  const [name = ''] = names
  const isUsual = ['input', 'question', 'prompt', 'query', 'text', 'output', 'answer', 'expected', 'content', 'result'].includes(name)
  return names.length === 1 && isUsual ? value[name] : value
}

/** Of messages, what was said last. */
function lastContent(value: unknown): unknown {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value
  return isObject(last) && typeof last['role'] === 'string' && 'content' in last ? last['content'] : value
}
