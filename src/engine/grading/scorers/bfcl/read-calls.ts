import { trimEndOf } from '../../../../lib/trim-end.ts'
import { parseJsonLiteral, parsePythonLiteral } from '../python/literal.ts'
import type { PyValue } from '../python/values.ts'

/** A call of a function with its arguments by name. */
export interface FunctionCall {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
  /** Arguments of Python without a name, which upstream's comparison leaves out. */
  readonly positional?: readonly PyValue[]
}

const opener = /\s*([\p{L}_][\p{L}\p{N}\p{M}_.]*)\s*\(/uy
const keyword = /\s*([\p{L}_][\p{L}\p{N}\p{M}_]*)\s*=(?!=)/uy
const token = /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|[([{]|[)\]}]|,|[^"'([{)\]},]+/y

/**
 * The calls of an answer: Python (`[f(a=1), g(b='x')]`, with or without the brackets, in backticks), or JSON as interfaces return them
 * (`[{"f": {"a": 1}}]`, `{"name", "arguments"}`, `{"function": {"name", "arguments"}}`). Null for anything else.
 */
export function readCalls(output: string): readonly FunctionCall[] | null {
  const opened = output
    .trim()
    .replace(/^```[a-z]*\s/i, '')
    .replace(/^[`\s]+/, '')
  const bare = trimEndOf(opened, /[`\s]/)
  const json = parseJsonLiteral(bare)
  if (json) return fromJson(json)
  return fromPython(bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare)
}

function fromJson(value: PyValue): readonly FunctionCall[] | null {
  const calls = (value.type === 'list' ? value.items : [value]).map(callOf)
  return calls.includes(null) ? null : calls.filter(call => call !== null)
}

function callOf(value: PyValue): FunctionCall | null {
  const fields = fieldsOf(value)
  if (!fields) return null
  const inner = fields.get('function')
  if (inner?.type === 'dict') return callOf(inner)
  const name = fields.get('name')
  if (name?.type === 'str') {
    const args = argumentsOf(fields.get('arguments') ?? fields.get('parameters') ?? { type: 'dict', entries: [] })
    return args && { name: name.value, args }
  }
  const [only, other] = [...fields]
  const args = only && other === undefined ? argumentsOf(only[1]) : null
  return only && args ? { name: only[0], args } : null
}

function argumentsOf(value: PyValue): ReadonlyMap<string, PyValue> | null {
  const read = value.type === 'str' ? parseJsonLiteral(value.value) : value
  return read && fieldsOf(read)
}

/** An object by its keys; null for any other value. */
export function fieldsOf(value: PyValue): ReadonlyMap<string, PyValue> | null {
  if (value.type !== 'dict') return null
  const fields = value.entries.flatMap(([key, item]) => (key.type === 'str' ? [[key.value, item] as const] : []))
  return fields.length === value.entries.length ? new Map(fields) : null
}

function fromPython(text: string): readonly FunctionCall[] | null {
  const calls: FunctionCall[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    opener.lastIndex = at
    const [whole, name] = opener.exec(text) ?? []
    if (whole === undefined || name === undefined) return null
    at += whole.length
    const args = new Map<string, PyValue>()
    const positional: PyValue[] = []
    for (;;) {
      keyword.lastIndex = at
      const [said, key] = keyword.exec(text) ?? []
      const end = argumentEnd(text, at + (said?.length ?? 0))
      if (end === null) return null
      const written = text.slice(at + (said?.length ?? 0), end).trim()
      // What is not a literal is the text of a variable.
      const value = parsePythonLiteral(written) ?? { type: 'str' as const, value: written }
      if (key !== undefined) args.set(key.normalize('NFKC'), value)
      else if (written !== '') positional.push(value)
      at = end + 1
      if (text.charAt(end) === ')') break
    }
    // Python reads names in this form.
    calls.push({ name: name.normalize('NFKC'), args, positional })
    const comma = /^\s*,/.exec(text.slice(at, at + 200))?.[0]
    if (comma === undefined && text.slice(at).trim() !== '') return null
    at += comma?.length ?? 0
  }
  return calls.length === 0 ? null : calls
}

/** Where an argument ends: the comma behind it, or the bracket that closes the call. */
function argumentEnd(text: string, from: number): number | null {
  let depth = 0
  token.lastIndex = from
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match
    if (depth === 0 && (found === ',' || found === ')')) return match.index
    if (found === '(' || found === '[' || found === '{') depth++
    else if (found === ')' || found === ']' || found === '}') depth--
    if (depth < 0) return null
  }
  return null
}
