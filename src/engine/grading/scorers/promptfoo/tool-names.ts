import { isJsonObject, parseJson } from '../text/json-text.ts'

/** Called tools in an output: JSON in the forms of several providers, or text with such JSON on separate lines. */
export function toolNames(output: string): ReadonlySet<string> {
  const whole = parseJson(output)
  const values = whole === undefined ? jsonBlocks(output) : [whole]
  return new Set(values.flatMap(value => namesIn(value)))
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(item => namesIn(item))
  if (!isJsonObject(value)) return []
  if (Array.isArray(value['tool_calls'])) return value['tool_calls'].flatMap(call => namesIn(call))
  if (isJsonObject(value['toolCall'])) return namesIn(value['toolCall']['functionCalls'])
  const called = [value['functionCall'], value['function'], value].find(
    holder => isJsonObject(holder) && typeof holder['name'] === 'string',
  )
  return isJsonObject(called) && typeof called['name'] === 'string' ? [called['name']] : []
}

/** JSON values that begin a line and end one, outside of code fences: what a provider writes between its text, not an example in it. */
function jsonBlocks(text: string): readonly unknown[] {
  const values: unknown[] = []
  let fence = ''
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 ? text.length : newline
    const line = text.slice(at, lineEnd).trim()
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (mark && (fence === '' || line === fence)) fence = fence === '' ? mark : ''
    const start = text.indexOf(line.charAt(0), at)
    if (fence !== '' || mark || !/^[[{]/.test(line)) at = lineEnd + 1
    else {
      const end = blockEnd(text, start)
      // A bracket that never closes would be looked for to the end again from every later line.
      if (end < 0) break
      const value = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200)) ? parseJson(text.slice(start, end)) : undefined
      if (value !== undefined) values.push(value)
      at = Math.max(end, lineEnd + 1)
    }
  }
  return values
}

/** The position after the bracket that closes the one at `start`, or -1. Brackets in strings do not count. */
function blockEnd(text: string, start: number): number {
  const marks = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g
  marks.lastIndex = start
  let depth = 0
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    if ('[{'.includes(match[0])) depth++
    else if (']}'.includes(match[0]) && --depth === 0) return marks.lastIndex
  }
  return -1
}
